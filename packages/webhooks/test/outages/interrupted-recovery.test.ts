import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../src/admin/audit.ts';
import { isWebhookError } from '../../src/errors.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { ADMIN, HOOK_URL, startAdmin } from '../admin/admin-harness.ts';
import { failPending } from '../admin/fail-pending.ts';

const SINCE = '2026-01-01T00:00:00Z';
const CAUSE = new Error('connect ECONNREFUSED 10.9.8.7:5432');

/**
 * 501 failed deliveries, which are two batches, on a storage that reopens `batches` of them and
 * fails then.
 */
async function startInterrupted(batches: number) {
  const events: AuditEvent[] = [];
  const logged: object[] = [];
  const memory = memoryStorage();
  let reopened = 0;
  const storage: WebhookStorage = {
    ...memory,
    async reopenFailed(query) {
      reopened += 1;
      if (reopened > batches) throw CAUSE;
      return await memory.reopenFailed(query);
    },
  };
  const log = (fields: object) => void logged.push(fields);
  const started = startAdmin({
    storage,
    logger: { debug: log, info: log, warn: log, error: log },
    onAudit: (event) => void events.push(event),
  });
  const { webhooks } = started;
  await webhooks.create({ url: HOOK_URL });
  await Promise.all(Array.from({ length: 501 }, (_, id) => webhooks.dispatch('user.created', { id })));
  await failPending(memory, 501);
  expect((await webhooks.get(1)).stats.failed).toBe(501);
  return { ...started, events, logged };
}

describe('a recovery that the storage interrupts', () => {
  it('tells the audit log and the client how many are on their way again', async () => {
    const { call, events, logged, webhooks } = await startInterrupted(1);
    const answer = await call('POST', '/1/recover', { body: { since: SINCE } });
    expect(answer.status).toBe(503);
    expect(answer.json).toStrictEqual({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      code: 'storage_unavailable',
      detail: 'It failed midway: 500 deliveries are on their way again.',
    });
    expect(events).toMatchObject([
      { actor: ADMIN, action: 'webhook.recovered', target: { webhookId: 1 }, deliveries: 500 },
    ]);
    expect(logged).toMatchObject([
      { code: 'storage_unavailable', method: 'POST', error: { cause: { message: CAUSE.message } } },
    ]);
    expect((await webhooks.get(1)).stats).toMatchObject({ failed: 1, pending: 500 });
  });

  it('before anything was reopened changes nothing, and is told to nobody', async () => {
    const { call, events, webhooks } = await startInterrupted(0);
    const answer = await call('POST', '/1/recover', { body: { since: SINCE } });
    expect(answer.status).toBe(503);
    expect(answer.json).not.toHaveProperty('detail');
    expect(events).toEqual([]);
    expect((await webhooks.get(1)).stats).toMatchObject({ failed: 501, pending: 0 });
  });

  it('rejects in the engine with how many it has reopened', async () => {
    const { webhooks } = await startInterrupted(1);
    const error = await webhooks.recover({ since: SINCE }).catch((thrown: unknown) => thrown);
    expect(isWebhookError(error, 'storage_unavailable') && error.reopened).toBe(500);
    expect(error).toMatchObject({ cause: { message: CAUSE.message } });
    const refused = await webhooks.recover({ since: 'yesterday' }).catch((thrown: unknown) => thrown);
    expect(isWebhookError(refused) && refused.reopened).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../src/admin/audit.ts';
import { isWebhookError } from '../../src/errors.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import type { Webhooks } from '../../src/webhooks.ts';
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
    async reopenDeliveries(request) {
      reopened += 1;
      if (reopened > batches) throw CAUSE;
      return await memory.reopenDeliveries(request);
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
      detail: 'It stopped midway: 500 deliveries are scheduled again.',
      reopened: 500,
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
    expect(answer.json).not.toHaveProperty('reopened');
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

describe('a recovery whose webhook changes meanwhile', () => {
  /** 501 failed deliveries on a storage that makes a change behind a recovery's first batch. */
  async function startRaced(change: (webhooks: Webhooks) => Promise<unknown>) {
    const events: AuditEvent[] = [];
    const memory = memoryStorage();
    const storage: WebhookStorage = {
      ...memory,
      async reopenDeliveries(request) {
        const reopened = await memory.reopenDeliveries(request);
        if (request.after === undefined) await change(started.webhooks);
        return reopened;
      },
    };
    const started = startAdmin({ storage, onAudit: (event) => void events.push(event) });
    const { webhooks } = started;
    await webhooks.create({ url: HOOK_URL });
    await Promise.all(Array.from({ length: 501 }, (_, id) => webhooks.dispatch('user.created', { id })));
    await failPending(memory, 501);
    return { ...started, events };
  }

  it('says how many were reopened before the webhook was paused', async () => {
    const { call, events, webhooks } = await startRaced((webhooks) =>
      webhooks.update(1, { isActive: false }),
    );
    const answer = await call('POST', '/1/recover', { body: { since: SINCE } });
    expect(answer).toMatchObject({
      status: 409,
      json: {
        code: 'webhook_inactive',
        detail:
          'The webhook is inactive: activate it first. It stopped midway: 500 deliveries are scheduled again.',
      },
    });
    expect(events.filter(({ action }) => action === 'webhook.recovered')).toMatchObject([
      { deliveries: 500 },
    ]);
    expect((await webhooks.get(1)).stats).toMatchObject({ failed: 1, pending: 500 });
  });

  it('says how many were reopened before the webhook was removed', async () => {
    const { webhooks } = await startRaced((webhooks) => webhooks.delete(1));
    await expect(webhooks.recover({ since: SINCE, webhookId: 1 })).rejects.toMatchObject({
      code: 'webhook_not_found',
      reopened: 500,
    });
  });

  it('goes on for the others where it recovers every webhook', async () => {
    const { webhooks } = await startRaced((webhooks) => webhooks.update(1, { isActive: false }));
    expect(await webhooks.recover({ since: SINCE })).toEqual({
      deliveries: 500,
      nextCursor: null,
      dryRun: false,
    });
  });
});

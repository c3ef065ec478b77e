import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AuditEvent } from '../../../src/admin/audit.ts';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { HOOK_URL, startAdmin } from '../admin-harness.ts';
import { failPending } from '../fail-pending.ts';

const SINCE = '2026-01-01T00:00:00Z';

/** 1,501 failed deliveries, which are four batches, on a storage that takes 8 s for each. */
async function startSlow() {
  const memory = memoryStorage();
  const storage: WebhookStorage = {
    ...memory,
    async reopenDeliveries(request) {
      vi.advanceTimersByTime(8_000);
      return memory.reopenDeliveries(request);
    },
  };
  const events: AuditEvent[] = [];
  const started = startAdmin({ storage, onAudit: (event) => void events.push(event) });
  const { call, webhooks } = started;
  await webhooks.create({ url: HOOK_URL });
  await Promise.all(Array.from({ length: 1_501 }, (_, id) => webhooks.dispatch('user.created', { id })));
  await failPending(memory, 1_501);
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const recover = async (body: object) =>
    (await call('POST', '/1/recover', { body: { since: SINCE, ...body } })).json;
  return { webhooks, memory, events, recover };
}

describe('a recovery of more than fits into 15 seconds', () => {
  it('answers after 15 seconds with how many were reopened and where it goes on', async () => {
    const { webhooks, recover, events } = await startSlow();
    const first = await recover({});
    expect(first).toEqual({ deliveries: 1_000, next_cursor: expect.any(String), dry_run: false });
    expect((await webhooks.get(1)).stats).toMatchObject({ failed: 501, pending: 1_000 });
    expect(await recover({ cursor: first.next_cursor })).toEqual({
      deliveries: 501,
      next_cursor: null,
      dry_run: false,
    });
    expect((await webhooks.get(1)).stats).toMatchObject({ failed: 0, pending: 1_501 });
    expect(events).toMatchObject([
      { action: 'webhook.recovered', deliveries: 1_000 },
      { action: 'webhook.recovered', deliveries: 501 },
    ]);
  });

  it('begins none again that have failed meanwhile, and so comes to an end', async () => {
    const { webhooks, memory, recover } = await startSlow();
    const { next_cursor: cursor } = await recover({});
    await failPending(memory, 1_000);
    expect(await recover({ cursor })).toMatchObject({ deliveries: 501, next_cursor: null });
    expect((await webhooks.get(1)).stats).toMatchObject({ failed: 1_000, pending: 501 });
  });

  it('refuses the cursor of a search, which is in the opposite order', async () => {
    const { webhooks, recover } = await startSlow();
    const { nextCursor: cursor } = await webhooks.searchDeliveries({ limit: 1 });
    expect(await recover({ cursor })).toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'cursor', code: 'invalid_cursor' }],
    });
    expect((await webhooks.get(1)).stats).toMatchObject({ failed: 1_501 });
  });

  it('counts the whole range with dry_run, wherever a cursor stands', async () => {
    const { recover } = await startSlow();
    const { next_cursor: cursor } = await recover({});
    expect(await recover({ cursor, dry_run: true })).toEqual({
      deliveries: 501,
      next_cursor: null,
      dry_run: true,
    });
  });

  it('has no bound in time in the engine, unless the host gives one', async () => {
    const { webhooks } = await startSlow();
    const { deliveries, nextCursor } = await webhooks.recover({ since: SINCE, maxDurationMs: 1 });
    expect(deliveries).toBe(500);
    expect(await webhooks.recover({ since: SINCE, cursor: nextCursor ?? '' })).toEqual({
      deliveries: 1_001,
      nextCursor: null,
      dryRun: false,
    });
  });
});

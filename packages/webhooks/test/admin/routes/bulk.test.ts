import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AuditEvent } from '../../../src/admin/audit.ts';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import { engineOn, HOOK_URL, startAdmin } from '../admin-harness.ts';
import { failPending } from '../fail-pending.ts';

/** The API over three webhooks, with what was audited. */
async function withThree() {
  const storage = memoryStorage();
  const webhooks = engineOn(storage);
  for (let i = 0; i < 3; i++) await webhooks.create({ url: HOOK_URL });
  const events: AuditEvent[] = [];
  const started = startAdmin({ webhooks, onAudit: (event) => void events.push(event) });
  const audited = () => events.splice(0).map(({ action, target }) => [action, target]);
  return { storage, audited, ...started };
}

describe('a change of several webhooks', () => {
  it('is made to each, whatever becomes of the others, and audited for each', async () => {
    const { call, audited, webhooks } = await withThree();
    const body = { action: 'pause', webhooks: [2, 77, 1, 2] };
    const { json, status } = await call('POST', '/bulk', { body });
    expect(status).toBe(200);
    expect(json).toEqual({
      results: [
        { webhook_id: 2, outcome: 'done' },
        { webhook_id: 77, outcome: 'webhook_not_found' },
        { webhook_id: 1, outcome: 'done' },
      ],
      done: 2,
      dry_run: false,
    });
    expect(audited()).toEqual([
      ['webhook.updated', { webhookId: 2 }],
      ['webhook.updated', { webhookId: 1 }],
    ]);
    const activity = async () =>
      (await webhooks.list({ order: 'asc' })).webhooks.map(({ isActive }) => isActive);
    expect(await activity()).toEqual([false, false, true]);
    await call('POST', '/bulk', { body: { action: 'activate', webhooks: [1] } });
    expect(await activity()).toEqual([true, false, true]);
    audited();
    await call('POST', '/bulk', { body: { action: 'delete', webhooks: [1, 3] } });
    expect(audited()).toEqual([
      ['webhook.deleted', { webhookId: 1 }],
      ['webhook.deleted', { webhookId: 3 }],
    ]);
    expect(await activity()).toEqual([false]);
  });

  it('begins nothing more after 15 seconds, and says what it has not reached', async () => {
    const storage = memoryStorage();
    const slow = async (id: number) => {
      vi.advanceTimersByTime(8_000);
      return storage.deleteWebhook(id);
    };
    const webhooks = engineOn({ ...storage, deleteWebhook: slow });
    for (let i = 0; i < 4; i++) await webhooks.create({ url: HOOK_URL });
    const { call } = startAdmin({ webhooks });
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const body = { action: 'delete', webhooks: [1, 2, 3, 4] };
    const { json, status } = await call('POST', '/bulk', { body });
    expect(status).toBe(200);
    const outcomes = json.results.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(['done', 'done', 'not_reached', 'not_reached']);
    expect(json.done).toBe(2);
    expect((await webhooks.list()).webhooks.map(({ id }) => id)).toEqual([4, 3]);
  });

  it('logs why the storage failed at one of them, where others were changed', async () => {
    const storage = memoryStorage();
    const cause = new Error('disk full');
    const webhooks = engineOn({
      ...storage,
      changeWebhook: async (id, change) => {
        if (id === 2) throw cause;
        return storage.changeWebhook(id, change);
      },
    });
    for (let i = 0; i < 3; i++) await webhooks.create({ url: HOOK_URL });
    const logged: object[] = [];
    const log = (fields: object) => void logged.push(fields);
    const { call } = startAdmin({ webhooks, logger: { debug: log, info: log, warn: log, error: log } });
    const { json } = await call('POST', '/bulk', { body: { action: 'pause', webhooks: [1, 2, 3] } });
    const outcomes = json.results.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(['done', 'storage_unavailable', 'done']);
    expect(logged).toMatchObject([
      { code: 'storage_unavailable', method: 'POST', error: { cause: { message: 'disk full' } } },
    ]);
  });

  it('leaves alone what is paused or active already, in a dry run, too', async () => {
    const { call, audited, webhooks } = await withThree();
    await webhooks.update(2, { isActive: false });
    const { updatedAt } = await webhooks.get(2);
    for (const isDryRun of [true, false]) {
      const body = { action: 'pause', webhooks: [1, 2], dry_run: isDryRun };
      const { json } = await call('POST', '/bulk', { body });
      expect(json).toMatchObject({ done: 1, results: [{ outcome: 'done' }, { outcome: 'unchanged' }] });
    }
    expect(audited()).toEqual([['webhook.updated', { webhookId: 1 }]]);
    expect((await webhooks.get(2)).updatedAt).toBe(updatedAt);
    const { json } = await call('POST', '/bulk', { body: { action: 'activate', webhooks: [1, 2] } });
    expect(json.done).toBe(2);
  });

  it('is only counted in a dry run', async () => {
    const { call, audited, webhooks } = await withThree();
    const body = { action: 'delete', webhooks: [1, 2, 77], dry_run: true };
    expect((await call('POST', '/bulk', { body })).json).toMatchObject({ done: 2, dry_run: true });
    expect((await webhooks.list()).total).toBe(3);
    expect(audited()).toEqual([]);
  });

  it.each([
    [{ action: 'explode', webhooks: [1] }, 'action'],
    [{ action: 'pause', webhooks: [] }, 'webhooks'],
    [{ action: 'pause', webhooks: [0] }, 'webhooks[0]'],
    [{ action: 'pause', webhooks: Array.from({ length: 101 }, (_, i) => i + 1) }, 'webhooks'],
  ])('is refused for %j', async (body, field) => {
    const { call } = await withThree();
    const { json, status } = await call('POST', '/bulk', { body });
    expect([status, json.errors[0].field]).toEqual([422, field]);
  });
});

describe('sending several deliveries again', () => {
  it('begins a new series for each that has ended, of any webhooks', async () => {
    const { call, audited, storage, webhooks } = await withThree();
    const [a, b, c] = await Promise.all([webhooks.test(1), webhooks.test(2), webhooks.test(3)]);
    await failPending(storage, 10);
    const pending = await webhooks.test(1);
    await webhooks.update(3, { isActive: false });
    const unknown = '0'.repeat(32);
    const deliveries = [a, b, c, pending].map(({ deliveryId }) => deliveryId).concat(unknown);
    const expected = [
      [1, 'done'],
      [2, 'done'],
      [3, 'webhook_inactive'],
      [1, 'delivery_pending'],
      [null, 'delivery_not_found'],
    ];
    for (const isDryRun of [true, false]) {
      const { json } = await call('POST', '/deliveries/redeliver', {
        body: { deliveries, dry_run: isDryRun },
      });
      expect([json.done, json.dry_run]).toEqual([2, isDryRun]);
      expect(json.results.map(({ webhook_id, outcome }: never) => [webhook_id, outcome])).toEqual(expected);
      expect(audited()).toHaveLength(isDryRun ? 0 : 2);
    }
    expect((await webhooks.searchDeliveries({ status: 'pending' })).deliveries).toHaveLength(3);
  });
});

describe('a recovery with an end and events', () => {
  it('counts and reopens what was created before it, of these events', async () => {
    const { call, storage, webhooks } = await withThree();
    for (const event of ['order.paid', 'order.refunded']) await webhooks.dispatch(event, {});
    await failPending(storage, 10);
    const recover = async (fields: object) =>
      (await call('POST', '/1/recover', { body: { since: '2026-01-01T00:00:00Z', ...fields } })).json;
    const isDryRun = { dry_run: true };
    expect(await recover(isDryRun)).toEqual({ deliveries: 2, next_cursor: null, dry_run: true });
    expect(await recover({ ...isDryRun, until: '2026-01-02T00:00:00Z' })).toMatchObject({ deliveries: 0 });
    expect(await recover({ events: ['order.paid'] })).toEqual({
      deliveries: 1,
      next_cursor: null,
      dry_run: false,
    });
    expect(await recover({ events: ['order.*'] })).toMatchObject({ status: 422 });
  });
});

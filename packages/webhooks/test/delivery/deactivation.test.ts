import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { chooseEvenly } from '../../contract/storage/choose-evenly.ts';
import { timestampText } from '../../src/clock.ts';
import { createDeactivation } from '../../src/delivery/deactivation.ts';
import { createNotifier } from '../../src/hooks/notifier.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { createCounters } from '../../src/stats.ts';
import type { ClaimedDelivery } from '../../src/storage/delivery-requests.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import type { Webhooks } from '../../src/webhooks.ts';
import { countFailures } from '../count-deliveries.ts';
import { useEngineHarness } from '../engine/engine-harness.ts';
import type { Answer } from '../engine/recipient.ts';
import { ALL_STORAGES } from '../engine/storages.ts';
import { backdated } from './backdated.ts';
import { claimedDelivery } from './claimed-delivery.ts';

const LEASE_MS = 1_000;
const DAY_MS = 86_400_000;
const FIVE_DAYS_MS = 5 * DAY_MS;

/** As if the first two failures were six days old. */
const longAgo = (storage: WebhookStorage) => backdated(storage, { since: 6 * DAY_MS, secondAt: 6 * DAY_MS });

/** Answers with the status that each event carries in its payload. */
const asAsked: Answer = ({ body }, response) =>
  response.writeHead((JSON.parse(body) as { data: { status: number } }).data.status).end();

describe.each(ALL_STORAGES)('deactivation on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  async function started(options: Parameters<typeof harness.engine>[0]) {
    const target = await harness.recipient(asAsked);
    const staged = harness.engine({ maxConcurrentPerWebhook: 1, ...options }, longAgo(harness.storage));
    await staged.webhooks.start();
    const { id } = await staged.webhooks.create({ url: target.url });
    const send = async (status: number) => {
      await staged.webhooks.dispatch('user.created', { status });
      await staged.webhooks.drain();
    };
    return { ...staged, target, id, send };
  }

  it('takes 410 for a failure like any other unless it is asked to', async () => {
    const { webhooks, target, id, send, disabled, ended } = await started({ retry: { delaysMs: [1] } });
    await send(410);
    expect(await ended(id)).toMatchObject({ status: 'failed', attempts: 4, error: 'http_410' });
    expect(target.received).toHaveLength(4);
    expect(disabled).toEqual([]);
    expect(await webhooks.get(id)).toMatchObject({ isActive: true, inactiveReason: '' });
  });

  it('ends a delivery at its first 410 and deactivates its webhook, and says so once', async () => {
    const { webhooks, target, id, send, disabled, failed } = await started({ disableOnGone: true });
    await send(410);
    const [delivery] = (await webhooks.deliveries(id)).deliveries;
    expect(delivery).toMatchObject({ status: 'failed', attempts: 1, error: 'http_410' });
    expect(target.received).toHaveLength(1);
    expect(await webhooks.get(id)).toMatchObject({ isActive: false, inactiveReason: 'gone' });
    expect(disabled).toEqual([
      {
        webhookId: id,
        reason: 'gone',
        deliveryId: delivery?.deliveryId,
        event: 'user.created',
        disabledAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ]);
    expect(failed).toHaveLength(1);
    expect(webhooks.stats()).toMatchObject({ disabled: 1, exhausted: 1 });

    await webhooks.update(id, { isActive: true });
    expect(await webhooks.get(id)).toMatchObject({ isActive: true, inactiveReason: '' });
    await send(200);
    expect(disabled).toHaveLength(1);
  });

  it('deactivates a webhook of which nothing has succeeded for so long, and three have failed', async () => {
    const { webhooks, id, send, disabled } = await started({
      disableAfterFailingMs: FIVE_DAYS_MS,
      retry: { maxAttempts: 1 },
    });
    await send(500);
    await send(500);
    await send(200);
    await send(500);
    await send(500);
    expect(disabled).toEqual([]);
    expect((await webhooks.get(id)).isActive).toBe(true);
    await send(500);
    expect(await webhooks.get(id)).toMatchObject({ isActive: false, inactiveReason: 'failing' });
    expect(disabled).toMatchObject([{ webhookId: id, reason: 'failing' }]);
  });

  it('does not count attempts that will be repeated', async () => {
    const { webhooks, id, send, disabled } = await started({
      disableAfterFailingMs: FIVE_DAYS_MS,
      retry: { delaysMs: [3_600_000] },
    });
    for (let sent = 0; sent < 3; sent += 1) await send(500);
    expect(disabled).toEqual([]);
    expect((await webhooks.get(id)).isActive).toBe(true);
  });

  it('counts anew once an administrator has activated the webhook again', async () => {
    const { webhooks, id, send, disabled } = await started({
      disableAfterFailingMs: FIVE_DAYS_MS,
      retry: { maxAttempts: 1 },
    });
    for (let sent = 0; sent < 3; sent += 1) await send(500);
    expect(disabled).toHaveLength(1);
    await webhooks.update(id, { isActive: true });
    await send(500);
    await send(500);
    expect(disabled).toHaveLength(1);
    await send(500);
    expect(disabled).toHaveLength(2);
  });

  describe.each([
    ['a 410', 410, 1, { disableOnGone: true }],
    ['a failure', 500, 3, { disableAfterFailingMs: FIVE_DAYS_MS, retry: { maxAttempts: 1 } }],
  ] as const)('%s that comes late', (_, status, needed, options) => {
    /** An attempt whose answer waits until the webhook was changed. */
    async function answeredAfter(change: (webhooks: Webhooks, id: number) => Promise<unknown>) {
      const held: ServerResponse[] = [];
      let received = 0;
      const target = await harness.recipient((callback, response) => {
        received += 1;
        if (received === needed) held.push(response);
        else asAsked(callback, response, 1);
      });
      const staged = harness.engine({ maxConcurrentPerWebhook: 1, ...options }, longAgo(harness.storage));
      const { webhooks } = staged;
      await webhooks.start();
      const { id } = await webhooks.create({ url: target.url });
      for (let sent = 1; sent < needed; sent += 1) {
        await webhooks.dispatch('user.created', { status });
        await webhooks.drain();
      }
      await webhooks.dispatch('user.created', { status });
      await target.receivedCount(needed);
      await change(webhooks, id);
      held[0]?.writeHead(status).end();
      await webhooks.drain();
      expect(await staged.ended(id)).toMatchObject({ status: 'failed', error: `http_${status}` });
      return { ...staged, id };
    }

    inOneTest<[string, (webhooks: Webhooks, id: number) => Promise<unknown>]>([
      [
        'deactivated and activated again',
        async (webhooks, id) => {
          await webhooks.update(id, { isActive: false });
          await webhooks.update(id, { isActive: true });
        },
      ],
      [
        'given another URL',
        async (webhooks, id) => {
          const { url } = await webhooks.get(id);
          await webhooks.update(id, { url: `${url}/new` });
        },
      ],
      [
        'given another URL and this one again',
        async (webhooks, id) => {
          const { url } = await webhooks.get(id);
          await webhooks.update(id, { url: `${url}/new` });
          await webhooks.update(id, { url });
        },
      ],
    ])('leaves a webhook active that was %s meanwhile, and the next one does not', async (_, change) => {
      const { webhooks, id, disabled } = await answeredAfter(change);
      expect(await webhooks.get(id)).toMatchObject({ isActive: true, inactiveReason: '' });
      expect(disabled).toEqual([]);
      for (let sent = 0; sent < needed; sent += 1) {
        await webhooks.dispatch('user.created', { status });
        await webhooks.drain();
      }
      expect((await webhooks.get(id)).isActive).toBe(false);
      expect(disabled).toMatchObject([{ webhookId: id }]);
    });

    it('deactivates a webhook that was only described anew meanwhile', async () => {
      const { webhooks, id, disabled } = await answeredAfter((webhooks, id) =>
        webhooks.update(id, { description: 'x', isActive: true }),
      );
      expect((await webhooks.get(id)).isActive).toBe(false);
      expect(disabled).toHaveLength(1);
    });
  });

  it('holds nothing against a recipient that fails tests', async () => {
    const { webhooks, id, send, disabled, ended } = await started({
      disableOnGone: true,
      disableAfterFailingMs: FIVE_DAYS_MS,
      retry: { maxAttempts: 1 },
    });
    const test = async (status: number) => {
      const { deliveryId } = await webhooks.test(id, { event: 'user.created', payload: { status } });
      await webhooks.drain();
      expect(await ended(id, deliveryId)).toMatchObject({ status: 'failed', error: `http_${status}` });
    };
    await test(500);
    await send(500);
    await send(500);
    await test(500);
    await test(410);
    expect(await webhooks.get(id)).toMatchObject({ isActive: true, health: { level: 'degraded' } });
    expect(disabled).toEqual([]);
    await send(500);
    expect(disabled).toMatchObject([{ webhookId: id, reason: 'failing' }]);
  });

  it('lets no test that succeeds end the row of failures', async () => {
    const { webhooks, id, send } = await started({
      disableAfterFailingMs: FIVE_DAYS_MS,
      retry: { maxAttempts: 1 },
    });
    await send(500);
    await send(500);
    await webhooks.test(id, { event: 'user.created', payload: { status: 200 } });
    await webhooks.drain();
    await send(500);
    expect((await webhooks.get(id)).isActive).toBe(false);
  });

  it('holds nothing against a recipient whose attempt vanished with its worker', async () => {
    const { webhooks, id, disabled } = await started({
      disableAfterFailingMs: FIVE_DAYS_MS,
      retry: { maxAttempts: 1 },
    });
    await webhooks.update(id, { isActive: false });
    await webhooks.update(id, { isActive: true });
    const { deliveryId } = await vanishedAttempt(id);
    await expect
      .poll(
        async () => {
          await webhooks.drain();
          return (await webhooks.delivery(id, deliveryId)).error;
        },
        { timeout: 60_000 },
      )
      .toBe('worker_lost');
    expect(disabled).toEqual([]);
    expect(await countFailures(harness.storage, id)).toBe(0);
    expect((await webhooks.get(id)).isActive).toBe(true);
  });

  /** The only attempt of a delivery, by a worker that is never heard of again. */
  async function vanishedAttempt(webhookId: number): Promise<ClaimedDelivery> {
    // Its lease has ended a second ago.
    const now = Date.now() - 2 * LEASE_MS;
    const createdAt = timestampText(now);
    await harness.storage.recordDispatches([
      { event: 'user.created', payload: '{"status":200}', createdAt, target: { webhookId } },
    ]);
    const [claimed] = await harness.storage.claimDueDeliveries({
      now,
      limit: 1,
      leaseMs: LEASE_MS,
      maxAttempts: 1,
      claimToken: 'vanished',
      isFromStart: true,
      choose: chooseEvenly(1),
    });
    if (claimed === undefined) throw new Error('nothing was due');
    return claimed;
  }

  inOneTest([
    ['for five days', { since: 4.9 * DAY_MS, secondAt: 4.9 * DAY_MS }, 5],
    ['again within a day', { since: 30 * DAY_MS, secondAt: 0.9 * DAY_MS }, 30.1],
  ])('leaves a webhook active that has not failed %s, and tells until when', async (_, ages, days) => {
    const target = await harness.recipient((_, response) => response.writeHead(500).end());
    const { webhooks, disabled } = harness.engine(
      { disableAfterFailingMs: FIVE_DAYS_MS, retry: { maxAttempts: 1 } },
      backdated(harness.storage, ages),
    );
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    for (let sent = 0; sent < 4; sent += 1) await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    expect(disabled).toEqual([]);
    const { health, disablesAt, isActive } = await webhooks.get(id);
    expect([isActive, health.level]).toEqual([true, 'down']);
    const ageMs = Date.parse(disablesAt ?? '') - Date.parse(health.downSince ?? '');
    expect(ageMs / DAY_MS).toBeCloseTo(days, 3);
  });

  it('deactivates nothing by default, however much fails', async () => {
    const { webhooks, id, send, disabled } = await started({ retry: { maxAttempts: 1 } });
    for (let sent = 0; sent < 5; sent += 1) await send(500);
    expect(disabled).toEqual([]);
    expect((await webhooks.get(id)).isActive).toBe(true);
  });

  it('records a delivery although the storage fails to deactivate its webhook, and says so', async () => {
    const target = await harness.recipient(asAsked);
    const { webhooks, errors, ended, disabled } = harness.engine(
      { disableOnGone: true },
      { ...harness.storage, changeWebhook: () => Promise.reject(new Error('connection lost')) },
    );
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', { status: 410 });
    expect(await ended(id)).toMatchObject({ status: 'failed', attempts: 1 });
    await webhooks.drain();
    expect(errors).toMatchObject([{ code: 'storage_unavailable' }]);
    expect(disabled).toEqual([]);
  });
});

describe('an inactive webhook', () => {
  it('stays as its administrator left it, and the storage is asked nothing', async () => {
    const asked: string[] = [];
    const disable = createDeactivation({
      tellDown: async () => undefined,
      storage: {
        async readOverview() {
          asked.push('to count its failures');
          return [];
        },
        async changeWebhook() {
          asked.push('to deactivate it');
          return undefined;
        },
      },
      notifier: createNotifier({}, silentLogger),
      counters: createCounters(),
      clock: Date.now,
      disableOnGone: true,
      disableAfterFailingMs: FIVE_DAYS_MS,
    });
    const { webhook, deliveryId, event } = claimedDelivery({ webhook: { isActive: false } });
    await disable({ webhook, deliveryId, event, error: 'http_410', expected: {} });
    expect(asked).toEqual([]);
  });
});

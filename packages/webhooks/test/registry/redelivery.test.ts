import { describe, expect, it } from 'vitest';
import { failPending } from '../admin/fail-pending.ts';
import { useEngineHarness } from '../engine/engine-harness.ts';
import { STORAGES } from '../engine/storages.ts';

const HOUR_MS = 3_600_000;

describe.each(STORAGES)('redelivery on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  /** An engine with a clock of its own, and a recipient that fails until it is told not to. */
  async function failingHarness(options: Parameters<typeof harness.engine>[0] = {}) {
    let now = Date.parse('2026-11-20T12:00:00.000Z');
    const recipient = { accepts: false };
    const target = await harness.recipient((_, response) =>
      response.writeHead(recipient.accepts ? 204 : 500).end(),
    );
    const staged = harness.engine({ clock: () => now, retry: { maxAttempts: 1 }, ...options });
    await staged.webhooks.start();
    const pass = (ms: number) => {
      now += ms;
      return new Date(now);
    };
    /** Dispatches events whose deliveries fail without an attempt: the engine hears of none. */
    const dispatchFailing = async (event: string, count: number) => {
      const { webhooks } = harness.engine({ clock: () => now });
      await Promise.all(Array.from({ length: count }, (_, n) => webhooks.dispatch(event, { n })));
      await failPending(harness.storage, count, now);
    };
    return { ...staged, target, recipient, pass, now: () => new Date(now), dispatchFailing };
  }

  it('sends a delivery that has ended again: the same bytes, the same id, attempts counting on', async () => {
    const { webhooks, target, recipient, failed } = await failingHarness();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', { n: 1 });
    await webhooks.drain();
    const [delivery] = (await webhooks.deliveries(id)).deliveries;
    expect(delivery).toMatchObject({ status: 'failed', attempts: 1 });
    const deliveryId = delivery?.deliveryId ?? '';

    recipient.accepts = true;
    expect(await webhooks.redeliver(id, deliveryId)).toEqual({ deliveryId, status: 'pending' });
    // No sweep: the call itself makes the engine poll.
    await target.receivedCount(2);
    await webhooks.drain();
    expect(await webhooks.delivery(id, deliveryId)).toMatchObject({ status: 'success', attempts: 2 });

    await webhooks.redeliver(id, deliveryId);
    await target.receivedCount(3);
    await webhooks.drain();
    expect(new Set(target.received.map(({ body }) => body)).size).toBe(1);
    expect(target.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(target.received.map(({ headers }) => headers['x-webhook-id']))).toEqual(
      new Set([deliveryId]),
    );
    expect(failed).toHaveLength(1);
    expect(webhooks.stats()).toMatchObject({ reopened: 2, attempts: 3, succeeded: 2, exhausted: 1 });
  });

  it('begins one series for several calls of one moment', async () => {
    const { webhooks, target, recipient } = await failingHarness();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    const [delivery] = (await webhooks.deliveries(id)).deliveries;
    recipient.accepts = true;
    const calls = Array.from({ length: 5 }, () => webhooks.redeliver(id, delivery?.deliveryId ?? ''));
    const results = await Promise.allSettled(calls);
    // One that comes after the first has been delivered again begins a series of its own, rightly.
    const begun = results.filter(({ status }) => status === 'fulfilled').length;
    await webhooks.drain();
    expect(begun).toBeGreaterThanOrEqual(1);
    expect(target.received).toHaveLength(1 + begun);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'delivery_pending' });
    }
  });

  it('recovers what failed since a moment, more than one batch, and nothing older', async () => {
    const staged = await failingHarness({ maxConcurrentPerWebhook: 50 });
    const { webhooks, target, recipient, pass, now } = staged;
    const { id } = await webhooks.create({ url: target.url });
    await staged.dispatchFailing('user.old', 3);
    const since = pass(HOUR_MS);
    await staged.dispatchFailing('user.created', 510);
    expect((await webhooks.get(id)).stats).toMatchObject({ failed: 513 });

    recipient.accepts = true;
    expect(await webhooks.recover({ since, dryRun: true })).toEqual({
      deliveries: 510,
      nextCursor: null,
      dryRun: true,
    });
    expect((await webhooks.get(id)).stats).toMatchObject({ failed: 513 });
    expect(await webhooks.recover({ since: since.toISOString() })).toEqual({
      deliveries: 510,
      nextCursor: null,
      dryRun: false,
    });
    await webhooks.drain();
    expect((await webhooks.get(id)).stats).toMatchObject({ failed: 3, success: 510, pending: 0 });
    expect(target.received).toHaveLength(510);
    expect(await webhooks.recover({ since })).toEqual({ deliveries: 0, nextCursor: null, dryRun: false });
    expect(await webhooks.recover({ since: new Date(now().getTime() + HOUR_MS) })).toMatchObject({
      deliveries: 0,
    });
    expect(webhooks.stats().reopened).toBe(510);
  });

  it('recovers what failed because its webhook was inactive, once that is active again', async () => {
    const { webhooks, target, recipient, now } = await failingHarness();
    recipient.accepts = true;
    const since = now();
    const { id } = await webhooks.create({ url: target.url });
    const other = await webhooks.create({ url: target.url });
    await webhooks.close();

    const later = await failingHarness();
    await webhooks.update(other.id, { isActive: false });
    const idle = harness.engine({ clock: () => since.getTime() });
    await idle.webhooks.dispatch('user.created', {});
    await idle.webhooks.update(id, { isActive: false });
    await later.webhooks.drain();
    expect((await later.webhooks.deliveries(id)).deliveries).toMatchObject([
      { status: 'failed', error: 'webhook_inactive' },
    ]);

    await expect(later.webhooks.recover({ since, webhookId: id })).rejects.toMatchObject({
      code: 'webhook_inactive',
    });
    expect(await later.webhooks.recover({ since })).toEqual({
      deliveries: 0,
      nextCursor: null,
      dryRun: false,
    });
    await later.webhooks.update(id, { isActive: true });
    expect(await later.webhooks.recover({ since, webhookId: id })).toMatchObject({ deliveries: 1 });
    await later.webhooks.drain();
    expect(target.received).toHaveLength(1);
    expect((await later.webhooks.get(id)).stats).toMatchObject({ success: 1, failed: 0 });
  });

  it('begins each delivery once, although those of one batch have failed again before the next', async () => {
    const { webhooks, target, now, dispatchFailing } = await failingHarness({ maxConcurrentPerWebhook: 50 });
    const { id } = await webhooks.create({ url: target.url });
    // Three batches, and all of one millisecond.
    await dispatchFailing('user.created', 1_001);
    const recovering = harness.engine(
      { clock: () => now().getTime() },
      {
        ...harness.storage,
        async reopenDeliveries(request) {
          await webhooks.drain();
          return harness.storage.reopenDeliveries(request);
        },
      },
    );
    expect(await recovering.webhooks.recover({ since: now() })).toEqual({
      deliveries: 1_001,
      nextCursor: null,
      dryRun: false,
    });
    expect(recovering.webhooks.stats().reopened).toBe(1_001);
    await webhooks.drain();
    const again = target.received.map(({ headers }) => headers);
    expect(new Set(again.map((headers) => headers['x-webhook-attempt']))).toEqual(new Set(['2']));
    expect(new Set(again.map((headers) => headers['x-webhook-id'])).size).toBe(1_001);
    expect(again).toHaveLength(1_001);
    expect((await webhooks.get(id)).stats).toMatchObject({ failed: 1_001, pending: 0 });
  }, 240_000);
});

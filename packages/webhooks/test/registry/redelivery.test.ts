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

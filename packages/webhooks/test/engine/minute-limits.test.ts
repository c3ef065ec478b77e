import { describe, expect, it, vi } from 'vitest';
import { useEngineHarness } from './engine-harness.ts';
import { ALL_STORAGES } from './storages.ts';

describe.each(ALL_STORAGES)('a webhook with maxPerMinute on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it('gets so many a minute, while another webhook gets everything at once', async () => {
    const limited = await harness.recipient();
    const other = await harness.recipient();
    const { webhooks } = harness.engine();
    await webhooks.start();
    vi.useFakeTimers({ toFake: ['performance'] });
    const { id } = await webhooks.create({ url: limited.url, events: ['order.*'], maxPerMinute: 60 });
    await webhooks.create({ url: other.url, events: ['user.*'] });
    // More than a claim reads of the oldest: they are the head of the queue.
    await Promise.all(Array.from({ length: 70 }, () => webhooks.dispatch('order.created', {})));
    await Promise.all(Array.from({ length: 40 }, () => webhooks.dispatch('user.created', {})));
    await other.receivedCount(40);
    await limited.receivedCount(2);
    for (let second = 1; second <= 12; second++) {
      vi.advanceTimersByTime(1_000);
      // Its dispatch wakes the claims that the clock of the test does not.
      await webhooks.dispatch('user.created', {});
      await other.receivedCount(40 + second);
      await limited.receivedCount(Math.max(2, 1 + second));
    }
    expect(limited.received).toHaveLength(13);
    expect(await webhooks.health()).toMatchObject({ status: 'ok' });
    await webhooks.update(id, { maxPerMinute: null });
    vi.advanceTimersByTime(1_000);
    await webhooks.drain();
    expect(limited.received).toHaveLength(70);
  });

  it('goes on by itself, no faster', async () => {
    const limited = await harness.recipient();
    const { webhooks } = harness.engine();
    await webhooks.create({ url: limited.url, maxPerMinute: 6_000 });
    await webhooks.start();
    vi.useFakeTimers({ toFake: ['performance'] });
    await Promise.all(Array.from({ length: 150 }, () => webhooks.dispatch('order.created', {})));
    // A hundred are a second's worth, and one may be owed.
    await limited.receivedCount(100);
    vi.advanceTimersByTime(480);
    await limited.receivedCount(148);
    expect(limited.received.length).toBeLessThan(150);
    vi.advanceTimersByTime(20);
    await limited.receivedCount(150);
  });

  it('is waited for by a drain, which claims once it has a token', async () => {
    const limited = await harness.recipient();
    let claims = 0;
    const { webhooks } = harness.engine(
      {},
      {
        ...harness.storage,
        claimDueDeliveries(request) {
          claims += 1;
          return harness.storage.claimDueDeliveries(request);
        },
      },
    );
    await webhooks.create({ url: limited.url, maxPerMinute: 240 });
    await webhooks.start();
    // A second's worth is sent at once, what is more waits for 250 ms each.
    await Promise.all(Array.from({ length: 7 }, () => webhooks.dispatch('order.created', {})));
    await webhooks.drain();
    expect(limited.received).toHaveLength(7);
    expect(claims).toBeLessThan(25);
  });
});

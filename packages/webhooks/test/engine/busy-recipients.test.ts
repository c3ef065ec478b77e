import { describe, expect, it } from 'vitest';
import { useEngineHarness } from './engine-harness.ts';
import type { Answer } from './recipient.ts';
import { STORAGES } from './storages.ts';

const EVENTS = 20;

/** Accepts so many requests, refuses the next ones, and accepts all that come after the pause. */
function refusingOnce(accepts: number, retryAfter: string) {
  let requests = 0;
  let refusedUntil: number | undefined;
  const answer: Answer = (_, response) => {
    requests += 1;
    if (requests > accepts) refusedUntil ??= Date.now() + 1_000;
    const isRefused = refusedUntil !== undefined && Date.now() < refusedUntil;
    if (isRefused) response.writeHead(429, { 'retry-after': retryAfter }).end('slow down');
    else response.writeHead(204).end();
  };
  return answer;
}

describe.each(STORAGES)('a recipient that answers 429 on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it('gets everything after the pause, with one request in vain for each that was under way', async () => {
    const busy = await harness.recipient(refusingOnce(3, '1'));
    const other = await harness.recipient();
    const { webhooks, attempts, failed } = harness.engine();
    const { id } = await webhooks.create({ url: busy.url, events: ['order.created'] });
    await webhooks.create({ url: other.url, events: ['user.created'] });
    await webhooks.start();
    await Promise.all(Array.from({ length: EVENTS }, () => webhooks.dispatch('order.created', {})));
    await expect.poll(async () => (await webhooks.get(id)).busyUntil).not.toBeNull();
    await webhooks.dispatch('user.created', {});
    await other.receivedCount(1);
    expect((await webhooks.get(id)).busyUntil).not.toBeNull();
    await expect.poll(async () => (await webhooks.get(id)).stats.success).toBe(EVENTS);
    // The most at once to one webhook, by default.
    expect(busy.received.length).toBeLessThanOrEqual(EVENTS + 10);
    const deferred = attempts.filter(({ error }) => error === 'deferred');
    expect(deferred.length).toBe(busy.received.length - EVENTS);
    expect(deferred.every(({ status, statusCode }) => status === 'pending' && statusCode === 429)).toBe(true);
    expect(webhooks.stats()).toMatchObject({ deferred: deferred.length, failedAttempts: 0 });
    expect([failed, (await webhooks.get(id)).busyUntil]).toEqual([[], null]);
  });

  it('is not asked again before it is ready, and holds up neither health nor drain', async () => {
    const busy = await harness.recipient(refusingOnce(0, '3600'));
    const { webhooks, attempts } = harness.engine();
    const { id } = await webhooks.create({ url: busy.url });
    await webhooks.start();
    await webhooks.dispatch('order.created', {});
    await expect.poll(() => attempts.length).toBe(1);
    // More than a claim may lease.
    for (let n = 0; n < 60; n++) await webhooks.dispatch('order.created', {});
    await webhooks.drain();
    expect(busy.received).toHaveLength(1);
    expect(await webhooks.health()).toMatchObject({ status: 'ok', backlog: 0, oldestDueMs: null });
    const [first] = (await webhooks.deliveries(id, { limit: 100 })).deliveries.slice(-1);
    const { attemptLog, nextAttemptAt } = await webhooks.delivery(id, first?.deliveryId ?? '');
    expect(attemptLog).toMatchObject([
      { error: 'deferred', statusCode: 429, responseBody: 'slow down', deferrals: { count: 1 } },
    ]);
    const waitMs = Date.parse(nextAttemptAt ?? '') - Date.now();
    expect(waitMs).toBeGreaterThan(3_590_000);
    expect(waitMs).toBeLessThan(3_970_000);
  });

  it('is replaced at once by another URL', async () => {
    const busy = await harness.recipient(refusingOnce(0, '3600'));
    const ready = await harness.recipient();
    const { webhooks, attempts } = harness.engine();
    const { id } = await webhooks.create({ url: busy.url });
    await webhooks.start();
    await webhooks.dispatch('order.created', {});
    await expect.poll(() => attempts.length).toBe(1);
    await webhooks.dispatch('order.created', {});
    await webhooks.update(id, { url: ready.url });
    await webhooks.dispatch('order.created', {});
    await ready.receivedCount(2);
    expect([busy.received.length, (await webhooks.get(id)).busyUntil]).toEqual([1, null]);
  });

  it('is left in peace by another process, too', async () => {
    const busy = await harness.recipient(refusingOnce(0, '3600'));
    const { webhooks, attempts } = harness.engine();
    await webhooks.create({ url: busy.url });
    await webhooks.start();
    await webhooks.dispatch('order.created', {});
    await expect.poll(() => attempts.length).toBe(1);
    const another = harness.engine();
    await another.webhooks.start();
    await another.webhooks.dispatch('order.created', {});
    await another.webhooks.drain();
    expect(busy.received).toHaveLength(1);
  });
});

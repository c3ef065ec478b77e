import { describe, expect, it } from 'vitest';
import type { ReportedFailing } from '../../src/hooks/webhook-hooks.ts';
import { createTestClock } from '../../src/testing/test-clock.ts';
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

describe.each(STORAGES)('a recipient that stays busy, on $name', ({ open }) => {
  const harness = useEngineHarness(open);
  const MINUTE_MS = 60_000;
  const HOUR_MS = 60 * MINUTE_MS;

  /** A recipient that asks to wait for as long as it says, and two engines with one clock. */
  async function started(retryAfter?: string, options: Parameters<typeof harness.engine>[0] = {}) {
    const clock = createTestClock();
    const state = { isBusy: true };
    const recipient = await harness.recipient((_, response) => {
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      if (state.isBusy) response.writeHead(429, headers).end();
      else response.writeHead(204).end();
    });
    const told: ReportedFailing[] = [];
    const engine = () =>
      harness.engine({
        ...{ clock, sweepIntervalMs: 100, recoverAfterOutage: true, ...options },
        onWebhookFailing: (webhook) => void told.push(webhook),
      });
    const engines = [engine(), engine()];
    for (const { webhooks } of engines) await webhooks.start();
    const [first = engine(), second = first] = engines;
    const { id } = await first.webhooks.create({ url: recipient.url });
    const look = async (ms = 0) => {
      clock.advance(ms);
      for (const { webhooks } of [first, second]) await webhooks.drain();
      return await first.webhooks.get(id);
    };
    return { clock, state, recipient, told, first, second, id, look };
  }

  it('is degraded after ten minutes and down after an hour, which is told, and well once it accepts', async () => {
    const { state, recipient, told, first, id, look } = await started();
    for (let n = 0; n < 5; n++) await first.webhooks.dispatch('order.created', {});
    const { health } = await look();
    expect(health).toMatchObject({ level: 'healthy', downSince: null, busySince: expect.any(String) });
    expect((await look(9 * MINUTE_MS)).health.level).toBe('healthy');
    expect((await look(2 * MINUTE_MS)).health).toMatchObject({
      level: 'degraded',
      busySince: health.busySince,
    });
    expect((await look(HOUR_MS)).health).toMatchObject({ level: 'down', downSince: health.busySince });
    await expect.poll(() => told.map((one) => one.state)).toEqual(['down']);
    const busy = {
      webhookId: id,
      since: health.busySince,
      busySince: health.busySince,
      failures: 0,
      waiting: 5,
    };
    expect(told[0]).toMatchObject(busy);
    expect(await first.webhooks.listFailing()).toMatchObject([busy]);
    expect((await first.webhooks.list({ health: 'down' })).webhooks).toMatchObject([{ id }]);
    expect((await first.webhooks.list({ health: 'healthy' })).webhooks).toEqual([]);
    expect((await first.webhooks.overview()).problems).toMatchObject([
      { webhookId: id, level: 'down', error: 'deferred' },
    ]);
    // Two of each process at first, then one after each pause.
    expect(recipient.received.length).toBeLessThanOrEqual(4 + 3);
    state.isBusy = false;
    await look(HOUR_MS);
    await expect.poll(async () => (await look()).stats).toMatchObject({ success: 5, pending: 0 });
    expect((await look()).health).toMatchObject({ level: 'healthy', busySince: null });
    await expect.poll(() => told.map((one) => one.state)).toEqual(['down', 'well']);
  });

  it('is not down where it asked once, however long', async () => {
    const { first, look } = await started('3600');
    await first.webhooks.dispatch('order.created', {});
    await look();
    expect((await look(59 * MINUTE_MS)).health).toMatchObject({ level: 'degraded', downSince: null });
  });

  it('gets thirty requests in a day at most, and what waited for a day has failed, and is sent again', async () => {
    const { state, recipient, first, id, look } = await started('1');
    for (let n = 0; n < 5; n++) await first.webhooks.dispatch('order.created', {});
    await look();
    let before = 0;
    for (let minute = 0; minute <= 24 * 60 + 30; minute += 5) {
      if (minute === 120) before = recipient.received.length;
      if (minute === 600) await first.webhooks.dispatch('order.updated', {});
      await look(5 * MINUTE_MS);
    }
    expect(before).toBeLessThanOrEqual(20);
    expect(recipient.received.length - before).toBeLessThanOrEqual(30);
    const { stats } = await look();
    expect(stats).toMatchObject({ failed: 5, pending: 1 });
    expect(first.failed.concat().map(({ error }) => error)).toEqual(
      expect.arrayContaining(first.failed.map(() => 'busy')),
    );
    const [last] = (await first.webhooks.deliveries(id, { status: 'failed' })).deliveries;
    expect(last).toMatchObject({ error: 'busy', attempts: 0 });
    state.isBusy = false;
    await look(2 * HOUR_MS);
    await expect.poll(async () => (await look(MINUTE_MS)).stats).toMatchObject({ success: 6, failed: 0 });
  });

  it('loses nothing of a backlog from a time without workers, however long ago it asked', async () => {
    const { state, clock, first, second, id, look } = await started('3600');
    await first.webhooks.dispatch('order.created', {});
    await look();
    await first.webhooks.close();
    await second.webhooks.close();
    state.isBusy = false;
    clock.advance(62 * HOUR_MS);
    const later = harness.engine({ clock, sweepIntervalMs: 100 });
    for (let n = 0; n < 5; n++) await later.webhooks.dispatch('order.created', {});
    clock.advance(25 * HOUR_MS);
    await later.webhooks.start();
    await expect
      .poll(async () => (await later.webhooks.get(id)).stats)
      .toMatchObject({ success: 6, failed: 0, pending: 0 });
    expect(later.failed).toEqual([]);
  });

  it('counts no test as a failure, and heals itself where it accepts soon after a day', async () => {
    const { state, first, id, look } = await started('1');
    for (let n = 0; n < 4; n++) await first.webhooks.dispatch('order.created', {});
    await first.webhooks.test(id);
    await look();
    for (let hour = 0; hour < 24; hour++) await look(HOUR_MS);
    await look(2 * MINUTE_MS);
    await look(10 * MINUTE_MS);
    expect((await look()).stats).toMatchObject({ failed: 4, pending: 1 });
    expect(await first.webhooks.listFailing()).toMatchObject([{ failures: 4 }]);
    state.isBusy = false;
    await look(2 * HOUR_MS);
    await expect.poll(async () => (await look(MINUTE_MS)).stats).toMatchObject({ success: 5, failed: 0 });
  });

  it('deactivates its webhook after as long as one that fails', async () => {
    const { first, second, look } = await started('3600', { disableAfterFailingMs: 48 * HOUR_MS });
    for (let hour = 0; hour < 50; hour++) {
      await first.webhooks.dispatch('order.created', {});
      await look(HOUR_MS);
    }
    expect((await look()).disablesAt).toBeNull();
    expect([...first.disabled, ...second.disabled]).toMatchObject([{ reason: 'failing' }]);
  });

  it('loses four attempts like any other, where that is asked for', async () => {
    const { first, look } = await started('3600', { retry: { maxAttempts: 1, deferBusy: false } });
    await first.webhooks.dispatch('order.created', {});
    expect((await look()).stats).toMatchObject({ failed: 1, pending: 0 });
    expect(first.failed).toMatchObject([{ error: 'http_429', attempts: 1 }]);
  });
});

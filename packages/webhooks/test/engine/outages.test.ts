import { describe, expect, it } from 'vitest';
import type { ReportedFailing } from '../../src/hooks/webhook-hooks.ts';
import { generateDispatchId } from '../../src/storage/delivery-ids.ts';
import type { KeptRun } from '../../src/storage/failure-steps.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { createTestClock } from '../../src/testing/test-clock.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { useEngineHarness } from './engine-harness.ts';
import { ALL_STORAGES, STORAGES } from './storages.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe.each(STORAGES)('outages on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  /** A recipient that can be away, and engines over one storage with one clock. */
  async function started(options: Parameters<typeof harness.engine>[0] = {}) {
    const clock = createTestClock();
    const state = { isUp: true };
    const target = await harness.recipient(({ body }, response) => {
      const isPoison = body.includes('"n":-1');
      // Later than the success before it, and well within its lease.
      if (isPoison) clock.advance(1_000);
      response.writeHead(state.isUp && !isPoison ? 204 : 500).end();
    });
    const engine = (storage: WebhookStorage<never> = harness.storage) => {
      const shared = { clock, retry: { maxAttempts: 1 }, maxConcurrentPerWebhook: 1, ...options };
      return harness.engine({ recoverAfterOutage: true, sweepIntervalMs: 100, ...shared }, storage);
    };
    const { webhooks, errors } = engine();
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    const send = async (...numbers: number[]) => {
      for (const n of numbers) {
        await webhooks.dispatch('user.created', { n });
        await webhooks.drain();
        clock.advance(4 * MINUTE_MS);
      }
    };
    let seen = 0;
    /** The numbers received since the last call. */
    const received = () => {
      const all = target.received.slice(seen);
      seen += all.length;
      return all.map(({ body }) => (JSON.parse(body) as { data: { n: number } }).data.n);
    };
    return { clock, state, engine, webhooks, errors, id, send, received };
  }

  it('send again what failed, oldest first, once a delivery succeeds, and nothing twice', async () => {
    const { state, webhooks, id, send, received, errors } = await started();
    state.isUp = false;
    await send(1, 2, 3, 4);
    expect(received()).toEqual([1, 2, 3, 4]);
    expect((await webhooks.get(id)).health).toMatchObject({ level: 'down', isRecovering: false });
    state.isUp = true;
    await send(5);
    await webhooks.drain();
    expect(received()).toEqual([5, 1, 2, 3, 4]);
    expect((await webhooks.get(id)).stats).toMatchObject({ failed: 0, success: 5 });
    await send(6);
    expect([received(), errors]).toEqual([[6], []]);
  });

  it('are no outages with less than three failures, within ten minutes, or with poison alone', async () => {
    const { state, webhooks, clock, id, send, received } = await started();
    await send(0, -1, 1, -1, 2, -1, 3);
    state.isUp = false;
    await send(4, 5);
    state.isUp = true;
    clock.advance(HOUR_MS);
    await send(6);
    state.isUp = false;
    for (const n of [7, 8, 9]) await webhooks.dispatch('user.created', { n });
    await webhooks.drain();
    state.isUp = true;
    await send(10, 11);
    clock.advance(HOUR_MS);
    await webhooks.drain();
    expect(received()).toEqual([0, -1, 1, -1, 2, -1, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect((await webhooks.get(id)).stats.failed).toBe(8);
  });

  it('are recovered by a process that saw no failure, however close together they were', async () => {
    const { state, engine, webhooks, clock, received } = await started();
    state.isUp = false;
    for (const n of [1, 2, 3]) await webhooks.dispatch('user.created', { n });
    await webhooks.drain();
    await webhooks.close();
    received();
    clock.advance(11 * MINUTE_MS);
    state.isUp = true;
    const other = engine();
    await other.webhooks.start();
    await other.webhooks.dispatch('user.created', { n: 4 });
    await other.webhooks.drain();
    expect(received()).toEqual([4, 1, 2, 3]);
  });

  it('send again what failed before the success, and was recorded after that was sent again', async () => {
    const { state, engine, webhooks, clock, id, send } = await started();
    const { storage } = harness;
    state.isUp = false;
    await send(1, 2, 3);
    await webhooks.close();
    const now = clock();
    const event = { event: 'user.created', payload: '{}', id: generateDispatchId() };
    const createdAt = new Date(now).toISOString();
    await storage.recordDispatches([{ ...event, createdAt, target: { webhookId: id } }]);
    const limits = { limit: 1, leaseMs: HOUR_MS, maxAttempts: 1, claimToken: 'slow' };
    const choose = () => new Map([[id, 1]]);
    const [claim] = await storage.claimDueDeliveries({ now, ...limits, isFromStart: true, choose });
    const failed = { id: claim?.id ?? 0, claimToken: 'slow', status: 'failed', error: 'timeout' } as const;
    const answer = { statusCode: 0, responseBody: '', attemptLog: [], activation: 0, retryInMs: 0 };
    clock.advance(1);
    state.isUp = true;
    const other = engine();
    await other.webhooks.start();
    await other.webhooks.dispatch('user.created', { n: 5 });
    await expect.poll(async () => (await other.webhooks.get(id)).stats.success).toBe(4);
    await other.webhooks.drain();
    expect(await storage.recordAttempts([{ ...failed, ...answer, now }], RESULT_RULES)).toEqual(['recorded']);
    await expect.poll(async () => (await other.webhooks.get(id)).stats.success).toBe(5);
  });

  it('are not made by what fails again after it was sent again', async () => {
    const { state, webhooks, clock, id, send, received } = await started();
    state.isUp = false;
    await send(1, -1, -1, -1);
    state.isUp = true;
    received();
    await send(2);
    await webhooks.drain();
    expect(received()).toEqual([2, 1, -1, -1, -1]);
    clock.advance(3 * HOUR_MS);
    expect((await webhooks.get(id)).health.level).not.toBe('down');
    await send(3);
    await webhooks.drain();
    expect(received()).toEqual([3]);
  });

  it('reopen nothing that could not be sent, nor anything after a new activation', async () => {
    const { state, webhooks, id, send, received } = await started();
    state.isUp = false;
    await send(1, 2, 3, 4);
    await webhooks.update(id, { isActive: false });
    await webhooks.update(id, { isActive: true });
    state.isUp = true;
    received();
    await send(5);
    await webhooks.drain();
    expect(received()).toEqual([5]);
  });

  it('are probed after 1, 3, 9 and 24 hours, one delivery after the other, and recover without a new event', async () => {
    const { state, webhooks, clock, send, received } = await started();
    state.isUp = false;
    await send(1, 2, 3);
    received();
    const until = async (hours: number, n: number) => {
      clock.advance(hours * HOUR_MS);
      await expect.poll(received).toEqual([n]);
      await webhooks.drain();
    };
    await until(1, 1);
    await until(2, 2);
    await until(6, 3);
    await until(15, 1);
    // A process that slept makes one probe, however many it has missed.
    clock.advance(20 * DAY_MS);
    state.isUp = true;
    await expect.poll(async () => (await webhooks.list()).webhooks[0]?.health.lastFailureAt).toBeDefined();
  });

  it('recover by a probe that succeeds', async () => {
    const { state, webhooks, clock, send, received, id } = await started();
    state.isUp = false;
    await send(1, 2, 3);
    received();
    state.isUp = true;
    clock.advance(HOUR_MS);
    await expect.poll(async () => (await webhooks.get(id)).stats.success).toBe(3);
    expect(received()).toEqual([1, 2, 3]);
  });

  it('go on with a recovery whose process died, once its lease has ended', async () => {
    const { state, engine, webhooks, clock, id, send, received, errors } = await started();
    state.isUp = false;
    await send(1, 2, 3, 4);
    await webhooks.close();
    received();
    state.isUp = true;
    let failures = 0;
    const dying = engine({
      ...harness.storage,
      reopenDeliveries: () => {
        failures += 1;
        return Promise.reject(new Error('killed'));
      },
    });
    await dying.webhooks.start();
    await dying.webhooks.dispatch('user.created', { n: 5 });
    await dying.webhooks.drain();
    await expect.poll(() => failures).toBe(1);
    await dying.webhooks.close();
    expect(received()).toEqual([5]);
    const other = engine();
    await other.webhooks.start();
    expect((await other.webhooks.get(id)).health.isRecovering).toBe(true);
    clock.advance(2 * MINUTE_MS);
    await expect.poll(async () => (await other.webhooks.get(id)).stats.success).toBe(5);
    expect(received()).toEqual([1, 2, 3, 4]);
    expect(errors).toEqual([]);
    clock.advance(2 * MINUTE_MS);
    await expect.poll(async () => (await other.webhooks.get(id)).health.isRecovering).toBe(false);
    await expect.poll(async () => (await other.webhooks.health()).recovering).toBe(0);
  });

  it('reopen each delivery once where two processes record the first successes at once', async () => {
    const { state, engine, webhooks, id, send, received } = await started({ maxConcurrentPerWebhook: 10 });
    state.isUp = false;
    await send(1, 2, 3, 4);
    received();
    state.isUp = true;
    const other = engine();
    await other.webhooks.start();
    await Promise.all([5, 6, 7, 8].map((n) => webhooks.dispatch('user.created', { n })));
    await Promise.all([webhooks.drain(), other.webhooks.drain()]);
    await expect.poll(async () => (await webhooks.get(id)).stats.success).toBe(8);
    expect(received().sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('are told of once each: down, half of the time to the deactivation, and well', async () => {
    const clock = createTestClock();
    const state = { isUp: false };
    const target = await harness.recipient((_, response) => response.writeHead(state.isUp ? 204 : 500).end());
    const told: ReportedFailing[] = [];
    const errors: unknown[] = [];
    const webhooks = createWebhooks({
      storage: harness.storage,
      egress: { allowedAddresses: ['127.0.0.1/32'] },
      retry: { maxAttempts: 1 },
      clock,
      disableAfterFailingMs: 4 * DAY_MS,
      onWebhookFailing: (webhook) => told.push(webhook),
      onError: (error) => errors.push(error),
    });
    await webhooks.start();
    const { id, url } = await webhooks.create({ url: target.url, createdByUid: 'ada' });
    const send = async () => {
      await webhooks.dispatch('user.created', {});
      await webhooks.drain();
    };
    await send();
    await send();
    expect([told, await webhooks.listFailing()]).toEqual([[], []]);
    await send();
    await send();
    expect(errors).toEqual([]);
    const since = new Date(clock()).toISOString();
    const disablesAt = new Date(clock() + 4 * DAY_MS).toISOString();
    const owner = { webhookId: id, url, description: '', name: '', createdByUid: 'ada' };
    const failing = { ...owner, since, busySince: null, lastError: 'http_500', waiting: 0, disablesAt };
    expect(told).toEqual([{ ...failing, failures: 3, state: 'down' }]);
    expect(await webhooks.listFailing()).toEqual([{ ...failing, failures: 4 }]);
    clock.advance(2 * DAY_MS);
    await send();
    await send();
    state.isUp = true;
    await send();
    await send();
    expect(told.slice(1)).toMatchObject([
      { state: 'still_down', disablesAt },
      { state: 'well', disablesAt: null },
    ]);
    expect(await webhooks.listFailing()).toEqual([]);
    await webhooks.close();
  });
});

describe.each(STORAGES)('the outage of a webhook with few events, on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it.each([
    [36, ['down', 'still_down', 'disabled']],
    [100, ['down', 'disabled']],
  ])('is told of first as down, with one event in %i hours', async (hours, expected) => {
    const clock = createTestClock();
    const target = await harness.recipient((_, response) => response.writeHead(500).end());
    const told: string[] = [];
    const webhooks = createWebhooks({
      storage: harness.storage,
      egress: { allowedAddresses: ['127.0.0.1/32'] },
      retry: { maxAttempts: 1 },
      clock,
      disableAfterFailingMs: 5 * DAY_MS,
      onWebhookFailing: ({ state, failures }) => told.push(failures < 3 ? `${failures}` : state),
      onWebhookDisabled: ({ reason }) => told.push(reason === 'failing' ? 'disabled' : reason),
    });
    await webhooks.create({ url: target.url });
    await webhooks.start();
    for (let events = 0; events < 5; events += 1) {
      await webhooks.dispatch('user.created', {});
      // Every wait of a drain looks at what fails.
      for (let looks = 0; looks < 3; looks += 1) await webhooks.drain();
      clock.advance(hours * HOUR_MS);
    }
    expect(told).toEqual(expected);
    await webhooks.close();
  });
});

describe.each(ALL_STORAGES)('outages in real time on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it.each([1, 2])('send each delivery again once, from %i processes', async (processes) => {
    const state = { isUp: true };
    const target = await harness.recipient((_, response) => response.writeHead(state.isUp ? 204 : 500).end());
    const options = {
      recoverAfterOutage: true,
      sweepIntervalMs: 100,
      retry: { maxAttempts: 1 },
      maxConcurrentPerWebhook: 1,
    };
    const { webhooks } = harness.engine(options);
    const other = processes === 1 ? webhooks : harness.engine(options).webhooks;
    for (const started of new Set([webhooks, other])) await started.start();
    const { id } = await webhooks.create({ url: target.url });
    const send = async (n: number) => {
      const count = target.received.length + 1;
      await webhooks.dispatch('user.created', { n });
      await target.receivedCount(count);
      await Promise.all([webhooks.drain(), other.drain()]);
    };
    const stats = async () => (await webhooks.get(id)).stats;
    state.isUp = false;
    // The first of all: the ageing would put them before an earlier success.
    for (const n of [1, 2, 3, 4]) await send(n);
    // As if it had lasted eleven minutes, of which the database's clock knows.
    const older = (at: string) => new Date(Date.parse(at) - 11 * MINUTE_MS).toISOString();
    const step = ({ run }: KeptRun) => ({ ...run, since: older(run.since), secondAt: older(run.secondAt) });
    // A pass of an engine may hold the run.
    await expect
      .poll(() => harness.storage.stepFailures({ now: Date.now(), limit: 1, step }))
      .toHaveLength(1);
    state.isUp = true;
    const before = target.received.length;
    await Promise.all([
      webhooks.dispatch('user.created', { n: 5 }),
      other.dispatch('user.created', { n: 6 }),
    ]);
    await expect.poll(async () => (await stats()).success, { timeout: 60_000 }).toBe(6);
    const numbers = target.received.slice(before).map(({ body }) => JSON.parse(body).data.n);
    expect([...numbers].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    // Two processes at once give no order.
    if (processes === 1) expect(numbers.filter((n) => n < 5)).toEqual([1, 2, 3, 4]);
  });
});

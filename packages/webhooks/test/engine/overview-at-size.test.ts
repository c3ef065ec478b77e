import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { changing } from '../../src/storage/changed-state.ts';
import type { DeliverySearch } from '../../src/storage/delivery-search.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { createTestClock } from '../../src/testing/test-clock.ts';
import { NEW_WEBHOOK } from '../kysely/example-rows.ts';
import { createTestEngine } from './engine.ts';
import { useEngineHarness } from './engine-harness.ts';
import { serveRecipient } from './recipient.ts';
import { ALL_STORAGES, STORAGES } from './storages.ts';

const URL_OK = 'http://127.0.0.1:9999/hook';
const HOUR_MS = 3_600_000;
/** A second and last attempt after an hour. */
const TWICE = { retry: { maxAttempts: 2, delaysMs: [HOUR_MS] } };
const ONCE = { retry: { maxAttempts: 1 } };

describe.each(STORAGES)('the overview of a backlog on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  /** A webhook for which so many failed, so many wait for a retry, and 150 were not tried. */
  async function backlog({ failed, waiting }: { readonly failed: number; readonly waiting: number }) {
    const clock = createTestClock();
    const { webhooks } = harness.engine({ ...TWICE, clock });
    await webhooks.start();
    const bad = await harness.recipient((_, response) => response.writeHead(500).end());
    const { id } = await webhooks.create({ url: bad.url });
    for (let n = 0; n < failed; n += 1) await webhooks.dispatch('user.created', { n });
    await webhooks.drain();
    // A retry may come later than after the delay.
    clock.advance(2 * HOUR_MS);
    await webhooks.drain();
    for (let n = 0; n < waiting; n += 1) await webhooks.dispatch('user.created', { n });
    await webhooks.drain();
    await webhooks.close();
    const later = harness.engine({ ...TWICE, clock }).webhooks;
    clock.advance(1_000);
    for (let n = 0; n < 150; n += 1) await later.dispatch('user.created', { n });
    return { webhooks: later, id };
  }

  it('counts what waits for a retry behind newer deliveries that were not tried yet', async () => {
    const { webhooks, id } = await backlog({ failed: 3, waiting: 5 });
    const { problems, waiting } = await webhooks.overview();
    expect(waiting.count).toBe(155);
    expect(problems).toMatchObject([
      { webhookId: id, level: 'down', error: 'http_500', failed: 3, waiting: 5 },
    ]);
  });

  it('names what waits for a retry, also where nothing has ended as failed', async () => {
    const { webhooks, id } = await backlog({ failed: 0, waiting: 5 });
    const problems = [{ webhookId: id, error: 'http_500', failed: 0, waiting: 5, isWhole: true }];
    expect(await webhooks.overview()).toMatchObject({ problems, hasMoreProblems: false });
  });

  it('names a cause beside that of an ended failure', async () => {
    const clock = createTestClock();
    const { webhooks } = harness.engine({ ...TWICE, clock });
    await webhooks.start();
    const answer = { status: 500 };
    const bad = await harness.recipient((_, response) => response.writeHead(answer.status).end());
    const { id } = await webhooks.create({ url: bad.url });
    await webhooks.dispatch('user.created', { n: 0 });
    await webhooks.drain();
    clock.advance(2 * HOUR_MS);
    await webhooks.drain();
    answer.status = 401;
    for (let n = 1; n <= 5; n += 1) await webhooks.dispatch('user.created', { n });
    await webhooks.drain();
    const { problems } = await webhooks.overview();
    expect(
      problems.map(({ webhookId, error, failed, waiting }) => [webhookId, error, failed, waiting]),
    ).toEqual([
      [id, 'http_401', 0, 5],
      [id, 'http_500', 1, 0],
    ]);
  });

  it('sees no problem in what limits by the minute hold back, however many they are', async () => {
    const clock = createTestClock();
    const { webhooks } = harness.engine({ clock });
    for (let n = 0; n < 25; n += 1) await webhooks.create({ url: URL_OK, maxPerMinute: 1 });
    await webhooks.dispatch('user.created', {});
    await webhooks.create({ url: URL_OK, maxPerMinute: 1, events: ['large.*'] });
    for (let n = 0; n < 150; n += 1) await webhooks.dispatch('large.backlog', { n });
    clock.advance(10 * 60_000);
    expect(await webhooks.overview()).toMatchObject({ problems: [], hasMoreProblems: false });
  });

  it('names what has been due for minutes and was not tried, however much there is', async () => {
    const clock = createTestClock();
    const { webhooks } = harness.engine({ clock });
    const { id } = await webhooks.create({ url: URL_OK });
    await webhooks.create({ url: URL_OK, events: ['none.*'] });
    const since = new Date(clock()).toISOString();
    for (let n = 0; n < 150; n += 1) await webhooks.dispatch('user.created', { n });
    expect((await webhooks.overview()).problems).toEqual([]);
    clock.advance(10 * 60_000);
    expect((await webhooks.overview()).problems).toMatchObject([
      { webhookId: id, level: 'healthy', error: '', failed: 0, waiting: 150, since, isWhole: true },
    ]);
  });

  it('tells each delivery once where some are late, and some of them have an error', async () => {
    const clock = createTestClock();
    const { webhooks } = harness.engine({ ...TWICE, clock });
    await webhooks.start();
    const bad = await harness.recipient((_, response) => response.writeHead(500).end());
    const { id } = await webhooks.create({ url: bad.url });
    await webhooks.dispatch('user.created', { n: 0 });
    await webhooks.drain();
    await webhooks.close();
    const later = harness.engine({ ...TWICE, clock }).webhooks;
    clock.advance(2 * HOUR_MS);
    const tried = { webhookId: id, error: 'http_500', waiting: 1 };
    expect((await later.overview()).problems).toMatchObject([tried]);
    await later.dispatch('user.created', { n: 1 });
    await later.dispatch('user.created', { n: 2 });
    const late = { webhookId: id, error: '', waiting: 2 };
    expect((await later.overview()).problems).toMatchObject([late, tried]);
  });

  it('calls nothing late that the recipient or a limit holds back', async () => {
    const clock = createTestClock();
    const { webhooks } = harness.engine({ clock });
    await webhooks.start();
    const busy = await harness.recipient((_, response) =>
      response.writeHead(429, { 'retry-after': '3600' }).end(),
    );
    const paused = await webhooks.create({ url: busy.url, events: ['busy.*'] });
    const slow = await harness.recipient();
    const limited = await webhooks.create({ url: slow.url, events: ['slow.*'], maxPerMinute: 1 });
    for (const [event, { received }] of [
      ['busy.a', busy],
      ['slow.a', slow],
    ] as const) {
      for (let n = 0; n < 10; n += 1) await webhooks.dispatch(event, { n });
      await expect.poll(() => received.length).toBeGreaterThan(0);
    }
    await webhooks.close();
    clock.advance(10 * 60_000);
    const { webhooks: later } = harness.engine({ clock });
    for (const { id } of [paused, limited]) expect((await later.get(id)).stats.pending).toBeGreaterThan(0);
    const { problems } = await later.overview();
    expect(problems.filter(({ error }) => error === '')).toEqual([]);
  });

  it('names one that is gone however many others are tried again', async () => {
    const { webhooks } = harness.engine({ ...TWICE, clock: createTestClock(), disableOnGone: true });
    await webhooks.start();
    const gone = await harness.recipient((_, response) => response.writeHead(410).end());
    const { id } = await webhooks.create({ url: gone.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    const bad = await harness.recipient((_, response) => response.writeHead(500).end());
    for (let n = 0; n < 101; n += 1) await webhooks.create({ url: bad.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    const { problems, hasMoreProblems } = await webhooks.overview();
    expect(problems[0]).toMatchObject({ webhookId: id, isActive: false });
    expect(hasMoreProblems).toBe(true);
  });

  it('tells the times of attempts behind newer deliveries that were not tried yet', async () => {
    const { webhooks, id } = await backlog({ failed: 3, waiting: 0 });
    await webhooks.create({ url: URL_OK });
    for (let n = 0; n < 60; n += 1) await webhooks.dispatch('user.created', { n });
    expect((await webhooks.overview()).answers.attempts).toBe(6);
    expect((await webhooks.activity(id)).answers.attempts).toBe(6);
  });
});

describe.each(STORAGES)('the overview of an outage on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it('names the cause where no delivery of it is retained', async () => {
    const clock = createTestClock();
    const { webhooks } = harness.engine({ ...ONCE, clock });
    await webhooks.start();
    const bad = await harness.recipient((_, response) => response.writeHead(500).end());
    const { id } = await webhooks.create({ url: bad.url });
    for (let n = 0; n < 3; n += 1) await webhooks.dispatch('user.created', { n });
    await webhooks.drain();
    const { downSince } = (await webhooks.get(id)).health;
    const end = { createdBefore: new Date(clock() + 1).toISOString(), now: clock(), limit: 100 };
    await harness.storage.purgeDeliveries(end);
    expect((await webhooks.overview()).problems).toMatchObject([
      { webhookId: id, level: 'down', error: 'http_500', since: downSince, failed: 0, deliveryId: null },
    ]);
  });

  it('begins before the oldest failure, however many there are', async () => {
    const clock = createTestClock();
    const { webhooks } = harness.engine({ ...ONCE, clock });
    const bad = await harness.recipient((_, response) => response.writeHead(500).end());
    const { id } = await webhooks.create({ url: bad.url });
    for (let n = 0; n < 120; n += 1) {
      await webhooks.dispatch('user.created', { n });
      clock.advance(1_000);
    }
    await webhooks.start();
    await webhooks.drain();
    const { problems } = await webhooks.overview();
    expect(problems).toMatchObject([{ failed: 100, isWhole: false }]);
    const { since = '' } = problems[0] ?? {};
    expect((await webhooks.recover({ webhookId: id, since, dryRun: true })).deliveries).toBe(120);
  });
});

describe.each(ALL_STORAGES.filter(({ name }) => name !== 'memory'))(
  'the statements of an overview on $name',
  ({ open }) => {
    it('are as many with 101 webhooks as with one, and at most 20 where nothing is wrong', async () => {
      let statements = 0;
      const { storage, close } = await open(() => {
        statements += 1;
      });
      onTestFinished(close);
      const count = async () => {
        const { webhooks } = createTestEngine(storage);
        await webhooks.overview();
        const before = statements;
        await createTestEngine(storage).webhooks.overview();
        return statements - before;
      };
      await storage.createWebhook(NEW_WEBHOOK);
      const one = await count();
      for (let n = 0; n < 100; n += 1) await storage.createWebhook(NEW_WEBHOOK);
      expect(await count()).toBe(one);
      expect(one).toBeLessThanOrEqual(20);
    });
  },
);

describe('the overview of a slow storage', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  });

  /** The storage, where each of these reads takes 300 ms; and what was asked for. */
  function slow(storage: WebhookStorage<never>) {
    const searches: DeliverySearch[] = [];
    const slowed: WebhookStorage<never> = {
      ...storage,
      async findDeliveries(search) {
        searches.push(search);
        vi.advanceTimersByTime(300);
        return storage.findDeliveries(search);
      },
    };
    return { storage: slowed, searches };
  }

  it('shows no problem that was repaired', async () => {
    const clock = createTestClock();
    const { storage } = slow(memoryStorage());
    const { webhooks } = createTestEngine(storage, { clock, disableAfterFailingMs: 0 });
    const { id } = await webhooks.create({ url: URL_OK });
    const { updatedAt } = await webhooks.get(id);
    await storage.changeWebhook(id, changing({ isActive: false, inactiveReason: 'gone', updatedAt }));
    expect((await webhooks.overview()).problems).toMatchObject([{ webhookId: id, isActive: false }]);
    await webhooks.update(id, { isActive: true });
    expect((await webhooks.overview()).problems).toEqual([]);
  });

  it('is read once for the requests of one tenant', async () => {
    const { storage, searches } = slow(memoryStorage());
    const { webhooks } = createTestEngine(storage);
    const { id } = await storage.createWebhook({ ...NEW_WEBHOOK, tenant: 'acme' });
    await Promise.all([webhooks.forTenant('acme').overview(), webhooks.forTenant('acme').overview()]);
    await webhooks.forTenant('acme').overview();
    // Of either outcome, and of the day before.
    expect(searches.map(({ webhookId }) => webhookId)).toEqual([id, id, id, id]);
    vi.advanceTimersByTime(20_000);
    await webhooks.forTenant('acme').overview();
    expect(searches.slice(4).map(({ createdBefore }) => createdBefore)).toEqual([undefined, undefined]);
    await webhooks.forTenant('globex').overview();
    expect(searches).toHaveLength(6);
  });

  it('reads the times of a webhook once for its activity', async () => {
    const { storage, searches } = slow(memoryStorage());
    const { webhooks } = createTestEngine(storage);
    const { id } = await webhooks.create({ url: URL_OK });
    await webhooks.activity(id);
    const read = searches.length;
    await webhooks.activity(id, { interval: 'hour' });
    expect([read, searches.length]).toEqual([2, 2]);
  });
});

describe('what an overview reads', () => {
  it('is the attempts of 200 deliveries, whichever of 100 webhooks they are of', async () => {
    const storage = memoryStorage();
    const limits: number[] = [];
    const { webhooks } = createTestEngine(
      {
        ...storage,
        async findDeliveries(search) {
          if (search.withContent === 'attempts') limits.push(search.limit);
          return storage.findDeliveries(search);
        },
      },
      { maxWebhooksPerTenant: 100 },
    );
    const acme = webhooks.forTenant('acme');
    const { id: webhookId } = await storage.createWebhook({ ...NEW_WEBHOOK, tenant: 'acme' });
    for (let n = 1; n < 100; n += 1) await storage.createWebhook({ ...NEW_WEBHOOK, tenant: 'acme' });
    const now = Date.now();
    const createdAt = new Date(now).toISOString();
    const dispatch = { event: 'order.paid', payload: '{}', createdAt, target: { webhookId } };
    await storage.recordDispatches(Array.from({ length: 120 }, () => dispatch));
    const claim = { now, limit: 120, leaseMs: HOUR_MS, maxAttempts: 1, claimToken: 't', isFromStart: true };
    const claims = await storage.claimDueDeliveries({ ...claim, choose: () => new Map([[webhookId, 120]]) });
    const ended = { statusCode: 204, error: '', responseBody: '' };
    await storage.recordAttempts(
      claims.map(({ id, claimToken, attempt, webhook: { activation } }) => ({
        ...{ id, claimToken, activation, ...ended, status: 'success', now, retryInMs: 0 },
        attemptLog: [{ attempt, startedAt: createdAt, durationMs: 35, ...ended }],
      })),
      RESULT_RULES,
    );
    expect((await acme.overview()).answers.attempts).toBe(100);
    expect(limits).toEqual([100]);
  });

  it('is what is wrong once more, however many ask while it is read', async () => {
    const storage = memoryStorage();
    let lists = 0;
    const { webhooks } = createTestEngine({
      ...storage,
      async listWebhooks(query) {
        if (query.unwell !== undefined) lists += 1;
        return storage.listWebhooks(query);
      },
    });
    await webhooks.overview();
    const ofOne = lists;
    await Promise.all(Array.from({ length: 10 }, () => webhooks.overview()));
    expect(lists).toBe(3 * ofOne);
  });

  it('includes a webhook that is down and older than the 5,000 newest', async () => {
    const clock = createTestClock();
    const storage = memoryStorage();
    const { webhooks } = createTestEngine(storage, { ...ONCE, clock });
    const bad = await serveRecipient((_, response) => response.writeHead(500).end());
    const { id } = await webhooks.create({ url: bad.url });
    await webhooks.start();
    for (let n = 0; n < 3; n += 1) await webhooks.dispatch('user.created', { n });
    await webhooks.drain();
    await webhooks.close();
    for (let n = 0; n < 5_000; n += 1) await storage.createWebhook(NEW_WEBHOOK);
    const { delivered, problems } = await webhooks.overview();
    expect(delivered.failed).toBe(3);
    expect(problems).toMatchObject([{ webhookId: id, level: 'down', failed: 3 }]);
  });

  it('counts what waits up to 100,001', async () => {
    const storage = memoryStorage();
    const { webhooks } = createTestEngine({
      ...storage,
      // A storage may count further than it has to.
      async readOverview(query) {
        const records = await storage.readOverview(query);
        return records.map(({ waiting, ...record }) => ({
          ...record,
          ...(waiting && { waiting: { ...waiting, count: 120_000 } }),
        }));
      },
    });
    await storage.createWebhook({ ...NEW_WEBHOOK, tenant: 'acme' });
    expect((await webhooks.forTenant('acme').overview()).waiting.count).toBe(100_001);
  });
});

import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../src/testing/test-clock.ts';
import { useEngineHarness } from './engine-harness.ts';
import { ALL_STORAGES, STORAGES } from './storages.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A second attempt after an hour: what fails waits. */
const WAITING = { retry: { delaysMs: [HOUR_MS] } };
/** On a busy machine, an overview is slow to read, and kept for seconds. */
const KEPT = { timeout: 60_000 };
const ONCE = { retry: { maxAttempts: 1 } };

describe.each(ALL_STORAGES)('the overview on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it('of nothing says that nothing is wrong', async () => {
    const { webhooks } = harness.engine();
    expect(await webhooks.overview()).toEqual({
      delivered: { success: 0, failed: 0, rate: null },
      answers: { attempts: 0, since: null, medianMs: null, p95Ms: null },
      dayBefore: { rate: null, p95Ms: null },
      waiting: { count: 0, recent: 0, oldestAt: null },
      backlogs: { largest: [], others: 0 },
      problems: [],
      hasMoreProblems: false,
    });
  });

  it('groups what failed by webhook and cause, with the newest answer of the recipient', async () => {
    const { webhooks } = harness.engine(ONCE);
    await webhooks.start();
    const good = await harness.recipient();
    const bad = await harness.recipient(({ body }, response) => {
      const { n } = JSON.parse(body).data;
      response.writeHead(n < 2 ? 401 : 500).end(`<b>no ${n}</b>`);
    });
    await webhooks.create({ url: good.url });
    const { id } = await webhooks.create({ url: bad.url, name: 'Billing' });
    for (let n = 0; n < 5; n += 1) {
      await webhooks.dispatch('user.created', { n });
      await webhooks.drain();
    }
    const { delivered, answers, waiting, problems } = await webhooks.overview();
    expect(delivered).toEqual({ success: 5, failed: 5, rate: 0.5 });
    expect(answers.attempts).toBe(10);
    expect(answers.p95Ms).toBeGreaterThanOrEqual(answers.medianMs ?? Infinity);
    expect(waiting).toEqual({ count: 0, recent: 0, oldestAt: null });
    const { deliveries } = await webhooks.deliveries(id);
    const oldest = (error: string) => deliveries.findLast((delivery) => delivery.error === error);
    const of = { webhookId: id, name: 'Billing', level: 'down', isActive: true, waiting: 0, isWhole: true };
    expect(problems).toMatchObject([
      {
        ...{ ...of, error: 'http_500', failed: 3, statusCode: 500, responseBody: '<b>no 4</b>' },
        since: oldest('http_500')?.createdAt,
        deliveryId: deliveries[0]?.deliveryId,
      },
      {
        ...{ ...of, error: 'http_401', failed: 2, statusCode: 401, responseBody: '<b>no 1</b>' },
        since: oldest('http_401')?.createdAt,
      },
    ]);
  });

  it('counts what waits for a retry, and since when the oldest does', async () => {
    const { webhooks } = harness.engine(WAITING);
    await webhooks.start();
    const bad = await harness.recipient((_, response) => response.writeHead(503).end('busy'));
    const { id } = await webhooks.create({ url: bad.url });
    for (let n = 0; n < 3; n += 1) await webhooks.dispatch('user.created', { n });
    await expect
      .poll(async () => (await webhooks.deliveries(id)).deliveries.map(({ error }) => error))
      .toEqual(['http_503', 'http_503', 'http_503']);
    const { waiting, problems, delivered } = await webhooks.overview();
    const oldest = (await webhooks.deliveries(id)).deliveries.at(-1);
    expect(waiting).toEqual({ count: 3, recent: 3, oldestAt: oldest?.createdAt });
    expect(delivered.rate).toBeNull();
    expect(problems).toMatchObject([{ error: 'http_503', failed: 0, waiting: 3, responseBody: 'busy' }]);
  });

  it('names the rotation, the edit or the creation that came just before', async () => {
    const { webhooks } = harness.engine(ONCE);
    await webhooks.start();
    const bad = await harness.recipient((_, response) => response.writeHead(401).end());
    const { id, createdAt } = await webhooks.create({ url: bad.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    const changed = async () => (await webhooks.overview()).problems[0]?.changed;
    const expectChanged = (expected: object) => expect.poll(changed, KEPT).toEqual(expected);
    await expectChanged({ what: 'created', at: createdAt });
    await webhooks.delete(id);

    const { id: edited } = await webhooks.create({ url: `${bad.url}/x` });
    const { updatedAt } = await webhooks.update(edited, { url: bad.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    await expectChanged({ what: 'edited', at: updatedAt });
    await webhooks.delete(edited);

    const { id: rotated } = await webhooks.create({ url: bad.url });
    await webhooks.update(rotated, { name: 'Billing' });
    const { previousSecretExpiresAt: endsAt } = await webhooks.rotateSecret(rotated);
    const rotatedAt = new Date(Date.parse(endsAt) - DAY_MS).toISOString();
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    await expectChanged({ what: 'rotated', at: rotatedAt });
    // What was done after it had failed has not brought it about.
    await webhooks.update(rotated, { name: 'Accounts' });
    await expectChanged({ what: 'rotated', at: rotatedAt });
  });

  it('has one problem of a webhook that was deactivated, and none of one that a person paused', async () => {
    const { webhooks } = harness.engine({ ...ONCE, disableOnGone: true });
    await webhooks.start();
    const bad = await harness.recipient(({ body }, response) => {
      response.writeHead(JSON.parse(body).data.n === 2 ? 410 : 500).end();
    });
    const { id } = await webhooks.create({ url: bad.url });
    const { id: paused } = await webhooks.create({ url: `${bad.url}/paused` });
    for (let n = 0; n < 3; n += 1) {
      await webhooks.dispatch('user.created', { n });
      await webhooks.drain();
    }
    await webhooks.update(paused, { isActive: true });
    await webhooks.update(paused, { isActive: false });
    const { problems } = await webhooks.overview();
    expect(problems).toMatchObject([
      { webhookId: id, isActive: false, inactiveReason: 'gone', error: 'http_410', failed: 3 },
    ]);
  });

  it('takes no test for a problem', async () => {
    const { webhooks } = harness.engine(ONCE);
    await webhooks.start();
    const bad = await harness.recipient((_, response) => response.writeHead(500).end());
    const { id } = await webhooks.create({ url: bad.url });
    await webhooks.test(id);
    await webhooks.drain();
    expect((await webhooks.overview()).problems).toEqual([]);
  });

  it('shows twenty problems, the worst first, and says that there are more', async () => {
    const { webhooks } = harness.engine(ONCE);
    await webhooks.start();
    const bad = await harness.recipient((_, response) => response.writeHead(500).end());
    const ids: number[] = [];
    for (let n = 0; n < 22; n += 1) ids.push((await webhooks.create({ url: bad.url, events: ['a.b'] })).id);
    const worst = await webhooks.create({ url: bad.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.dispatch('user.created', {});
    for (const id of ids) await webhooks.update(id, { events: ['*'] });
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    const { problems, hasMoreProblems } = await webhooks.overview();
    expect(problems).toHaveLength(20);
    expect(hasMoreProblems).toBe(true);
    expect(problems[0]).toMatchObject({ webhookId: worst.id, failed: 3, level: 'down' });
  });
});

describe.each(STORAGES)('the overview as time passes on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it('forgets after a day what failed once, and after a week what has not recovered', async () => {
    const clock = createTestClock();
    const { webhooks } = harness.engine({ ...ONCE, clock });
    await webhooks.start();
    const bad = await harness.recipient((_, response) => response.writeHead(500).end());
    const once = await webhooks.create({ url: bad.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    await webhooks.update(once.id, { events: ['user.deleted'] });
    const down = await webhooks.create({ url: bad.url });
    for (let n = 0; n < 3; n += 1) await webhooks.dispatch('user.created', { n });
    await webhooks.drain();
    const failing = async () => (await webhooks.overview()).problems.map(({ webhookId }) => webhookId);
    await expect.poll(failing, KEPT).toEqual([down.id, once.id]);
    clock.advance(DAY_MS + HOUR_MS);
    await expect.poll(failing, KEPT).toEqual([down.id]);
    const rate = async () => (await webhooks.overview()).delivered.rate;
    await expect.poll(rate, KEPT).toBeNull();
    clock.advance(7 * DAY_MS);
    await expect.poll(failing, KEPT).toEqual([]);
  });

  it('finds what has waited for days', async () => {
    const clock = createTestClock();
    const { webhooks } = harness.engine({ ...WAITING, clock });
    const good = await harness.recipient();
    const { id } = await webhooks.create({ url: good.url });
    await webhooks.dispatch('user.created', { n: 0 });
    const oldest = (await webhooks.deliveries(id)).deliveries[0];
    clock.advance(3 * DAY_MS);
    await webhooks.dispatch('user.created', { n: 1 });
    clock.advance(2 * HOUR_MS);
    await webhooks.dispatch('user.created', { n: 2 });
    const { waiting } = await webhooks.overview();
    expect(waiting).toEqual({ count: 3, recent: 2, oldestAt: oldest?.createdAt });
  });

  it('tells beside its numbers what they were the day before', async () => {
    const clock = createTestClock();
    const { webhooks } = harness.engine({ ...ONCE, clock });
    await webhooks.start();
    let status = 500;
    const recipient = await harness.recipient((_, response) => response.writeHead(status).end());
    await webhooks.create({ url: recipient.url });
    const send = async () => {
      await webhooks.dispatch('user.created', {});
      await webhooks.drain();
    };
    await send();
    status = 200;
    await send();
    const first = await webhooks.overview();
    expect(first.dayBefore).toEqual({ rate: null, p95Ms: null });
    clock.advance(DAY_MS + HOUR_MS);
    await send();
    await expect.poll(async () => (await webhooks.overview()).delivered.success, KEPT).toBe(1);
    const { delivered, answers, dayBefore } = await webhooks.overview();
    expect(delivered.rate).toBe(1);
    expect(answers.attempts).toBe(3);
    expect(dayBefore).toEqual({ rate: 0.5, p95Ms: first.answers.p95Ms });
    clock.advance(DAY_MS + HOUR_MS);
    await expect.poll(async () => (await webhooks.overview()).dayBefore.rate, KEPT).toBe(1);
    clock.advance(2 * DAY_MS);
    const nothing = { rate: null, p95Ms: null };
    await expect.poll(async () => (await webhooks.overview()).dayBefore, KEPT).toEqual(nothing);
  });

  it('names the end of the old secret as what came before', async () => {
    const clock = createTestClock();
    const { webhooks } = harness.engine({ ...ONCE, clock });
    await webhooks.start();
    const bad = await harness.recipient((_, response) => response.writeHead(401).end());
    const { id } = await webhooks.create({ url: bad.url });
    const { previousSecretExpiresAt: at } = await webhooks.rotateSecret(id);
    clock.advance(DAY_MS + HOUR_MS);
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    expect((await webhooks.overview()).problems[0]?.changed).toEqual({ what: 'secret_ended', at });
  });
});

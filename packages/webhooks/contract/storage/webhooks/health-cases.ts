import assert from 'node:assert/strict';
import { NO_ACTIVATION } from '../../../src/storage/delivery-requests.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import type { WebhookQuery } from '../../../src/storage/webhook-requests.ts';
import { type ContractHarness, deactivation, type HarnessCases, present } from '../contract-harness.ts';

/** How the deliveries of webhooks have ended lately, for lists. */
export const healthCases: HarnessCases = {
  async 'counts how the deliveries of each webhook ended, and knows its last success and failure'(harness) {
    const { id } = await harness.createWebhook();
    const other = await harness.createWebhook();
    assert.deepEqual(await healthOf(harness, id), NO_HEALTH);
    for (const status of ['failed', 'success', 'success'] as const) {
      await harness.dispatch({ target: { webhookId: id } });
      await harness.end(status);
      await harness.pass(10);
    }
    await harness.dispatch({ target: { webhookId: id } });
    const { success, failed, lastSuccessAt, lastFailureAt } = await healthOf(harness, id);
    assert.deepEqual([success, failed], [2, 1]);
    const [last, , first] = (await harness.history(id)).slice(1).map(({ completedAt }) => completedAt);
    assert.deepEqual([lastSuccessAt, lastFailureAt], [last, first]);
    assert.deepEqual(await healthOf(harness, other.id), NO_HEALTH);
  },
  async 'counts health from the hour asked for, by the time of creation'(harness) {
    const { id } = await harness.createWebhook();
    for (const offsetMs of [-7_200_000, -3_600_000, 0]) {
      await harness.dispatch({ createdAt: harness.at(offsetMs) });
    }
    await harness.end('failed');
    const counts = [];
    for (const offsetMs of [-7_200_000, -3_600_000, 0]) {
      counts.push((await healthOf(harness, id, offsetMs)).failed);
    }
    assert.deepEqual(counts, [3, 2, 1]);
  },
  async 'finds those with which something may be wrong'(harness) {
    const ids: number[] = [];
    for (let i = 0; i < 6; i++) ids.push((await harness.createWebhook({ events: ['none.*'] })).id);
    const [, failed, well, overdue, retried, gone] = ids.map(present);
    const to = (webhookId: number | undefined) =>
      harness.dispatch({ target: { webhookId: present(webhookId) } });
    await to(failed);
    await harness.end('failed');
    await to(well);
    await harness.end('success');
    await to(retried);
    const claim = await harness.claimOnly();
    await harness.record(claim, { status: 'pending', error: 'http_500', retryInMs: 600_000 });
    await to(overdue);
    await harness.pass(20);
    await harness.change(present(gone), { isActive: false, inactiveReason: 'gone' });
    const unwell = (overdueMs: number, sinceMs = -3_600_000, retries = true) =>
      harness.listIds({
        unwell: { since: harness.at(sinceMs), now: harness.now, overdueMs, retries },
        healthSince: harness.at(-3_600_000),
      });
    assert.deepEqual(await unwell(5), [failed, overdue, retried, gone]);
    assert.deepEqual(await unwell(1_200_000), [failed, retried, gone]);
    assert.deepEqual(await unwell(5, 3_600_000), [failed, overdue, retried]);
    assert.deepEqual(await unwell(5, -3_600_000, false), [failed, overdue, gone]);
  },
  async 'tells what is pending of each webhook, and of all together'(harness) {
    const { id } = await harness.createWebhook({ events: ['none.*'] });
    const other = await harness.createWebhook({ tenant: 'acme', events: ['none.*'] });
    const together = async (tenant?: string) => {
      const whose = tenant === undefined ? {} : { tenant };
      return present((await harness.storage.readOverview({ waiting: true, ...whose }))[0]);
    };
    const nothing = { count: 0, oldestAt: null, dueAt: null };
    assert.deepEqual(await together(), { webhookId: 0, waiting: nothing });
    for (const [webhookId, status] of [
      [id, 'success'],
      [other.id, 'failed'],
    ] as const) {
      await harness.dispatch({ target: { webhookId } });
      await harness.end(status);
    }
    const [first, second] = [harness.at(-10_000), harness.at(-5_000)];
    await harness.dispatch({ createdAt: first, target: { webhookId: id } });
    await harness.dispatch({ createdAt: second, target: { webhookId: id } });
    await harness.dispatch({ createdAt: second, target: { webhookId: other.id } });
    const all = await together();
    const [one, rest] = [await waitingOf(harness, id), await waitingOf(harness, other.id)];
    // By the storage's clock: it is due when it is written.
    const dueAt = one.dueAt ?? '';
    assert.ok(dueAt >= first && (rest.dueAt ?? '') >= dueAt, 'a time at which one was due is wrong');
    assert.deepEqual(all, { webhookId: 0, waiting: { count: 3, oldestAt: first, dueAt } });
    assert.deepEqual(one, { count: 2, oldestAt: first, dueAt });
    assert.deepEqual(rest, { count: 1, oldestAt: second, dueAt: rest.dueAt });
    assert.deepEqual(await together('acme'), { webhookId: 0, waiting: rest });
    assert.deepEqual((await together('')).waiting, one);
    assert.deepEqual((await together('other')).waiting, nothing);
    await harness.storage.deleteWebhook(id);
    assert.deepEqual((await together()).waiting, rest);
  },
  async 'sorts those that are down by whether something waits, and by since when they are'(harness) {
    const ids: number[] = [];
    for (let i = 0; i < 4; i++) ids.push((await harness.createWebhook()).id);
    const [idle, second, first, third] = ids;
    for (const webhookId of [first, second, third]) {
      for (let i = 0; i < 3; i++) await harness.dispatch({ target: { webhookId: present(webhookId) } });
      await harness.end('failed');
      await harness.pass(10);
    }
    const list = (order: 'asc' | 'desc') => harness.listIds({ sort: 'level', order });
    assert.deepEqual(await list('desc'), [first, second, third, idle]);
    assert.deepEqual(await list('asc'), [idle, third, second, first]);
    await harness.dispatch({ target: { webhookId: present(idle) } });
    await harness.dispatch({ target: { webhookId: present(third) } });
    assert.deepEqual(await list('desc'), [third, first, second, idle]);
    assert.deepEqual(await list('asc'), [idle, second, first, third]);
  },
  async 'filters and sorts by level, ties by id, and degraded by the share since that hour'(harness) {
    const ids: number[] = [];
    for (let i = 0; i < 6; i++) ids.push((await harness.createWebhook()).id);
    const [idle, down, fixed, twice, old, mostly] = ids;
    const end = async (webhookId: number | undefined, status: 'success' | 'failed', times: number) => {
      const createdAt = harness.at(webhookId === old ? -7_200_000 : 0);
      for (let i = 0; i < times; i++) {
        await harness.dispatch({ createdAt, target: { webhookId: present(webhookId) } });
      }
      await harness.end(status);
      await harness.pass(10);
    };
    await end(down, 'success', 1);
    await end(down, 'failed', 3);
    await end(fixed, 'failed', 3);
    await end(fixed, 'success', 1);
    await end(twice, 'failed', 2);
    await end(old, 'failed', 2);
    await end(mostly, 'failed', 1);
    await end(mostly, 'success', 19);
    await harness.dispatch({ target: { webhookId: present(down) } });
    const healthSince = harness.at(-3_600_000);
    const list = (query: Partial<WebhookQuery>) => harness.listIds({ healthSince, ...query });
    assert.deepEqual(await list({ level: 'down' }), [down]);
    assert.deepEqual(await list({ level: 'degraded' }), [fixed, twice]);
    assert.deepEqual(await list({ level: 'healthy' }), [idle, old, mostly]);
    assert.deepEqual(await list({ level: 'degraded', healthSince: harness.at(-7_200_000) }), [
      fixed,
      twice,
      old,
    ]);
    assert.deepEqual(await list({ level: 'down', search: 'nowhere' }), []);
    const sorted = [idle, old, mostly, fixed, twice, down];
    assert.deepEqual(await list({ sort: 'level', order: 'asc' }), sorted);
    assert.deepEqual(await list({ sort: 'level', order: 'desc' }), sorted.toReversed());
    await harness.dispatch({ target: { webhookId: present(fixed) } });
    await harness.dispatch({ target: { webhookId: present(idle) } });
    const waiting = [idle, old, mostly, twice, fixed, down];
    assert.deepEqual(await list({ sort: 'level', order: 'asc' }), waiting);
  },
  async 'takes no outcome without an activation for the last one, and keeps that when deliveries go'(
    harness,
  ) {
    const { id } = await harness.createWebhook();
    await harness.dispatch();
    const activation = NO_ACTIVATION;
    await harness.record(await harness.claimOnly(), {
      status: 'failed',
      error: 'webhook_inactive',
      activation,
    });
    assert.equal((await healthOf(harness, id)).lastFailureAt, null);
    assert.equal(await harness.failureRun(id), null);
    await harness.dispatch();
    await harness.end('failed');
    const { lastFailureAt } = await healthOf(harness, id);
    await harness.reopenFailed({ createdSince: harness.at(-10_000) });
    await harness.storage.purgeDeliveries({
      createdBefore: harness.at(10_000),
      now: harness.now,
      limit: 10,
    });
    assert.deepEqual(await healthOf(harness, id), { ...NO_HEALTH, lastFailureAt });
    await harness.dispatch();
    await harness.record(await harness.claimOnly(), { status: 'success', activation });
    assert.deepEqual(await healthOf(harness, id), { ...NO_HEALTH, success: 1, lastFailureAt });
    assert.equal((await harness.failureRun(id))?.failed, 1);
  },
  async 'keeps the later outcome as the last where results of one webhook are recorded at once'(harness) {
    const { id } = await harness.createWebhook();
    for (let i = 0; i < 20; i++) await harness.dispatch();
    const claims = await harness.claim();
    await Promise.all(
      claims.map((claim, i) =>
        harness
          .storageOf(i)
          .recordAttempts(
            [harness.result(claim, { status: i % 2 === 0 ? 'failed' : 'success', now: harness.now + i })],
            RESULT_RULES,
          ),
      ),
    );
    const ended = await harness.history(id);
    const latest = (wanted: string) =>
      ended
        .filter(({ status }) => status === wanted)
        .map(({ completedAt }) => completedAt)
        .reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b), null);
    const health = await healthOf(harness, id);
    assert.deepEqual([health.success, health.failed], [10, 10]);
    assert.deepEqual([health.lastSuccessAt, health.lastFailureAt], [latest('success'), latest('failed')]);
  },
  async 'knows since when a webhook is inactive, for an administrator and for the engine'(harness) {
    const { id, inactiveSince } = await harness.createWebhook();
    const since = async () => present(await harness.storage.findWebhook(id)).inactiveSince;
    assert.equal(inactiveSince, null);
    const update = async (isActive: boolean) => {
      await harness.pass(10);
      return present(await harness.change(id, { isActive }));
    };
    const deactivated = await update(false);
    assert.equal(deactivated.inactiveSince, deactivated.updatedAt);
    assert.equal((await update(false)).inactiveSince, deactivated.updatedAt, 'it was inactive already');
    assert.equal((await update(true)).inactiveSince, null);
    const activation = await harness.activationOf(id);
    await harness.pass(10);
    const ended = present(await harness.change(id, deactivation(activation, 'failing')));
    assert.deepEqual([ended.inactiveSince, await since()], [ended.updatedAt, ended.updatedAt]);
    const created = await harness.createWebhook({ isActive: false });
    assert.equal(created.inactiveSince, created.createdAt);
    assert.deepEqual(await harness.storage.findWebhook(created.id), created);
  },
};

const NO_HEALTH = { success: 0, failed: 0, lastSuccessAt: null, lastFailureAt: null };

async function healthOf<Transaction>(harness: ContractHarness<Transaction>, id: number, offsetMs = 0) {
  return present((await harness.overview(id, { healthSince: harness.at(offsetMs) }))?.health);
}

async function waitingOf<Transaction>(harness: ContractHarness<Transaction>, id: number) {
  return present((await harness.overview(id, { waiting: true }))?.waiting);
}

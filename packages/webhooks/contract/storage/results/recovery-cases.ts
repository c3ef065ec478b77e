import assert from 'node:assert/strict';
import { timestampText } from '../../../src/clock.ts';
import { generateDispatchId } from '../../../src/storage/delivery-ids.ts';
import type {
  DeliveryPlace,
  FailedQuery,
  ReopenedDelivery,
  ReopenRequest,
} from '../../../src/storage/delivery-requests.ts';
import { isTestDelivery } from '../../../src/test-deliveries.ts';
import { assertDistinct, type ContractHarness, type HarnessCases, present } from '../contract-harness.ts';

const HOUR_MS = 3_600_000;

/** New series of attempts on all deliveries that failed since a time. */
export const recoveryCases: HarnessCases = {
  async 'counts and reopens the failed created before a time, and those of some events alone'(harness) {
    await harness.createWebhook();
    const times = [-3_000, -2_000, -1_000].map((offsetMs) => harness.at(offsetMs));
    for (const createdAt of times) {
      for (const event of ['order.paid', 'order.refunded']) await harness.dispatch({ event, createdAt });
    }
    await harness.end('failed');
    const [createdSince = '', , createdBefore = ''] = times;
    const query = { createdSince, createdBefore, events: ['order.paid', 'user.created'] };
    assert.equal(await harness.countFailed({ createdSince, createdBefore }), 4);
    assert.equal(await harness.countFailed(query), 2);
    const reopened = await harness.reopenFailed(query);
    assert.deepEqual(
      reopened.map(({ createdAt }) => createdAt),
      times.slice(0, 2),
    );
    assert.deepEqual(
      (await harness.claim()).map(({ event }) => event),
      ['order.paid', 'order.paid'],
    );
  },
  async 'counts and reopens those that failed within a time, and not with some errors'(harness) {
    const { id: webhookId } = await harness.createWebhook();
    const createdSince = harness.at();
    for (const error of ['http_500', 'timeout', 'blocked_address', 'http_503', 'http_500']) {
      await harness.dispatch();
      await harness.record(await harness.claimOnly(), { status: 'failed', error });
      await harness.pass(10);
    }
    const [, to = '', , from = ''] = (await harness.history(webhookId)).map(
      ({ completedAt }) => completedAt ?? '',
    );
    const ended = { from, to, exceptErrors: ['blocked_address'] };
    assert.equal(await harness.countFailed({ createdSince, ended: { ...ended, exceptErrors: [] } }), 3);
    assert.equal(await harness.countFailed({ webhookId, createdSince, ended }), 2);
    const reopened = await harness.reopenFailed({ webhookId, createdSince, ended });
    const errors = (await harness.history(webhookId)).flatMap(({ status, error }) =>
      status === 'pending' ? [error] : [],
    );
    assert.deepEqual([reopened.length, errors], [2, ['http_503', 'timeout']]);
    assert.equal(await harness.countFailed({ webhookId, createdSince, ended }), 0);
  },
  async 'counts and reopens no test of an administrator'(harness) {
    const { id } = await harness.createWebhook();
    const createdSince = harness.at();
    await harness.dispatch({ id: generateDispatchId({ isTest: true }) });
    await harness.dispatch({ id: generateDispatchId() });
    await harness.end('failed');
    const failed = (await harness.history(id)).map(({ deliveryId }) => deliveryId);
    const happened = failed.filter((deliveryId) => !isTestDelivery(deliveryId));
    assert.deepEqual([failed.length, happened.length], [2, 1]);
    for (const query of [{ createdSince }, { createdSince, webhookId: id }]) {
      assert.equal(await harness.countFailed(query), 1);
    }
    assert.deepEqual(await reopenIds(harness, { createdSince, limit: 10 }), happened);
  },
  async 'counts and reopens the failed of active webhooks alone, those of one or of all'(harness) {
    const { first, second, inactive, failedOf } = await failuresOfThreeWebhooks(harness);
    const createdSince = harness.at(-24 * HOUR_MS);
    const count = (webhookId?: number) =>
      harness.countFailed({ createdSince, ...(webhookId !== undefined && { webhookId }) });
    assert.deepEqual(
      [await count(), await count(first), await count(second), await count(inactive)],
      [6, 3, 3, 0],
    );
    assert.equal(await count(inactive + 100), 0);
    const reopen = (webhookId?: number) =>
      reopenIds(harness, {
        createdSince,
        limit: 100,
        ...(webhookId !== undefined && { webhookId }),
      });
    assert.deepEqual(await reopen(inactive), []);
    assert.deepEqual((await reopen(first)).toSorted(), failedOf(first).toSorted());
    assert.deepEqual([await count(), await count(first)], [3, 0]);
    await harness.change(inactive, { isActive: true });
    const rest = [...failedOf(second), ...failedOf(inactive)];
    assert.equal(await count(), rest.length);
    assert.deepEqual((await reopen()).toSorted(), rest.toSorted());
    assert.deepEqual([await reopen(), await count()], [[], 0]);
    const claims = await harness.claim();
    assert.equal(claims.length, 9);
    assert.ok(claims.every(({ attempt, seriesAttempt }) => attempt === 2 && seriesAttempt === 1));
    assert.deepEqual(
      await Promise.all([first, second, inactive].map((id) => harness.counts(id))),
      Array(3).fill({ total: 4, success: 1, failed: 0, pending: 3 }),
    );
  },
  async 'reopens the oldest failed first, none created before the time asked for, at most the limit'(
    harness,
  ) {
    const { id: webhookId } = await harness.createWebhook();
    const hoursAgo = [9, 7, 5, 3, 1];
    for (const hours of hoursAgo) await harness.dispatch({ createdAt: harness.at(-hours * HOUR_MS) });
    const deliveryIds = await harness.end('failed');
    const since = (await harness.history(webhookId)).at(-2)?.createdAt;
    const query = { createdSince: present(since) };
    assert.equal(await harness.countFailed(query), 4);
    const reopen = (limit: number) => reopenIds(harness, { ...query, limit });
    assert.deepEqual(await reopen(2), deliveryIds.slice(1, 3));
    assert.equal(await harness.countFailed(query), 2);
    assert.deepEqual(await reopen(1), deliveryIds.slice(3, 4));
    assert.deepEqual([await reopen(2), await reopen(2)], [deliveryIds.slice(4), []]);
    assert.equal((await harness.delivery(webhookId, present(deliveryIds[0]))).status, 'failed');
  },
  async "reopens one webhook's oldest failed first"(harness) {
    const { id: webhookId } = await harness.createWebhook();
    for (const hours of [5, 4, 3, 2, 1]) await harness.dispatch({ createdAt: harness.at(-hours * HOUR_MS) });
    await harness.end('failed');
    const oldestFirst = (await harness.history(webhookId)).map(({ deliveryId }) => deliveryId).reverse();
    const request = { webhookId, createdSince: harness.at(-9 * HOUR_MS) };
    for (const [start, end] of [
      [0, 2],
      [2, 3],
      [3, 5],
    ] as const) {
      const reopened = await reopenIds(harness, { ...request, limit: end - start });
      assert.deepEqual(reopened, oldestFirst.slice(start, end));
    }
  },
  async 'reopens each failed delivery once for many that recover at once'(harness) {
    for (let i = 0; i < 4; i++) await harness.createWebhook();
    await harness.storage.recordDispatches(Array.from({ length: 10 }, () => harness.dispatchRecord()));
    const failed = await harness.end('failed');
    const query = { createdSince: harness.at(-HOUR_MS) };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => harness.reopenFailed(query, { limit: 11 }, harness.storageOf(i))),
    );
    const reopened = answers.flat().map(({ deliveryId }) => deliveryId);
    assertDistinct(reopened);
    assert.deepEqual(reopened.toSorted(), failed.toSorted());
    assert.ok((await harness.claim()).every(({ attempt }) => attempt === 2));
  },
  async 'reopens each failed delivery once from place to place, those that fail again meanwhile included'(
    harness,
  ) {
    const { webhookId, failed: byTime } = await failuresOfEqualTimes(harness);
    const createdSince = harness.at(-24 * HOUR_MS);
    for (const query of [{ createdSince }, { createdSince, webhookId }]) {
      const failed = 'webhookId' in query ? byTime.toSorted((a, b) => a.id - b.id) : byTime;
      const ids = failed.map(({ deliveryId }) => deliveryId);
      for (const limit of [1, 2, 3, 5, 100]) {
        const reopened: ReopenedDelivery[] = [];
        for (;;) {
          const after = reopened.at(-1);
          const batch = await harness.reopenFailed(query, { limit, after });
          reopened.push(...batch);
          assert.ok(reopened.length <= failed.length, 'a delivery was reopened twice');
          assert.equal((await harness.end('failed', { maxAttempts: 20 })).length, batch.length);
          if (batch.length < limit) break;
        }
        assert.deepEqual(
          reopened.map(({ deliveryId }) => deliveryId),
          ids,
        );
        assert.deepEqual(
          reopened.map(({ id, createdAt }) => ({ id, createdAt })),
          failed.map(({ id, createdAt }) => ({ id, createdAt })),
        );
      }
    }
  },
  async 'reopens nothing at a place or before it, however much is left there'(harness) {
    const { failed } = await failuresOfEqualTimes(harness);
    const createdSince = present(failed[2]).createdAt;
    for (const [index, after] of failed.entries()) {
      const expected = failed.slice(index + 1).filter(({ createdAt }) => createdAt >= createdSince);
      const reopened = await reopenIds(harness, { createdSince, limit: 100, after });
      assert.deepEqual(
        reopened,
        expected.map(({ deliveryId }) => deliveryId),
      );
      assert.equal((await harness.end('failed', { maxAttempts: 20 })).length, expected.length);
    }
  },
  async 'reopens each failed delivery once for two that go from place to place at once'(harness) {
    const { failed } = await failuresOfEqualTimes(harness);
    const query = { createdSince: harness.at(-24 * HOUR_MS) };
    const walk = async (actor: number) => {
      const reopened: ReopenedDelivery[] = [];
      // Bounded by the failed, none of which fails again here.
      for (;;) {
        const after = reopened.at(-1);
        const batch = await harness.reopenFailed(query, { limit: 2, after }, harness.storageOf(actor));
        reopened.push(...batch);
        if (batch.length < 2) return reopened;
      }
    };
    const walks = await Promise.all([walk(0), walk(1), walk(2)]);
    for (const reopened of walks) assert.deepEqual(reopened, reopened.toSorted(byPlace));
    assert.deepEqual(
      walks
        .flat()
        .sort(byPlace)
        .map(({ deliveryId }) => deliveryId),
      failed.map(({ deliveryId }) => deliveryId),
    );
  },
};

async function reopenIds<Transaction>(
  harness: ContractHarness<Transaction>,
  { limit, after, ...query }: FailedQuery & Pick<ReopenRequest, 'limit' | 'after'>,
): Promise<string[]> {
  const reopened = await harness.reopenFailed(query, { limit, after });
  return reopened.map(({ deliveryId }) => deliveryId);
}

/**
 * Failed deliveries of one webhook in order: several have the same time, and the one written later
 * is not always the later one.
 */
async function failuresOfEqualTimes<Transaction>(harness: ContractHarness<Transaction>) {
  const { id: webhookId } = await harness.createWebhook();
  const { now } = harness;
  for (const hours of [3, 1, 2, 1, 2, 3, 1]) {
    await harness.dispatch({ createdAt: timestampText(now - hours * HOUR_MS) });
  }
  await harness.end('failed');
  const failed = (await harness.history(webhookId)).sort(byPlace);
  return { webhookId, failed };
}

function byPlace(a: DeliveryPlace, b: DeliveryPlace): number {
  return a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id - b.id;
}

/**
 * Three webhooks with three failed deliveries and a successful one each; the last of them is
 * inactive.
 */
async function failuresOfThreeWebhooks<Transaction>(harness: ContractHarness<Transaction>) {
  const ids: number[] = [];
  for (let i = 0; i < 3; i++) ids.push((await harness.createWebhook()).id);
  const [first = 0, second = 0, inactive = 0] = ids;
  await harness.dispatch();
  await harness.end('success');
  for (let i = 0; i < 3; i++) await harness.dispatch();
  await harness.end('failed');
  await harness.change(inactive, { isActive: false });
  const failed = new Map<number, string[]>();
  for (const id of ids) {
    const rows = (await harness.history(id)).filter(({ status }) => status === 'failed');
    failed.set(
      id,
      rows.map(({ deliveryId }) => deliveryId),
    );
  }
  return { first, second, inactive, failedOf: (id: number) => failed.get(id) ?? [] };
}

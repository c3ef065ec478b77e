import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { shownRun } from '../../../src/storage/failure-run.ts';
import { type HarnessCases, only, present } from '../contract-harness.ts';

const HOUR_MS = 3_600_000;

/**
 * The status of a webhook's deliveries, hour by hour, and the newest delivery of many webhooks at
 * once.
 */
export const activityCases: HarnessCases = {
  async 'tells by the hour of creation what has become of deliveries, oldest hour first'(harness) {
    const { id } = await harness.createWebhook();
    const other = await harness.createWebhook({ events: ['user.*'] });
    assert.deepEqual(await harness.activity(id), []);
    const hoursAgo = [3, 3, 3, 1, 0, 3];
    for (const hours of hoursAgo) await harness.dispatch({ createdAt: harness.at(-hours * HOUR_MS) });
    await harness.dispatch({ target: { patterns: ['user.*'] } });
    const [first, second, third] = await harness.claim({ limit: 3 });
    assert.ok(first && second && third);
    await harness.record(first, { status: 'success' });
    await harness.record(second, { status: 'failed' });
    await harness.record(third, { status: 'pending', retryInMs: HOUR_MS });
    assert.deepEqual(await harness.activity(id), [
      { hour: hourOf(harness.at(-3 * HOUR_MS)), success: 1, failed: 1, pending: 2 },
      { hour: hourOf(harness.at(-HOUR_MS)), success: 0, failed: 0, pending: 1 },
      { hour: hourOf(harness.at()), success: 0, failed: 0, pending: 1 },
    ]);
    const { pending } = only(await harness.activity(other.id));
    assert.equal(pending, 1);
    assert.deepEqual(await harness.activity(other.id + 100), []);
  },
  async 'reads the hours of both times and all between them, and no others'(harness) {
    const { id } = await harness.createWebhook();
    const edge = Date.parse(hourOf(harness.at(-5 * HOUR_MS)));
    const createdAts = [edge - 1, edge, edge + HOUR_MS - 1, edge + HOUR_MS, edge + 2 * HOUR_MS];
    const offsets = createdAts.map((createdAt) => createdAt - harness.now);
    // In one group: time may go by between two readings of the harness's clock.
    await harness.storage.recordDispatches(
      createdAts.map((ms) => harness.dispatchRecord({ createdAt: new Date(ms).toISOString() })),
    );
    assert.equal(offsets.length, 5);
    const sums = async (from: number, to: number) => {
      const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      return (await harness.activity(id, range)).map(({ pending }) => pending);
    };
    assert.deepEqual(await sums(edge + HOUR_MS - 1, edge + HOUR_MS), [2, 1]);
    assert.deepEqual(await sums(edge, edge), [2]);
    assert.deepEqual(await sums(edge - 1, edge + 3 * HOUR_MS), [1, 2, 1, 1]);
    assert.deepEqual(await sums(edge + 3 * HOUR_MS, edge + 4 * HOUR_MS), []);
    assert.deepEqual(await sums(edge - 366 * 24 * HOUR_MS + 5 * HOUR_MS, edge + 5 * HOUR_MS), [1, 2, 1, 1]);
  },
  async 'adds up the activity of all webhooks, hour by hour, but not of removed ones'(harness) {
    const { id } = await harness.createWebhook();
    const other = await harness.createWebhook({ tenant: 'acme', events: ['user.*'] });
    const range = { from: harness.at(-3 * HOUR_MS), to: harness.at() };
    const all = async (tenant?: string) =>
      only(await harness.storage.readOverview({ activity: range, ...(tenant !== undefined && { tenant }) }));
    assert.deepEqual(await all(), { webhookId: 0, activity: [] });
    const createdAt = harness.at(-3 * HOUR_MS);
    const targets = [id, id, other.id];
    for (const webhookId of targets) await harness.dispatch({ createdAt, target: { webhookId } });
    await harness.dispatch({ createdAt: harness.at(-4 * HOUR_MS), target: { webhookId: id } });
    await harness.dispatch({ target: { webhookId: other.id } });
    const earlier = hourOf(createdAt);
    const [now, none] = [hourOf(harness.at()), { success: 0, failed: 0 }];
    assert.deepEqual((await all()).activity, [
      { hour: earlier, ...none, pending: 3 },
      { hour: now, ...none, pending: 1 },
    ]);
    const ofTenant = [earlier, now].map((hour) => ({ hour, ...none, pending: 1 }));
    assert.deepEqual((await all('acme')).activity, ofTenant);
    assert.deepEqual((await all('')).activity, [{ hour: earlier, ...none, pending: 2 }]);
    assert.deepEqual((await all('other')).activity, []);
    await harness.end('failed');
    assert.deepEqual((await all('acme')).activity, [
      { hour: earlier, success: 0, failed: 1, pending: 0 },
      { hour: now, success: 0, failed: 1, pending: 0 },
    ]);
    assert.deepEqual((await all()).activity, [
      { hour: earlier, success: 0, failed: 3, pending: 0 },
      { hour: now, success: 0, failed: 1, pending: 0 },
    ]);
    await harness.storage.deleteWebhook(other.id);
    assert.deepEqual((await all()).activity, [{ hour: earlier, success: 0, failed: 2, pending: 0 }]);
    await harness.dispatch({ createdAt, target: { webhookId: id } });
    await harness.storage.deleteWebhook(id);
    assert.deepEqual((await all()).activity, []);
  },
  async 'counts what is reopened, purged and removed where it belongs'(harness) {
    const { id } = await harness.createWebhook();
    for (const hours of [5, 5, 1, 1]) await harness.dispatch({ createdAt: harness.at(-hours * HOUR_MS) });
    const [, deliveryId = ''] = await harness.end('failed', { limit: 3 });
    await harness.reopen(id, deliveryId);
    const counted = async () => [
      (await harness.activity(id)).map(({ failed, pending }) => [failed, pending]),
      await harness.counts(id),
    ];
    assert.deepEqual(await counted(), [
      [
        [1, 1],
        [1, 1],
      ],
      { total: 4, success: 0, failed: 2, pending: 2 },
    ]);
    await harness.storage.purgeDeliveries({
      createdBefore: harness.at(-3 * HOUR_MS),
      now: harness.now,
      limit: 9,
    });
    assert.deepEqual(await counted(), [[[1, 1]], { total: 2, success: 0, failed: 1, pending: 1 }]);
    // What was counted after its hour had gone goes with it the next time.
    await harness.dispatch({ createdAt: harness.at(-5 * HOUR_MS) });
    await harness.end('failed', { limit: 2 });
    await harness.storage.purgeDeliveries({
      createdBefore: harness.at(-3 * HOUR_MS),
      now: harness.now,
      limit: 9,
    });
    const left = await harness.counts(id);
    assert.equal(left.total, 2);
    assert.equal(left.failed + left.pending, 2);
    await harness.storage.deleteWebhook(id);
    assert.deepEqual(await counted(), [[], { total: 0, success: 0, failed: 0, pending: 0 }]);
  },
  async 'finds the newest delivery of each of many webhooks'(harness) {
    const ids: number[] = [];
    for (let i = 0; i < 100; i++) ids.push((await harness.createWebhook({ events: [`e${i}.*`] })).id);
    const [first = 0, second = 0, empty = 0, unasked = 0] = ids;
    // Newest is what was written last, not what says that it was created last.
    const group = [
      { target: { webhookId: first }, createdAt: harness.at(-5) },
      { target: { webhookId: first }, createdAt: harness.at(-10) },
      { target: { webhookId: second } },
      { target: { webhookId: unasked } },
    ];
    await harness.storage.recordDispatches(group.map((fields) => harness.dispatchRecord(fields)));
    await harness.end('failed', { limit: 2 });
    const last = async (webhookIds: readonly number[]) =>
      (await harness.storage.readOverview({ webhookIds, lastDelivery: true }))
        .toSorted((a, b) => a.webhookId - b.webhookId)
        .map(({ lastDelivery }) => lastDelivery);
    const newest = async (id: number) => (await harness.history(id))[0];
    assert.deepEqual(await last([second, empty, first]), [await newest(first), await newest(second), null]);
    assert.deepEqual(await last([empty, 0, -1, Number.MAX_SAFE_INTEGER]), [null]);
    assert.deepEqual(await last([]), []);
    const all = await last(ids);
    assert.deepEqual([all.length, all.filter(Boolean).length], [100, 3]);
    await harness.storage.deleteWebhook(first);
    assert.deepEqual(await last([first, second]), [await newest(second)]);
  },
  async 'tells of each webhook the parts that are asked for, all of one moment'(harness) {
    const { id } = await harness.createWebhook();
    const other = await harness.createWebhook({ events: ['user.*'] });
    await harness.storage.recordDispatches(Array.from({ length: 30 }, () => harness.dispatchRecord()));
    const parts = {
      counts: true,
      healthSince: harness.at(-HOUR_MS),
      lastDelivery: true,
      failureRun: shownRun,
      activity: { from: harness.at(-HOUR_MS), to: harness.at(HOUR_MS) },
    } as const;
    const webhookIds = [other.id, id, id + 1_000];
    const claims = await harness.claim();
    const recordAll = async () => {
      for (const claim of claims) {
        await harness.record(claim, { status: 'failed' });
        await nextTurn();
      }
    };
    let isRecorded = false;
    const recorded = recordAll().finally(() => {
      isRecorded = true;
    });
    do {
      const overviews = await harness.storage.readOverview({ webhookIds, ...parts });
      assert.deepEqual(overviews.map(({ webhookId }) => webhookId).sort(byNumber), [id, other.id]);
      for (const { webhookId, counts, health, activity } of overviews) {
        const { failed, pending } = present(counts);
        assert.equal(failed + pending, webhookId === id ? 30 : 0);
        assert.equal(health?.failed, failed);
        assert.equal(
          present(activity).reduce((sum, hour) => sum + hour.failed, 0),
          failed,
        );
      }
      // A driver that answers within the turn would never let the results in.
      await nextTurn();
    } while (!isRecorded);
    await recorded;
    for (const [part, value] of Object.entries(parts)) {
      const { webhookId, ...told } = present(await harness.overview(id, { [part]: value }));
      assert.deepEqual(Object.keys(told), [TOLD[part] ?? part]);
    }
  },
  "counts a dispatch of the host's transaction once it has committed": {
    needs: 'transactions',
    async run(harness) {
      const { id } = await harness.createWebhook();
      await harness.dispatch();
      await harness.inTransaction(async (transaction) => {
        await harness.storage.recordDispatches(
          [harness.dispatchRecord(), harness.dispatchRecord()],
          transaction,
        );
        await harness.storage.recordDispatches([harness.dispatchRecord()], transaction);
      });
      assert.equal((await harness.counts(id)).pending, 4);
      const sum = (await harness.activity(id)).reduce((total, { pending }) => total + pending, 0);
      assert.equal(sum, 4);
      await harness.end('success');
      assert.deepEqual(await harness.counts(id), {
        total: 4,
        success: 4,
        failed: 0,
        pending: 0,
      });
    },
  },
  "counts nothing of a host's transaction that rolls back": {
    needs: 'transactions',
    async run(harness) {
      const { id } = await harness.createWebhook();
      await harness.dispatch();
      const before = await harness.activity(id);
      const rollBack = harness.inTransaction(async (transaction) => {
        await harness.storage.recordDispatches(
          [harness.dispatchRecord(), harness.dispatchRecord()],
          transaction,
        );
        throw new Error('the host changes its mind');
      });
      await assert.rejects(rollBack, /changes its mind/);
      assert.equal((await harness.counts(id)).total, 1);
      assert.deepEqual(await harness.activity(id), before);
      const overview = await harness.overview(id, { lastDelivery: true });
      assert.deepEqual(overview?.lastDelivery, only(await harness.history(id)));
    },
  },
};

/** The parts that have another name than what asks for them. */
const TOLD: Readonly<Record<string, string>> = {
  healthSince: 'health',
};

const byNumber = (a: number, b: number) => a - b;

function hourOf(timestamp: string): string {
  return `${timestamp.slice(0, 13)}:00:00.000Z`;
}

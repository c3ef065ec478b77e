import assert from 'node:assert/strict';
import { changing } from '../../../src/storage/changed-state.ts';
import type { DeliveryStatus, DeliverySummary } from '../../../src/storage/delivery-record.ts';
import type { ClaimedDelivery } from '../../../src/storage/delivery-requests.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { type ContractHarness, deactivation, type HarnessCases, present } from '../contract-harness.ts';

const HOUR_MS = 3_600_000;
const ROUNDS = 3;
const STEPS_OF_EACH = 30;
const STATUSES: readonly DeliveryStatus[] = ['success', 'failed', 'pending'];

/** Records that are kept in several places, after all kinds of calls in some order. */
export const interleavingCases: HarnessCases = {
  'agrees with itself after everything at once: counts, activity and lists (seed 1)': (harness) =>
    interleave(harness, 1),
  'agrees with itself after everything at once: counts, activity and lists (seed 2)': (harness) =>
    interleave(harness, 2),
};

async function interleave<Transaction>(harness: ContractHarness<Transaction>, seed: number): Promise<void> {
  const scene: Scene = { webhookIds: [], allWebhookIds: [], claims: [], seen: new Set() };
  for (let i = 0; i < 3; i++) await addWebhook(harness, scene);
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(
      [1, 2, 3, 4].map((actor) => act(harness, scene, actor, seed * 100 + round * 10 + actor)),
    );
    await finishPurges(harness);
    await assertAgreement(harness, scene);
  }
  assert.equal(scene.seen.size, STATUSES.length, 'the storage never had deliveries of every status');
}

interface Scene {
  readonly webhookIds: number[];
  /** Removed webhooks included. */
  readonly allWebhookIds: number[];
  readonly claims: ClaimedDelivery[];
  /** The statuses that deliveries had whenever agreement was checked. */
  readonly seen: Set<DeliveryStatus>;
}

async function addWebhook<Transaction>(harness: ContractHarness<Transaction>, scene: Scene): Promise<void> {
  const { id } = await harness.createWebhook();
  scene.webhookIds.push(id);
  scene.allWebhookIds.push(id);
}

/** Numbers agree once purges are through with the hours that they began. */
async function finishPurges<Transaction>(harness: ContractHarness<Transaction>): Promise<void> {
  const limit = 1_000;
  const createdBefore = startOfHour(harness.at(-3 * HOUR_MS));
  for (const storage of [harness.storageOf(0), harness.storageOf(1)]) {
    const { removed } = await storage.purgeDeliveries({ createdBefore, now: harness.now, limit });
    assert.ok(removed < limit);
  }
}

function startOfHour(time: string): string {
  return `${time.slice(0, 13)}:00:00.000Z`;
}

/** One of several actors that share the storage and do not wait for one another. */
async function act<Transaction>(
  harness: ContractHarness<Transaction>,
  scene: Scene,
  actor: number,
  seed: number,
): Promise<void> {
  const below = randomBelow(seed);
  const storage = harness.storageOf(actor);
  const context: ActorContext<Transaction> = { harness, scene, storage, below };
  for (let step = 0; step < STEPS_OF_EACH; step++) {
    const action = ACTIONS[below(ACTIONS.length)];
    await action?.(context);
  }
}

interface ActorContext<Transaction> {
  readonly harness: ContractHarness<Transaction>;
  readonly scene: Scene;
  readonly storage: WebhookStorage<Transaction>;
  below(limit: number): number;
}

type Action = <Transaction>(actor: ActorContext<Transaction>) => Promise<unknown>;

const dispatch: Action = ({ harness, storage, below }) => {
  const createdAt = harness.at(-below(6) * HOUR_MS);
  return storage.recordDispatches(
    Array.from({ length: 1 + below(3) }, () => harness.dispatchRecord({ createdAt })),
  );
};

const claim: Action = async ({ harness, scene, storage, below }) => {
  scene.claims.push(...(await storage.claimDueDeliveries(harness.claimRequest({ limit: 1 + below(15) }))));
};

const record: Action = ({ harness, scene, storage, below }) => {
  // Some results are recorded twice, perhaps by two actors.
  const claims = below(4) === 0 ? scene.claims.slice(0, 3) : scene.claims.splice(0, 10);
  return storage.recordAttempts(
    claims.map((one) => harness.result(one, { status: STATUSES[below(3)] ?? 'failed', retryInMs: 0 })),
    RESULT_RULES,
  );
};

const reopen: Action = async ({ harness, scene, storage, below }) => {
  const webhookId = scene.webhookIds[below(scene.webhookIds.length)] ?? 0;
  const status = STATUSES[below(3)] ?? 'failed';
  const search = { webhookId, status, limit: 20, maxScanned: 5_000 };
  const { deliveries } = await storage.findDeliveries(search);
  const deliveryId = deliveries[below(Math.max(1, deliveries.length))]?.deliveryId ?? '';
  return harness.reopen(webhookId, deliveryId, storage);
};

const recover: Action = ({ harness, storage, below }) =>
  harness.reopenFailed({ createdSince: harness.at(-below(6) * HOUR_MS) }, { limit: 1 + below(4) }, storage);

const purge: Action = ({ harness, storage, below }) =>
  storage.purgeDeliveries({
    createdBefore: startOfHour(harness.at(-(3 + below(3)) * HOUR_MS)),
    now: harness.now,
    limit: 1 + below(4),
  });

const deactivate: Action = async ({ harness, scene, storage, below }) => {
  const id = scene.webhookIds[below(scene.webhookIds.length)] ?? 0;
  const activation = scene.claims.findLast(({ webhook }) => webhook.id === id)?.webhook.activation ?? 0;
  await storage.changeWebhook(
    id,
    changing({ ...deactivation(activation, 'failing'), updatedAt: harness.at() }),
  );
  return storage.changeWebhook(id, changing({ isActive: true, updatedAt: harness.at() }));
};

const replaceWebhook: Action = async ({ harness, scene, storage, below }) => {
  if (below(3) > 0) return false;
  const id = scene.webhookIds.shift();
  await addWebhook(harness, scene);
  return id === undefined ? false : storage.deleteWebhook(id);
};

/** Each is listed as often as it should occur. */
const ACTIONS: readonly Action[] = [
  dispatch,
  dispatch,
  dispatch,
  dispatch,
  claim,
  claim,
  claim,
  record,
  record,
  record,
  reopen,
  reopen,
  recover,
  purge,
  deactivate,
  replaceWebhook,
];

async function assertAgreement<Transaction>(
  harness: ContractHarness<Transaction>,
  scene: Scene,
): Promise<void> {
  let failedOfAll = 0;
  for (const webhookId of scene.allWebhookIds) {
    const all = await harness.wholeHistory(webhookId);
    for (const { status } of all) scene.seen.add(status);
    for (const storage of [harness.storageOf(0), harness.storageOf(1)]) {
      const counts = { total: all.length, ...statusesOf(all) };
      assert.deepEqual(await harness.counts(webhookId, storage), counts);
      assert.deepEqual(await harness.activity(webhookId, undefined, storage), activityOf(all));
      const overview = await harness.overview(webhookId, { lastDelivery: true }, storage);
      assert.deepEqual(overview?.lastDelivery ?? undefined, all[0]);
      const createdSince = harness.at(-24 * HOUR_MS);
      assert.equal(await harness.countFailed({ webhookId, createdSince }, storage), counts.failed);
      const endsOf = (status: DeliveryStatus) =>
        all.flatMap((one) => (one.status === status ? [one.completedAt ?? ''] : [])).sort();
      const lastSuccess = endsOf('success').at(-1) ?? '';
      const run = await harness.failureRun(webhookId, storage);
      assert.ok(run === null || run.since > lastSuccess, 'a run of failures outlives a success');
    }
    failedOfAll += statusesOf(all).failed;
    if (!scene.webhookIds.includes(webhookId)) assert.deepEqual(all, []);
  }
  const createdSince = harness.at(-24 * HOUR_MS);
  assert.equal(await harness.countFailed({ createdSince }), failedOfAll);
}

function statusesOf(deliveries: readonly DeliverySummary[]): Record<DeliveryStatus, number> {
  const counts = { success: 0, failed: 0, pending: 0 };
  for (const { status } of deliveries) counts[status]++;
  return counts;
}

function activityOf(deliveries: readonly DeliverySummary[]) {
  const byHour = new Map<string, DeliverySummary[]>();
  for (const delivery of deliveries) {
    const hour = `${delivery.createdAt.slice(0, 13)}:00:00.000Z`;
    byHour.set(hour, [...(byHour.get(hour) ?? []), delivery]);
  }
  return [...byHour.keys()].sort().map((hour) => ({ hour, ...statusesOf(present(byHour.get(hour))) }));
}

/**
 * The same whole numbers below a limit for the same seed: a linear congruential generator, its high
 * bits alone.
 */
function randomBelow(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % limit;
  };
}

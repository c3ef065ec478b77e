import assert from 'node:assert/strict';
import type { ClaimedDelivery } from '../../../storage/delivery-requests.ts';
import type { HarnessCase } from '../contract-harness.ts';

type Harness = Parameters<HarnessCase['run']>[0];

const LIMIT = 4;
/** The size of each backlog: more than the claims of a case lease. */
const DEEP = 15;
const TARGETS = 5;

interface Load {
  /** Webhooks that never answer: each has its one attempt in flight, and more due. */
  readonly hanging: number;
  /** Suspects that answer, and always have more due. */
  readonly slow: number;
  /** Webhooks that answer, and always have more due. */
  readonly backlogs: number;
  readonly areRetries: boolean;
}

const LOADS: readonly Load[] = [
  { hanging: 4, slow: 0, backlogs: 2, areRetries: false },
  { hanging: 5, slow: 0, backlogs: 12, areRetries: true },
  { hanging: 12, slow: 0, backlogs: 2, areRetries: true },
  { hanging: 60, slow: 0, backlogs: 12, areRetries: false },
  { hanging: 0, slow: 12, backlogs: 2, areRetries: false },
  { hanging: 5, slow: 12, backlogs: 12, areRetries: false },
];

/**
 * The promise of `claimDueDeliveries` about webhooks with something due and nothing in flight, as a
 * number.
 */
export const fairnessCases: readonly HarnessCase[] = LOADS.map((load) => ({
  name:
    `chooses each idle webhook within ⌈n ÷ f⌉ + 1 claims, beside ${load.hanging} that hang, ${load.slow} that are slow ` +
    `and ${load.backlogs} with a backlog of ${load.areRetries ? 'retries' : 'first attempts'}`,
  run: (harness) => servesInTime(harness, load),
}));

async function servesInTime(harness: Harness, load: Load): Promise<void> {
  const create = async (count: number) => {
    const ids: number[] = [];
    for (let n = 0; n < count; n++) ids.push((await harness.createWebhook({ events: ['none.*'] })).id);
    return ids;
  };
  // The targets lie between the others: the scan goes by id.
  const hanging = await create(load.hanging);
  const backlogs = await create(load.backlogs);
  const targets = await create(TARGETS);
  const slow = await create(load.slow);
  const busy = [...hanging, ...slow, ...backlogs];
  await harness.storage.recordDispatches(
    busy.flatMap((webhookId) => Array.from({ length: DEEP }, () => toOne(harness, webhookId))),
  );
  if (load.areRetries) await failEach(harness);
  await harness.storage.recordDispatches(targets.map((webhookId) => toOne(harness, webhookId)));

  let suspects = [...hanging, ...slow];
  const suspectSlots = suspects.length === 0 ? 0 : LIMIT / 2;
  const inFlight = new Map(hanging.map((webhookId) => [webhookId, 1]));
  const limits = new Map(suspects.map((webhookId) => [webhookId, 1]));
  const others = Math.ceil((TARGETS + load.backlogs) / (LIMIT - suspectSlots)) + 1;
  const ofSuspects = Math.ceil(load.slow / Math.max(suspectSlots, 1)) + 1;
  const waits = new Map([...targets, ...backlogs, ...slow].map((webhookId) => [webhookId, 0]));
  for (let claim = 0; claim < 2 * Math.max(others, ofSuspects); claim++) {
    const request = { limit: LIMIT, maxPerWebhook: 2, suspects: new Set(suspects), suspectSlots };
    const claims = await harness.claim({ ...request, webhookLimits: limits, inFlight });
    await harness.storage.recordAttempts(claims.map((one) => harness.result(one)));
    const served = webhooksOf(claims);
    suspects = [...suspects.filter((id) => !served.has(id)), ...suspects.filter((id) => served.has(id))];
    for (const [webhookId, waited] of waits) {
      if (targets.includes(webhookId) && served.has(webhookId)) waits.delete(webhookId);
      else waits.set(webhookId, served.has(webhookId) ? 0 : waited + 1);
      const most = slow.includes(webhookId) ? ofSuspects : others;
      assert.ok(waited < most, `webhook ${webhookId} is not chosen within ${most} claims`);
    }
  }
  assert.deepEqual(
    targets.filter((webhookId) => waits.has(webhookId)),
    [],
    'a webhook with one delivery was never chosen',
  );
}

function toOne(harness: Harness, webhookId: number) {
  return harness.dispatchRecord({ target: { webhookId } });
}

/** Makes a due retry of every due delivery. */
async function failEach(harness: Harness): Promise<void> {
  const claims = await harness.claim({ limit: 1_000, maxPerWebhook: DEEP });
  const retryNow = { status: 'pending', error: 'http_503', retryInMs: 0 } as const;
  await harness.storage.recordAttempts(claims.map((claim) => harness.result(claim, retryNow)));
}

function webhooksOf(claims: readonly ClaimedDelivery[]): ReadonlySet<number> {
  return new Set(claims.map(({ webhook }) => webhook.id));
}

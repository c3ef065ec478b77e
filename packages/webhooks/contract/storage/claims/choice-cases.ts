import assert from 'node:assert/strict';
import type { ClaimedDelivery, WaitingWebhook } from '../../../src/storage/delivery-requests.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import { type ContractHarness, type HarnessCases, LEASE_MS } from '../contract-harness.ts';

const MINUTE_MS = 60_000;

/** What a claim is given to choose from, and that it leases what was chosen. */
export const choiceCases: HarnessCases = {
  async 'gives a claim every webhook with something due to choose from, counted where all of it fits'(
    harness,
  ) {
    const [some, leased, retried, , lost] = await createWebhooks(harness, 5);
    const { id: ofCustomer } = await harness.createWebhook({ tenant: 'acme' });
    await dispatchTo(harness, leased);
    await harness.claimOnly();
    await dispatchTo(harness, retried);
    await harness.record(await harness.claimOnly(), { status: 'pending', retryInMs: 3_600_000 });
    await dispatchTo(harness, lost);
    await harness.claimOnly({ leaseMs: LEASE_MS });
    await dispatchTo(harness, leased, 2);
    await dispatchTo(harness, some, 3);
    await dispatchTo(harness, ofCustomer);
    await harness.pass(LEASE_MS + 100);
    const waiting = await waitingIn(harness, 7);
    assert.deepEqual(
      waiting
        .map(({ webhookId, tenant, due, isPaused }) => [webhookId, tenant, due, isPaused ?? false])
        .toSorted(([a], [b]) => Number(a) - Number(b)),
      [
        [some, '', 3, false],
        [leased, '', 2, false],
        [lost, '', 1, false],
        [ofCustomer, 'acme', 1, false],
      ],
    );
  },
  async 'leases of each webhook as many deliveries as are chosen, the longest due, and of the others none'(
    harness,
  ) {
    const [few = 0, none = 0, many = 0] = await createWebhooks(harness, 3);
    for (let i = 0; i < 4; i++) await harness.dispatch();
    const chosen = new Map([
      [few, 1],
      [none, 0],
      [many, 3],
    ]);
    const claims = await harness.claim({ choose: () => chosen });
    assert.deepEqual([few, none, many].map(claimsOf(claims)), [1, 0, 3]);
    const longestDue = (await harness.history(many)).map(({ id }) => id).sort((a, b) => a - b);
    const leased = claims.filter(({ webhook }) => webhook.id === many).map(({ id }) => id);
    assert.deepEqual(leased, longestDue.slice(0, 3));
    const left = await harness.claim();
    assert.deepEqual([few, none, many].map(claimsOf(left)), [3, 4, 1]);
  },
  async 'leases what there is where more is chosen than is due, and nothing where nothing is chosen'(
    harness,
  ) {
    const [one = 0, other = 0] = await createWebhooks(harness, 2);
    await dispatchTo(harness, one, 2);
    await dispatchTo(harness, other);
    assert.deepEqual(await harness.claim({ choose: () => new Map() }), []);
    const claims = await harness.claim({ choose: () => new Map([[one, 9]]) });
    assert.deepEqual([one, other].map(claimsOf(claims)), [2, 0]);
    const { total, pending } = await harness.counts(one);
    assert.deepEqual([total, pending], [2, 2]);
  },
  async 'asks for no choice where nothing is due'(harness) {
    await harness.createWebhook();
    assert.deepEqual(await waitingIn(harness, 10), []);
    await harness.dispatch();
    await harness.claim();
    assert.deepEqual(await waitingIn(harness, 10), []);
  },
  async 'gives a claim a new delivery at once to choose, past thousands of older ones of others'(harness) {
    const [backlog = 0, other = 0] = await createWebhooks(harness, 2);
    for (let i = 0; i < 6; i++) await dispatchTo(harness, backlog, 500, -MINUTE_MS);
    await dispatchTo(harness, other, 2);
    const waiting = await waitingIn(harness, 10);
    assert.deepEqual(waiting.map(({ webhookId }) => webhookId).sort(), [backlog, other].sort());
    const claims = await harness.claim({ limit: 10, choose: () => new Map([[other, 2]]) });
    assert.deepEqual([backlog, other].map(claimsOf(claims)), [0, 2]);
    const { due } = await harness.storage.dueSummary({ now: harness.now, limit: 100_000 });
    assert.equal(due, 3_000);
  },
  async 'gives a claim a new delivery at once to choose, past hundreds of retries that fell due lately'(
    harness,
  ) {
    const [retried = 0, backlog = 0] = await createWebhooks(harness, 2);
    // More webhooks than a claim looks at.
    for (let i = 0; i < 300; i++) await harness.createWebhook({ events: ['another.event'] });
    const [other = 0] = await createWebhooks(harness, 1);
    await dispatchTo(harness, retried, 500, -MINUTE_MS);
    const claims = await harness.claim({ limit: 500, choose: () => new Map([[retried, 500]]) });
    const retryNow = { status: 'pending', error: 'http_503', retryInMs: 0 } as const;
    await harness.storage.recordAttempts(
      claims.map((claim) => harness.result(claim, retryNow)),
      RESULT_RULES,
    );
    await dispatchTo(harness, backlog, 50, -2);
    await dispatchTo(harness, other, 1, -1);
    const waiting = await waitingIn(harness, 10);
    assert.ok(waiting.some(({ webhookId }) => webhookId === other));
  },
  async 'gives every webhook to one of ⌈(w + 1) ÷ 256⌉ claims, past hundreds that wait for a retry, and then to each'(
    harness,
  ) {
    const [backlog = 0] = await createWebhooks(harness, 1);
    for (let i = 0; i < 600; i++) await harness.createWebhook({ events: ['retried.*'] });
    await harness.dispatch({ target: { patterns: ['retried.*'] } });
    const retryLater = { status: 'pending', error: 'http_503', retryInMs: 3_600_000 } as const;
    const retried = await harness.claim({ limit: 1_000 });
    await harness.storage.recordAttempts(
      retried.map((claim) => harness.result(claim, retryLater)),
      RESULT_RULES,
    );
    const others = await createWebhooks(harness, 15);
    // Neither the oldest nor the newest.
    await dispatchTo(harness, backlog, 50, -2 * MINUTE_MS);
    for (const webhookId of others) await dispatchTo(harness, webhookId, 1, -MINUTE_MS);
    for (let i = 0; i < 2; i++) await dispatchTo(harness, backlog, 400);
    const given = new Set<number>();
    for (let claim = 0; claim < Math.ceil((616 + 1) / 256); claim++) {
      for (const { webhookId } of await waitingIn(harness, 10)) given.add(webhookId);
    }
    assert.deepEqual([...given].sort(), [backlog, ...others].sort());
    for (let claim = 0; claim < 3; claim++) {
      const again = new Set((await waitingIn(harness, 10)).map(({ webhookId }) => webhookId));
      assert.ok(
        others.every((webhookId) => again.has(webhookId)),
        'a webhook that a claim had seen was hidden from the next one',
      );
    }
  },
};

async function createWebhooks(harness: ContractHarness<unknown>, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push((await harness.createWebhook()).id);
  return ids;
}

async function dispatchTo(
  harness: ContractHarness<unknown>,
  webhookId = 0,
  count = 1,
  offsetMs = 0,
): Promise<void> {
  const one = harness.dispatchRecord({ createdAt: harness.at(offsetMs), target: { webhookId } });
  await harness.storage.recordDispatches(Array.from({ length: count }, () => one));
}

/** What a claim is given to choose from. It chooses nothing. */
async function waitingIn(harness: ContractHarness<unknown>, limit: number): Promise<WaitingWebhook[]> {
  const given: (readonly WaitingWebhook[])[] = [];
  const choose = (waiting: readonly WaitingWebhook[]) => {
    given.push(waiting);
    return new Map<number, number>();
  };
  await harness.claim({ limit, choose, isFromStart: true });
  assert.ok(
    given.every(({ length }) => length > 0),
    'a claim was asked to choose from nothing',
  );
  return [...(given.at(-1) ?? [])];
}

function claimsOf(claims: readonly ClaimedDelivery[]): (webhookId: number) => number {
  return (webhookId) => claims.filter(({ webhook }) => webhook.id === webhookId).length;
}

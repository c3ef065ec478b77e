import assert from 'node:assert/strict';
import type { AttemptRecord, ClaimedDelivery } from '../../../storage/delivery-requests.ts';
import { type ContractHarness, type HarnessCases, only } from '../contract-harness.ts';

const PAUSE_MS = 1_000;
const LONG_PAUSE_MS = 3_600_000;

/** Deferred attempts, and the pauses of webhooks whose recipient is busy. */
export const pauseCases: HarnessCases = {
  async 'does not count a deferred attempt in its series'(harness) {
    const { id: webhookId } = await harness.createWebhook();
    const deliveryId = only((await harness.dispatch()).deliveryIds);
    const made: unknown[] = [];
    const attempt = async (fields: Partial<AttemptRecord>) => {
      const claim = await harness.claimOnly({ maxAttempts: 2 });
      made.push([claim.attempt, claim.seriesAttempt, claim.deferrals, claim.isExhausted]);
      const status = claim.seriesAttempt === 2 && !fields.deferral ? 'failed' : 'pending';
      assert.equal(await harness.record(claim, { status, ...fields }), 'recorded');
    };
    const deferral = { webhookId, pauseMs: 0 };
    for (let series = 0; series < 2; series++) {
      await attempt({ deferral });
      await attempt({});
      await attempt({ deferral });
      await attempt({});
      await harness.reopen(webhookId, deliveryId);
    }
    const series = (before: number) => [
      [before + 1, 1, 0, false],
      [before + 2, 1, 1, false],
      [before + 3, 2, 1, false],
      [before + 4, 2, 2, false],
    ];
    assert.deepEqual(made, [...series(0), ...series(4)]);
  },
  async 'leaves out the deliveries of a webhook that pauses, until the end, and of no other'(harness) {
    const busy = await dispatchedTwice(harness);
    const other = await dispatchedTwice(harness);
    const claims = await harness.claim({ maxPerWebhook: 1 });
    assert.deepEqual(webhooksOf(claims), [busy, other]);
    for (const claim of claims) {
      const pauseMs = claim.webhook.id === busy ? PAUSE_MS : 0;
      await harness.record(claim, deferred(claim, pauseMs));
    }
    assert.deepEqual(webhooksOf(await claimShown(harness, { paused: [busy] })), [other, other]);
    assert.deepEqual(await harness.claim(), []);
    assert.equal((await harness.storage.dueSummary({ now: harness.now, limit: 10 })).due, 0);
    assert.notEqual(await pausedUntil(harness, busy), null);
    assert.equal(await pausedUntil(harness, other), null);
    await harness.pass(PAUSE_MS + 100);
    assert.equal(await pausedUntil(harness, busy), null);
    assert.equal((await harness.storage.dueSummary({ now: harness.now, limit: 10 })).due, 2);
    assert.deepEqual(webhooksOf(await claimShown(harness, { paused: [] })), [busy, busy]);
  },
  async 'keeps the later end of two pauses'(harness) {
    const webhookId = await dispatchedTwice(harness);
    const [first, second] = await harness.claim();
    assert.ok(first && second);
    const results = [LONG_PAUSE_MS, PAUSE_MS].map((pauseMs, index) => {
      const claim = index === 0 ? first : second;
      return harness.result(claim, deferred(claim, pauseMs));
    });
    await harness.storage.recordAttempts(results.slice(0, 1));
    await harness.storage.recordAttempts(results.slice(1));
    await harness.pass(PAUSE_MS + 100);
    assert.deepEqual(await claimShown(harness, { paused: [webhookId] }), []);
  },
  async 'ends a pause with the activation that it belongs to, and begins none of an earlier one'(harness) {
    const webhookId = await dispatchedTwice(harness);
    const [first, second] = await harness.claim();
    assert.ok(first && second);
    await harness.record(first, deferred(first, LONG_PAUSE_MS));
    assert.deepEqual(await claimShown(harness, { paused: [webhookId] }), []);
    await harness.change(webhookId, { url: 'https://another.example/hook' });
    assert.equal(await pausedUntil(harness, webhookId), null);
    const again = only(await claimShown(harness, { paused: [] }));
    await harness.record(again, deferred(again, LONG_PAUSE_MS));
    await harness.record(second, deferred(second, LONG_PAUSE_MS));
    assert.deepEqual(await claimShown(harness, { paused: [webhookId] }), []);
  },
  async 'pauses no webhook that is inactive'(harness) {
    const webhookId = await dispatchedTwice(harness);
    const claim = only(await harness.claim({ limit: 1 }));
    await harness.record(claim, deferred(claim, LONG_PAUSE_MS));
    await harness.change(webhookId, { isActive: false });
    assert.equal(await pausedUntil(harness, webhookId), null);
    assert.deepEqual(webhooksOf(await claimShown(harness, { paused: [] })), [webhookId, webhookId]);
  },
  async 'pauses for no longer than a pause may last, and lets another one replace what lasts longer'(
    harness,
  ) {
    const webhookId = await dispatchedTwice(harness);
    const [first, second] = await harness.claim();
    assert.ok(first && second);
    // As a clock leaves it behind that was a day ahead.
    await harness.record(first, deferred(first, 86_400_000));
    assert.equal(await pausedUntil(harness, webhookId), null);
    assert.deepEqual(webhooksOf(await claimShown(harness, { paused: [] })), [webhookId]);
    await harness.record(second, deferred(second, LONG_PAUSE_MS));
    assert.notEqual(await pausedUntil(harness, webhookId), null);
  },
  async 'counts a deferred attempt that is said to count, and pauses its webhook'(harness) {
    const { id: webhookId } = await harness.createWebhook();
    await harness.dispatch();
    const claim = await harness.claimOnly({ maxAttempts: 2 });
    const deferral = { webhookId, pauseMs: PAUSE_MS, isCounted: true };
    await harness.record(claim, { ...deferred(claim, 0), deferral });
    assert.deepEqual(await claimShown(harness, { paused: [webhookId] }), []);
    await harness.pass(PAUSE_MS + 100);
    const { seriesAttempt, deferrals } = await harness.claimOnly({ maxAttempts: 2 });
    assert.deepEqual([seriesAttempt, deferrals], [2, 0]);
  },
  async 'pauses nothing by a result that comes late'(harness) {
    const webhookId = await dispatchedTwice(harness);
    const claim = only(await harness.claim({ limit: 1 }));
    const late = { ...deferred(claim, LONG_PAUSE_MS), claimToken: 'another' };
    assert.equal(await harness.record(claim, late), 'late');
    assert.deepEqual(webhooksOf(await claimShown(harness, { paused: [] })), [webhookId]);
  },
};

async function dispatchedTwice(harness: ContractHarness<unknown>): Promise<number> {
  const { id: webhookId } = await harness.createWebhook();
  for (let i = 0; i < 2; i++) await harness.dispatch({ target: { webhookId } });
  return webhookId;
}

function deferred({ webhook }: ClaimedDelivery, pauseMs: number): Partial<AttemptRecord> {
  const deferral = { webhookId: webhook.id, pauseMs };
  return { status: 'pending', statusCode: 429, error: 'deferred', retryInMs: 0, deferral };
}

/** Claims, and checks which of the webhooks that it is shown pause. */
async function claimShown(harness: ContractHarness<unknown>, { paused }: { readonly paused: number[] }) {
  const shown = new Set<number>();
  const request = harness.claimRequest();
  const claims = await harness.storage.claimDueDeliveries({
    ...request,
    choose(waiting) {
      for (const { webhookId, isPaused } of waiting) if (isPaused) shown.add(webhookId);
      return request.choose(waiting);
    },
  });
  assert.deepEqual([...shown], paused);
  return claims;
}

async function pausedUntil({ storage, now }: ContractHarness<unknown>, webhookId: number) {
  const overview = only(await storage.readOverview({ webhookIds: [webhookId], pausedAt: now }));
  assert.notEqual(overview.pausedUntil, undefined);
  return overview.pausedUntil;
}

function webhooksOf(claims: readonly ClaimedDelivery[]): number[] {
  return claims.map(({ webhook }) => webhook.id).sort((a, b) => a - b);
}

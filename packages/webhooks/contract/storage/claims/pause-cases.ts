import assert from 'node:assert/strict';
import { generateDispatchId } from '../../../src/storage/delivery-ids.ts';
import type { AttemptRecord, ClaimedDelivery } from '../../../src/storage/delivery-requests.ts';
import { runAfter, shownRun } from '../../../src/storage/failure-run.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import { isTestDelivery } from '../../../src/test-deliveries.ts';
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
    const series = (attempts: number, deferrals: number) => [
      [attempts + 1, 1, deferrals, false],
      [attempts + 2, 1, deferrals + 1, false],
      [attempts + 3, 2, deferrals + 1, false],
      [attempts + 4, 2, deferrals + 2, false],
    ];
    assert.deepEqual(made, [...series(0, 0), ...series(4, 2)]);
    const { attempts, deferrals } = await harness.delivery(webhookId, deliveryId);
    assert.deepEqual([attempts, deferrals], [4, 4]);
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
    assert.deepEqual(webhooksOf(await claimShown(harness, { paused: [] })), [busy]);
  },
  async 'lets one delivery go first after a pause, and the others once it has succeeded'(harness) {
    const webhookId = await pausedWebhook(harness);
    const first = only(await harness.claim());
    assert.equal(first.pauses, 1);
    assert.deepEqual(await claimShown(harness, { paused: [webhookId] }), []);
    await harness.record(first, { status: 'success', resumed: { webhookId } });
    assert.equal(only(await harness.claim()).pauses, 0);
  },
  async 'counts the pauses in a row, and lets the next one go first after a failure'(harness) {
    const webhookId = await pausedWebhook(harness);
    const resumed = { webhookId };
    const asked = only(await harness.claim());
    await harness.record(asked, { ...deferred(asked, PAUSE_MS), resumed });
    await harness.pass(PAUSE_MS + 100);
    for (let failure = 0; failure < 2; failure++) {
      const failed = only(await harness.claim());
      assert.equal(failed.pauses, 2);
      await harness.record(failed, { status: 'pending', error: 'http_500', retryInMs: 0, resumed });
    }
    await harness.record(only(await harness.claim()), { status: 'success', resumed });
    const again = only(await harness.claim());
    assert.equal(again.pauses, 0);
    await harness.record(again, deferred(again, PAUSE_MS));
    await harness.pass(PAUSE_MS + 100);
    assert.equal(only(await harness.claim()).pauses, 1);
  },
  async 'lets another one go first where the lease of the first has ended'(harness) {
    await pausedWebhook(harness);
    const lost = only(await harness.claim({ leaseMs: 1_000 }));
    await harness.pass(1_100);
    const next = only(await harness.claim());
    assert.equal(next.pauses, 1);
    assert.equal(
      await harness.record(lost, { status: 'success' }),
      next.id === lost.id ? 'late' : 'recorded',
    );
  },
  async 'says since when a recipient is busy, and that it asked again, until a success'(harness) {
    const webhookId = await pausedWebhook(harness);
    const busy = async () => {
      const run = (await harness.overview(webhookId, { failureRun: shownRun }))?.failureRun;
      return run && [run.busySince, run.busyAgainAt, run.failed];
    };
    const [since] = (await busy()) ?? [];
    assert.match(String(since), /^2/);
    assert.deepEqual(await busy(), [since, '', 0]);
    const first = only(await harness.claim());
    await harness.record(first, { ...deferred(first, PAUSE_MS), resumed: { webhookId } });
    await harness.pass(PAUSE_MS + 100);
    const [, again] = (await busy()) ?? [];
    assert.ok(String(again) >= String(since));
    const levels = async (afterMs: number) => {
      const now = harness.now + afterMs;
      const of = (level: 'degraded' | 'down') => harness.listIds({ level, now });
      return [await of('degraded'), await of('down')];
    };
    assert.deepEqual(await levels(0), [[], []]);
    assert.deepEqual(await levels(700_000), [[webhookId], []]);
    assert.deepEqual(await levels(3_700_000), [[], [webhookId]]);
    const last = only(await harness.claim());
    await harness.record(last, { status: 'success', resumed: { webhookId } });
    assert.equal(await busy(), null);
    assert.deepEqual(await levels(3_700_000), [[], []]);
  },
  async 'ends what waits for a recipient that is busy for too long, as its failures, and leaves it'(harness) {
    const other = await dispatchedTwice(harness);
    const webhookId = await pausedWebhook(harness);
    const later = { target: { webhookId }, createdAt: harness.at(60_000) };
    const young = only((await harness.dispatch(later)).deliveryIds);
    const request = { busyForMs: 1_000, askedWithinMs: 600_000, runAfter, now: harness.now, limit: 10 };
    const silent = await harness.storage.purgeDeliveries({ ...request, askedWithinMs: 1_000 });
    assert.deepEqual(silent.expired, []);
    const { removed, expired } = await harness.storage.purgeDeliveries(request);
    assert.equal(removed, 0);
    assert.deepEqual(
      expired.map((one) => [one.webhookId, one.status, one.error, one.nextAttemptAt]),
      Array.from({ length: 2 }, () => [webhookId, 'failed', 'busy', null]),
    );
    const first = expired[0]?.deliveryId ?? '';
    assert.deepEqual(await harness.delivery(webhookId, first).then(({ status, error }) => [status, error]), [
      'failed',
      'busy',
    ]);
    assert.equal((await harness.delivery(webhookId, young)).status, 'pending');
    const overview = await harness.overview(webhookId, { counts: true, failureRun: shownRun });
    assert.deepEqual(overview?.counts, { success: 0, failed: 2, pending: 1 });
    assert.deepEqual([overview?.failureRun?.failed, overview?.failureRun?.error], [2, 'busy']);
    assert.deepEqual((await harness.overview(other, { counts: true }))?.counts?.pending, 2);
    // A series that begins anew waits as long again.
    await harness.reopen(webhookId, first);
    assert.deepEqual((await harness.storage.purgeDeliveries(request)).expired, []);
  },
  async 'ends nothing for a busy recipient that last failed for another reason, and no test'(harness) {
    const webhookId = await pausedWebhook(harness);
    const failed = only(await harness.claim());
    const resumed = { webhookId };
    await harness.record(failed, { status: 'pending', error: 'http_500', retryInMs: 0, resumed });
    const test = { id: generateDispatchId({ isTest: true }), createdAt: harness.at(-60_000) };
    await harness.dispatch({ ...test, target: { webhookId } });
    const request = { busyForMs: 1_000, askedWithinMs: 600_000, runAfter, now: harness.now, limit: 10 };
    const ended = only((await harness.storage.purgeDeliveries(request)).expired);
    assert.notEqual(ended.deliveryId, failed.deliveryId);
    assert.equal(isTestDelivery(ended.deliveryId), false);
  },
  async 'keeps the later end of two pauses'(harness) {
    const webhookId = await dispatchedTwice(harness);
    const [first, second] = await harness.claim();
    assert.ok(first && second);
    const results = [LONG_PAUSE_MS, PAUSE_MS].map((pauseMs, index) => {
      const claim = index === 0 ? first : second;
      return harness.result(claim, deferred(claim, pauseMs));
    });
    await harness.storage.recordAttempts(results.slice(0, 1), RESULT_RULES);
    await harness.storage.recordAttempts(results.slice(1), RESULT_RULES);
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
  async 'pauses nothing by a result that comes late'(harness) {
    const webhookId = await dispatchedTwice(harness);
    const claim = only(await harness.claim({ limit: 1 }));
    const late = { ...deferred(claim, LONG_PAUSE_MS), claimToken: 'another' };
    assert.equal(await harness.record(claim, late), 'late');
    assert.deepEqual(webhooksOf(await claimShown(harness, { paused: [] })), [webhookId]);
  },
};

/** A webhook whose pause is over, and which has two deliveries. */
async function pausedWebhook(harness: ContractHarness<unknown>): Promise<number> {
  const webhookId = await dispatchedTwice(harness);
  const claims = (await harness.claim()).filter(({ webhook }) => webhook.id === webhookId);
  for (const claim of claims) await harness.record(claim, deferred(claim, PAUSE_MS));
  await harness.pass(PAUSE_MS + 100);
  return webhookId;
}

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

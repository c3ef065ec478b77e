import assert from 'node:assert/strict';
import { NO_ACTIVATION } from '../../../src/storage/delivery-requests.ts';
import { NO_RUN } from '../../../src/storage/failure-run.ts';
import type { KeptRun, StepRequest } from '../../../src/storage/failure-steps.ts';
import type { FailureRun } from '../../../src/storage/overview-record.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import {
  type ContractHarness,
  deactivation,
  type HarnessCases,
  only,
  present,
  WEBHOOK_URL,
} from '../contract-harness.ts';

/** The failures since the last success, by which a webhook is down, and deactivated. */
export const failureRunCases: HarnessCases = {
  async 'keeps the failures since the last success, past pending deliveries'(harness) {
    const { id } = await harness.createWebhook();
    const count = () => countOf(harness, id);
    assert.equal(await harness.failureRun(id), null);
    const end = async (status: 'success' | 'failed') => {
      await harness.dispatch();
      await harness.end(status);
      await harness.pass(10);
    };
    await end('failed');
    assert.equal(await count(), 1);
    await end('success');
    assert.equal(await harness.failureRun(id), null);
    await end('failed');
    await harness.dispatch();
    const waiting = await harness.claimOnly();
    await end('failed');
    await end('failed');
    const [last, second, , first] = (await harness.history(id)).map(({ completedAt }) => completedAt);
    const run = present((await harness.failureRun(id)) ?? undefined);
    const times = { since: first, secondAt: second, lastAt: last };
    assert.deepEqual(run, { ...NO_RUN, ...times, failed: 3, error: 'http_500' });
    await harness.record(waiting, { status: 'pending', retryInMs: 3_600_000 });
    assert.equal(await count(), 3);
    assert.equal(await countOf(harness, id + 100), 0);
  },
  async 'keeps no failure of a delivery that was reopened'(harness) {
    const { id } = await harness.createWebhook();
    const deliveryId = only((await harness.dispatch()).deliveryIds);
    await harness.end('failed');
    await harness.pass(10);
    assert.equal(await harness.reopen(id, deliveryId), 'reopened');
    await harness.end('failed');
    assert.equal(await countOf(harness, id), 1);
  },
  async 'keeps failures by when they ended, whatever is older, and whatever becomes of the success'(harness) {
    const { id } = await harness.createWebhook();
    const count = () => countOf(harness, id);
    const claimNext = async () => {
      await harness.dispatch();
      return harness.claimOnly();
    };
    const [oldest, older] = [await claimNext(), await claimNext()];
    for (const claim of [await claimNext(), await claimNext()]) {
      await harness.record(claim, { status: 'failed', error: 'http_500' });
    }
    assert.equal(await count(), 2);
    await harness.pass(10);
    await harness.record(older);
    assert.equal(await count(), 0, 'an older delivery succeeded after they had failed');
    await harness.pass(10);
    await harness.record(oldest, { status: 'failed', error: 'http_500' });
    assert.equal(await count(), 1, 'the oldest failed after that');
    await harness.reopen(id, older.deliveryId);
    assert.equal(await count(), 1, 'the success is reopened');
  },
  async 'keeps the failures of each webhook, also of several that end at once'(harness) {
    const { id } = await harness.createWebhook({ events: ['a.*'] });
    const other = await harness.createWebhook({ events: ['b.*'] });
    for (const pattern of ['a.*', 'b.*', 'a.*']) await harness.dispatch({ target: { patterns: [pattern] } });
    await harness.end('failed');
    assert.deepEqual([await countOf(harness, id), await countOf(harness, other.id)], [2, 1]);
  },
  'counts each failure once where processes record those of one webhook at once': {
    needs: 'secondProcess',
    async run(harness) {
      const { id } = await harness.createWebhook();
      for (let i = 0; i < 20; i++) await harness.dispatch();
      const claims = await harness.claim();
      await Promise.all(
        claims.map((claim, i) =>
          harness.storageOf(i).recordAttempts([harness.result(claim, { status: 'failed' })], RESULT_RULES),
        ),
      );
      assert.equal(await countOf(harness, id), 20);
    },
  },
  async 'begins a new run of failures when a webhook is activated that was inactive'(harness) {
    const { id } = await harness.createWebhook();
    const count = () => countOf(harness, id);
    const fail = async (times: number) => {
      for (let i = 0; i < times; i++) await harness.dispatch();
      await harness.end('failed');
      await harness.pass(10);
    };
    const update = async (isActive: boolean) => {
      await harness.change(id, { isActive });
      await harness.pass(10);
    };
    const activation = await harness.activationOf(id);
    await harness.pass(10);
    await fail(3);
    await update(true);
    assert.equal(await count(), 3, 'it was active already');
    assert.ok(await harness.change(id, deactivation(activation, 'failing')));
    await update(true);
    assert.equal(await count(), 0, 'the engine had deactivated it');
    await fail(2);
    assert.equal(await count(), 2);
    await update(false);
    await update(true);
    assert.equal(await count(), 0, 'an administrator had deactivated it');
    await fail(1);
    assert.equal(await count(), 1);
    await harness.change(id, { url: WEBHOOK_URL });
    assert.equal(await count(), 1, 'it had this URL already');
    await harness.change(id, { url: 'https://recipient.example/new' });
    assert.equal(await count(), 0, 'it has another URL');
    const { isActive, inactiveReason } = present(await harness.storage.findWebhook(id));
    assert.deepEqual([isActive, inactiveReason], [true, '']);
  },
  async 'counts a failure with the activation of its claim, whatever was activated since'(harness) {
    const { id } = await harness.createWebhook();
    const count = () => countOf(harness, id);
    for (let i = 0; i < 3; i++) await harness.dispatch();
    const [late, retried, success] = await harness.claim();
    await harness.change(id, { isActive: false });
    await harness.change(id, { isActive: true });
    await harness.record(present(late), { status: 'failed', error: 'http_500' });
    assert.equal(await count(), 0, 'it was sent before the activation');
    await harness.record(present(retried), { status: 'pending', retryInMs: 0 });
    await harness.record(await harness.claimOnly(), { status: 'failed', error: 'http_500' });
    assert.equal(await count(), 1, 'it was sent again after it');
    await harness.pass(10);
    await harness.record(present(success));
    assert.equal(await count(), 0, 'a success counts whenever it was sent');
  },
  async 'passes each run to a step, and keeps what it returns'(harness) {
    const ids = [(await harness.createWebhook()).id, (await harness.createWebhook()).id] as const;
    await harness.createWebhook();
    for (const webhookId of ids) {
      await harness.dispatch({ target: { webhookId } });
      await harness.end('failed');
    }
    const [id, other] = ids;
    const step = (to: (run: FailureRun) => FailureRun | null, fields: Partial<StepRequest> = {}) => {
      const given = { now: harness.now, limit: 10, ...fields };
      return harness.storage.stepFailures({ ...given, step: ({ run }) => to(run) });
    };
    const steps = await step((run) => run);
    assert.deepEqual(
      steps.map(({ webhookId, activation, after }) => [webhookId, activation, after?.failed]),
      ids.map((webhookId) => [webhookId, 0, 1]),
    );
    for (const { now, run } of steps) assert.ok(now >= run.since, 'it is later than the failure');
    const recovery = {
      recoverFrom: harness.at(-1),
      recoverUntil: harness.at(1),
      leasedUntil: harness.at(2),
    };
    const progress = { told: 2, probes: 3, probe: 'f'.repeat(32), ...recovery };
    await step((run) => ({ ...run, ...progress }), { webhookIds: [other] });
    await step(() => null, { limit: 1 });
    assert.equal(await harness.failureRun(id), null);
    const left = await step((run) => run, { after: id });
    assert.deepEqual(
      left.map(({ run }) => run),
      [{ ...present(steps[1]).run, ...progress }],
    );
    assert.deepEqual(await step((run) => run, { after: other }), []);
  },
  async 'tells a step of the first and the last success, and keeps the recovery of a run that has ended'(
    harness,
  ) {
    const { id } = await harness.createWebhook();
    for (let i = 0; i < 4; i++) await harness.dispatch();
    const [test, first, second, failed] = await harness.claim();
    await harness.record(present(failed), { status: 'failed' });
    const step = async (changes: Partial<FailureRun>) => {
      const change = ({ run }: KeptRun) => ({ ...run, ...changes });
      const steps = await harness.storage.stepFailures({ now: harness.now, limit: 1, step: change });
      return present(steps[0]);
    };
    const recovery = { recoverFrom: harness.at(-1), recoverUntil: harness.at() };
    await harness.record(present(test), { activation: NO_ACTIVATION });
    const before = await step(recovery);
    assert.deepEqual([before.run.endedAt, before.lastSuccessAt], ['', '']);
    for (const success of [first, second]) {
      await harness.pass(10);
      await harness.record(present(success));
    }
    const [, last, end] = await harness.history(id);
    const ended = await step({});
    assert.deepEqual([ended.run.endedAt, ended.lastSuccessAt], [end?.completedAt, last?.completedAt]);
    assert.deepEqual(await harness.failureRun(id), { ...NO_RUN, ...recovery });
    await harness.pass(10);
    await harness.dispatch();
    await harness.end('failed');
    const run = present((await harness.failureRun(id)) ?? undefined);
    assert.deepEqual([run.failed, run.endedAt, run.recoverUntil], [1, '', recovery.recoverUntil]);
    await harness.change(id, { isActive: false });
    assert.equal((await step({})).activation, null);
    await harness.change(id, { isActive: true });
    assert.equal((await step({})).activation, 1);
    assert.equal(await harness.failureRun(id), null);
  },
  async 'lets one of several steps at once change a run'(harness) {
    await harness.createWebhook();
    await harness.dispatch();
    await harness.end('failed');
    const step = ({ run }: KeptRun) => (run.told === 0 ? { ...run, told: 1 } : run);
    const steps = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        harness.storageOf(i).stepFailures({ now: harness.now, limit: 10, step }),
      ),
    );
    const changed = steps.flat().filter(({ run, after }) => after?.told !== run.told);
    assert.equal(changed.length, 1);
  },
};

async function countOf<Transaction>(harness: ContractHarness<Transaction>, webhookId: number) {
  return (await harness.failureRun(webhookId))?.failed ?? 0;
}

import assert from 'node:assert/strict';
import type { AttemptRecord } from '../../../src/storage/delivery-requests.ts';
import type { KeptRun } from '../../../src/storage/failure-steps.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import { type HarnessCases, present } from '../contract-harness.ts';

/** What several results of one call say of a webhook. */
export const groupCases: HarnessCases = {
  'keeps what one group of results says of a webhook by the times of their ends, in whatever order': {
    needs: 'callerClock',
    async run(harness) {
      await harness.createWebhook();
      for (let i = 0; i < 7; i++) await harness.dispatch();
      const claims = await harness.claim();
      const group = (ends: readonly (readonly ['success' | 'failed', number])[]) =>
        harness.storage.recordAttempts(
          ends.map(([status, at]) =>
            harness.result(present(claims.pop()), { status, now: harness.now + at, error: status }),
          ),
          RESULT_RULES,
        );
      const kept = async () => {
        const step = ({ run }: KeptRun) => run;
        return present((await harness.storage.stepFailures({ now: harness.now, limit: 1, step }))[0]);
      };
      await group([
        ['failed', 20],
        ['failed', 10],
      ]);
      const { run } = await kept();
      assert.deepEqual([run.failed, run.since, run.lastAt], [2, harness.at(10), harness.at(20)]);
      await group([
        ['success', 50],
        ['success', 30],
        ['failed', 40],
      ]);
      const ended = await kept();
      assert.deepEqual(
        [ended.run.failed, ended.run.endedAt],
        [2, harness.at(30)],
        'the first success ends it',
      );
      assert.equal(ended.lastSuccessAt, harness.at(50));
      await group([
        ['failed', 80],
        ['success', 70],
      ]);
      const begun = await kept();
      assert.deepEqual([begun.run.failed, begun.run.since, begun.run.endedAt], [1, harness.at(80), '']);
    },
  },
  async 'takes a success for the last word of a group, beside failures and a recipient that asks to wait'(
    harness,
  ) {
    const countOf = async (webhookId: number) => (await harness.failureRun(webhookId))?.failed ?? 0;
    const { id } = await harness.createWebhook({ events: ['a.*'] });
    const { id: other } = await harness.createWebhook({ events: ['b.*'] });
    for (const [pattern, count] of [
      ['a.*', 6],
      ['b.*', 4],
    ] as const) {
      for (let i = 0; i < count; i++) await harness.dispatch({ target: { patterns: [pattern] } });
    }
    const claims = await harness.claim();
    const next = (webhookId: number, fields: Partial<AttemptRecord> = {}) => {
      const at = claims.findIndex(({ webhook }) => webhook.id === webhookId);
      return harness.result(present(claims.splice(at, 1)[0]), fields);
    };
    const failed = { status: 'failed', error: 'http_500' } as const;
    const busy = (webhookId: number) =>
      ({ status: 'pending', retryInMs: 60_000, deferral: { webhookId, pauseMs: 60_000 } }) as const;
    await harness.storage.recordAttempts([next(id, failed), next(other, failed)], RESULT_RULES);
    await harness.pass(10);
    await harness.storage.recordAttempts(
      [next(other, failed), next(id, busy(id)), next(id), next(id, failed)],
      RESULT_RULES,
    );
    assert.equal(await harness.failureRun(id), null);
    assert.equal(await countOf(other), 2);
    await harness.pass(10);
    await harness.storage.recordAttempts([next(id, failed), next(other), next(other, failed)], RESULT_RULES);
    assert.equal(await countOf(id), 1);
    assert.equal(await harness.failureRun(other), null);
  },
};

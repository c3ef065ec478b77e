import assert from 'node:assert/strict';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import type { HarnessCases } from '../contract-harness.ts';

/** Counting what was delivered. */
export const historyCases: HarnessCases = {
  async 'counts deliveries by status, zeros where there are none'(harness) {
    const { id } = await harness.createWebhook();
    const zeros = { total: 0, success: 0, failed: 0, pending: 0 };
    assert.deepEqual(await harness.counts(id), zeros);
    await harness.storage.recordDispatches(Array.from({ length: 6 }, () => harness.dispatchRecord()));
    const claims = await harness.claim({ limit: 5 });
    const statuses = ['success', 'success', 'success', 'failed', 'pending'] as const;
    const results = claims.map((claim, i) =>
      harness.result(claim, { status: statuses[i] ?? 'pending', retryInMs: 60_000 }),
    );
    await harness.storage.recordAttempts(results, RESULT_RULES);
    assert.deepEqual(await harness.counts(id), {
      total: 6,
      success: 3,
      failed: 1,
      pending: 2,
    });
    assert.deepEqual(await harness.counts(id + 100), zeros);
  },
};

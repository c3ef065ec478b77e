import assert from 'node:assert/strict';
import type { LoginFailureHarnessCases } from './login-failure-harness.ts';

const NOTHING = { failures: 0, underWay: 0 };

/** What is counted under a key can be forgotten. */
export const forgettingCases: LoginFailureHarnessCases = {
  async 'forgets both counts of a key, and says what they were'(harness) {
    const key = harness.newKey();
    await harness.add(key, { failures: 3, underWay: 2 });
    assert.deepEqual(await harness.forget(key), { failures: 3, underWay: 2 });
    assert.deepEqual(await harness.add(key, {}), NOTHING);
  },
  async 'counts the end of an attempt whose beginning was forgotten'(harness) {
    const key = harness.newKey();
    await harness.add(key, { underWay: 2 });
    await harness.forget(key);
    assert.deepEqual(await harness.add(key, { failures: 1, underWay: -1 }), { failures: 1, underWay: -1 });
    assert.deepEqual(await harness.add(key, { underWay: 1 }), { failures: 1, underWay: 0 });
  },
  async 'forgets the counts of one key alone'(harness) {
    const [key, other] = [harness.newKey(), harness.newKey()];
    await harness.add(key, { failures: 3 });
    await harness.add(other, { failures: 2 });
    assert.deepEqual(await harness.forget(key), { failures: 3, underWay: 0 });
    assert.deepEqual(await harness.add(other, {}), { failures: 2, underWay: 0 });
  },
  async 'forgets nothing of a key that has no counts'(harness) {
    const key = harness.newKey();
    assert.deepEqual(await harness.forget(key), NOTHING);
    await harness.add(key, { underWay: 1 });
    await harness.add(key, { underWay: -1 });
    assert.deepEqual(await harness.forget(key), NOTHING);
  },
  async 'gives what was counted to one of many callers that forget at once'(harness) {
    const key = harness.newKey();
    await harness.add(key, { failures: 10, underWay: 1 });
    const forgotten = await harness.race((store) => harness.forget(key, store));
    assert.deepEqual(
      forgotten.filter(({ failures, underWay }) => failures > 0 || underWay > 0),
      [{ failures: 10, underWay: 1 }],
    );
    assert.deepEqual(await harness.add(key, {}), NOTHING);
  },
};

import assert from 'node:assert/strict';
import type { LoginFailureHarnessCase } from './login-failure-harness.ts';

/** Failures can be forgotten, attempts under way cannot. */
export const forgettingCases: readonly LoginFailureHarnessCase[] = [
  {
    name: 'forgets failures, says how many, and leaves attempts under way',
    async run(harness) {
      const key = harness.newKey();
      await harness.add(key, { failures: 3, underWay: 2 });
      assert.equal(await harness.store.forget(key), 3);
      assert.deepEqual(await harness.add(key, {}), { failures: 0, underWay: 2 });
      assert.deepEqual(await harness.add(key, { failures: 1, underWay: -1 }), { failures: 1, underWay: 1 });
    },
  },
  {
    name: 'forgets the failures of one key alone',
    async run(harness) {
      const [key, other] = [harness.newKey(), harness.newKey()];
      await harness.add(key, { failures: 3 });
      await harness.add(other, { failures: 2 });
      assert.equal(await harness.store.forget(key), 3);
      assert.deepEqual(await harness.add(other, {}), { failures: 2, underWay: 0 });
    },
  },
  {
    name: 'forgets nothing of a key that has no failures',
    async run(harness) {
      const key = harness.newKey();
      assert.equal(await harness.store.forget(key), 0);
      await harness.add(key, { underWay: 1 });
      assert.equal(await harness.store.forget(key), 0);
      assert.deepEqual(await harness.add(key, {}), { failures: 0, underWay: 1 });
    },
  },
  {
    name: 'gives each failure to one of many callers that forget at once',
    async run(harness) {
      const key = harness.newKey();
      await harness.add(key, { failures: 10, underWay: 1 });
      const forgotten = await harness.race((store) => store.forget(key));
      assert.equal(
        forgotten.reduce((sum, failures) => sum + failures, 0),
        10,
      );
      assert.deepEqual(await harness.add(key, {}), { failures: 0, underWay: 1 });
    },
  },
];

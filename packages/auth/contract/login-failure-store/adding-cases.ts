import assert from 'node:assert/strict';
import { RACERS } from '../store/store-harness.ts';
import type { LoginFailureHarnessCases } from './login-failure-harness.ts';

/** Counts of all callers add up. */
export const addingCases: LoginFailureHarnessCases = {
  async 'counts a key that is new from nothing, failures apart from attempts under way'(harness) {
    const key = harness.newKey();
    assert.deepEqual(await harness.add(key, { underWay: 1 }), { failures: 0, underWay: 1 });
    assert.deepEqual(await harness.add(key, { underWay: 2 }), { failures: 0, underWay: 3 });
    assert.deepEqual(await harness.add(key, { failures: 1, underWay: -1 }), { failures: 1, underWay: 2 });
  },
  async 'returns the counts of several keys in the order of the changes'(harness) {
    const keys = Array.from({ length: 16 }, () => harness.newKey());
    const changes = keys.map((key, index) => [key, index, 16 - index] as const);
    const expected = changes.map(([, failures, underWay]) => ({ failures, underWay }));
    assert.deepEqual(await harness.addAll(changes), expected);
    const backwards = [...changes].reverse().map(([key]) => [key, 0, 0] as const);
    assert.deepEqual(await harness.addAll(backwards), [...expected].reverse());
  },
  async 'changes nothing by a change of zeros'(harness) {
    const key = harness.newKey();
    assert.deepEqual(await harness.add(key, {}), { failures: 0, underWay: 0 });
    await harness.add(key, { failures: 2, underWay: 3 });
    assert.deepEqual(await harness.add(key, {}), { failures: 2, underWay: 3 });
  },
  async 'counts on from nothing once everything was given back'(harness) {
    const key = harness.newKey();
    await harness.add(key, { underWay: 1 });
    assert.deepEqual(await harness.add(key, { underWay: -1 }), { failures: 0, underWay: 0 });
    assert.deepEqual(await harness.add(key, { underWay: 1 }), { failures: 0, underWay: 1 });
  },
  async 'takes keys that differ in case for two'(harness) {
    const key = `${harness.newKey().slice(0, -1)}a`;
    await harness.add(key, { failures: 1 });
    assert.deepEqual(await harness.add(key.replace(/a$/, 'A'), {}), { failures: 0, underWay: 0 });
    assert.deepEqual(await harness.add(`${key}-`, {}), { failures: 0, underWay: 0 });
  },
  async 'shows each of many callers at once another sum'(harness) {
    const key = harness.newKey();
    const sums = await harness.race((store) => harness.add(key, { underWay: 1 }, store));
    const seen = sums.map(({ underWay }) => underWay).sort((a, b) => a - b);
    assert.deepEqual(
      seen,
      Array.from({ length: RACERS }, (_, index) => index + 1),
    );
  },
  async 'loses nothing of what many callers take and give back at once'(harness) {
    const key = harness.newKey();
    await harness.race(async (store, caller) => {
      await harness.add(key, { underWay: 1 }, store);
      await harness.add(key, { underWay: -1, failures: caller % 2 }, store);
    });
    assert.deepEqual(await harness.add(key, {}), { failures: RACERS / 2, underWay: 0 });
  },
  async 'lets callers with the same keys in another order all through'(harness) {
    const keys = Array.from({ length: 4 }, () => harness.newKey());
    await harness.race(async (store, caller) => {
      const ordered = caller % 2 === 0 ? keys : [...keys].reverse();
      await harness.addAll(
        ordered.map((key) => [key, 1, 0] as const),
        store,
      );
    });
    const counts = await harness.addAll(keys.map((key) => [key, 0, 0] as const));
    assert.deepEqual(
      counts.map(({ failures }) => failures),
      keys.map(() => RACERS),
    );
  },
  'shows every process what another has counted': {
    needsSecondProcess: true,
    async run(harness) {
      const key = harness.newKey();
      await harness.add(key, { failures: 1, underWay: 1 });
      const seen = await harness.add(key, { failures: 1 }, harness.secondProcess);
      assert.deepEqual(seen, { failures: 2, underWay: 1 });
      assert.deepEqual(await harness.add(key, {}), { failures: 2, underWay: 1 });
    },
  },
};

import assert from 'node:assert/strict';
import { type ApiKeyHarnessCases, INSTANCE, START } from './api-key-harness.ts';

const OTHER = '/api/admin';

/**
 * Instances that a loose comparison would take for {@link INSTANCE}, and one that is none of these.
 */
const FOREIGN_INSTANCES: readonly string[] = [
  OTHER,
  '/API',
  '/api ',
  ' /api',
  '/api/',
  '/ápi',
  'api',
  '%',
  '',
];

/** A key belongs to one instance, and is as good as absent in every other. */
export const instanceCases: ApiKeyHarnessCases = {
  async 'finds a key within its own instance alone'(harness) {
    const key = await harness.add();
    for (const instance of FOREIGN_INSTANCES) {
      assert.equal(await harness.store.findByHash({ ...key, instance }), undefined, `found in "${instance}"`);
    }
    assert.deepEqual(await harness.found(key), key);
  },
  async 'lists the keys that a user has in one instance alone'(harness) {
    const own = await harness.add();
    const foreign = await harness.add({ instance: OTHER });
    assert.deepEqual(await harness.listedIds('42'), [own.id]);
    assert.deepEqual(await harness.listedIds('42', OTHER), [foreign.id]);
    for (const instance of FOREIGN_INSTANCES.filter((name) => name !== OTHER)) {
      assert.deepEqual(await harness.listedIds('42', instance), [], `listed in "${instance}"`);
    }
  },
  async "pages through a user's keys as if those of other instances were not there"(harness) {
    const own: string[] = [];
    for (let n = 0; n < 9; n += 1) {
      const { id } = await harness.add({ createdAt: START + n, instance: n % 3 === 0 ? INSTANCE : OTHER });
      if (n % 3 === 0) own.unshift(id);
    }
    const first = await harness.store.list({ uid: '42', instance: INSTANCE, limit: 2 });
    const second = await harness.store.list({
      uid: '42',
      instance: INSTANCE,
      limit: 2,
      after: first.at(-1),
    });
    assert.deepEqual(
      [first, second].map((page) => page.map(({ id }) => id)),
      [own.slice(0, 2), own.slice(2)],
    );
  },
  async 'revokes a key within its own instance alone, and says the same as of a key that is not there'(
    harness,
  ) {
    const key = await harness.add();
    for (const instance of FOREIGN_INSTANCES) {
      assert.equal(await harness.store.revoke({ ...key, instance, now: START + 1 }), false);
    }
    assert.deepEqual(await harness.found(key), key);
    assert.equal(await harness.store.revoke({ ...key, now: START + 2 }), true);
    assert.equal(await harness.store.revoke({ ...key, instance: OTHER, now: START + 3 }), false);
  },
  async 'revokes all keys that a user has in one instance alone'(harness) {
    const own = await harness.add();
    const foreign = [];
    for (const instance of FOREIGN_INSTANCES) foreign.push(await harness.add({ instance }));
    assert.equal(await harness.store.revokeAll({ uid: '42', instance: INSTANCE, now: START + 1 }), 1);
    assert.equal((await harness.found(own)).revokedAt, START + 1);
    for (const key of foreign) assert.deepEqual(await harness.found(key), key);
  },
};

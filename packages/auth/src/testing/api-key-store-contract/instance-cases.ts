import assert from 'node:assert/strict';
import { type ApiKeyStageCase, INSTANCE, START } from './api-key-stage.ts';

const OTHER = '/api/admin';

/** Instances that a loose comparison would take for {@link INSTANCE}, and one that is none of these. */
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
export const instanceCases: readonly ApiKeyStageCase[] = [
  {
    name: 'finds a key within its own instance alone',
    async run(stage) {
      const key = await stage.add();
      for (const instance of FOREIGN_INSTANCES) {
        assert.equal(await stage.store.findByHash({ ...key, instance }), undefined, `found in "${instance}"`);
      }
      assert.deepEqual(await stage.found(key), key);
    },
  },
  {
    name: 'lists the keys that a user has in one instance alone',
    async run(stage) {
      const own = await stage.add();
      const foreign = await stage.add({ instance: OTHER });
      assert.deepEqual(await stage.listedIds('42'), [own.id]);
      assert.deepEqual(await stage.listedIds('42', OTHER), [foreign.id]);
      for (const instance of FOREIGN_INSTANCES.filter((name) => name !== OTHER)) {
        assert.deepEqual(await stage.listedIds('42', instance), [], `listed in "${instance}"`);
      }
    },
  },
  {
    name: "pages through a user's keys as if those of other instances were not there",
    async run(stage) {
      const own: string[] = [];
      for (let n = 0; n < 9; n += 1) {
        const { id } = await stage.add({ createdAt: START + n, instance: n % 3 === 0 ? INSTANCE : OTHER });
        if (n % 3 === 0) own.unshift(id);
      }
      const first = await stage.store.list({ uid: '42', instance: INSTANCE, limit: 2 });
      const second = await stage.store.list({ uid: '42', instance: INSTANCE, limit: 2, after: first.at(-1) });
      assert.deepEqual(
        [first, second].map((page) => page.map(({ id }) => id)),
        [own.slice(0, 2), own.slice(2)],
      );
    },
  },
  {
    name: 'revokes a key within its own instance alone, and says the same as of a key that is not there',
    async run(stage) {
      const key = await stage.add();
      for (const instance of FOREIGN_INSTANCES) {
        assert.equal(await stage.store.revoke({ ...key, instance, now: START + 1 }), false);
      }
      assert.deepEqual(await stage.found(key), key);
      assert.equal(await stage.store.revoke({ ...key, now: START + 2 }), true);
      assert.equal(await stage.store.revoke({ ...key, instance: OTHER, now: START + 3 }), false);
    },
  },
  {
    name: 'revokes all keys that a user has in one instance alone',
    async run(stage) {
      const own = await stage.add();
      const foreign = [];
      for (const instance of FOREIGN_INSTANCES) foreign.push(await stage.add({ instance }));
      assert.equal(await stage.store.revokeAll({ uid: '42', instance: INSTANCE, now: START + 1 }), 1);
      assert.equal((await stage.found(own)).revokedAt, START + 1);
      for (const key of foreign) assert.deepEqual(await stage.found(key), key);
    },
  },
];

import assert from 'node:assert/strict';
import { type ApiKeyStageCase, INSTANCE, RACERS, randomHex, SIMILAR_UIDS, START } from './api-key-stage.ts';

/** Revoking one key, and all of a user. */
export const revocationCases: readonly ApiKeyStageCase[] = [
  {
    name: 'revokes a key once: the first time stays, and a repeat says the same',
    async run(stage) {
      const key = await stage.add();
      assert.equal(await stage.store.revoke({ ...key, now: START + 1 }), true);
      assert.equal(await stage.store.revoke({ ...key, now: START + 9 }), true);
      assert.deepEqual(await stage.found(key), { ...key, revokedAt: START + 1 });
    },
  },
  {
    name: 'revokes nothing for anybody but the owner, and says the same as of a key that is not there',
    async run(stage) {
      const key = await stage.add({ uid: 'ada' });
      for (const uid of SIMILAR_UIDS.filter((similar) => similar !== 'ada')) {
        assert.equal(await stage.store.revoke({ ...key, uid, now: START + 1 }), false);
      }
      assert.equal(await stage.store.revoke({ ...key, id: randomHex(16), now: START + 1 }), false);
      assert.deepEqual(await stage.found(key), key);
    },
  },
  {
    name: 'still finds and lists a revoked key',
    async run(stage) {
      const key = await stage.add();
      await stage.store.revoke({ ...key, now: START + 1 });
      assert.equal((await stage.found(key)).revokedAt, START + 1);
      assert.deepEqual(await stage.listedIds(key.uid), [key.id]);
    },
  },
  {
    name: 'leaves the other keys of the owner as they are',
    async run(stage) {
      const [key, other] = [await stage.add(), await stage.add()];
      await stage.store.revoke({ ...key, now: START + 1 });
      assert.deepEqual(await stage.found(other), other);
    },
  },
  {
    name: 'answers every one of several revocations at once, and keeps one time',
    async run(stage) {
      const key = await stage.add();
      const times = await stage.race(async (store, caller) => {
        const isOwn = await store.revoke({ ...key, now: START + caller });
        assert.equal(isOwn, true);
        return (await store.findByHash(key))?.revokedAt;
      });
      const [time] = times;
      assert.ok(
        typeof time === 'number' && time >= START && time < START + RACERS,
        'a revoked key says when',
      );
      assert.deepEqual(new Set(times), new Set([time]));
    },
  },
  {
    name: 'revokes all keys of a user in one step, counts those it revoked, and leaves earlier times',
    async run(stage) {
      const earlier = await stage.add({ revokedAt: START - 9 });
      const [one, two] = [await stage.add(), await stage.add({ expiresAt: START - 1 })];
      const other = await stage.add({ uid: '7' });
      assert.equal(await stage.store.revokeAll({ uid: '42', instance: INSTANCE, now: START + 1 }), 2);
      assert.equal(await stage.store.revokeAll({ uid: '42', instance: INSTANCE, now: START + 9 }), 0);
      assert.equal((await stage.found(earlier)).revokedAt, START - 9);
      for (const key of [one, two]) assert.equal((await stage.found(key)).revokedAt, START + 1);
      assert.deepEqual(await stage.found(other), other);
    },
  },
  {
    name: 'revokes all keys of exactly one of several similar users',
    async run(stage) {
      const keys = [];
      for (const uid of SIMILAR_UIDS) keys.push(await stage.add({ uid }));
      assert.equal(await stage.store.revokeAll({ uid: 'ada', instance: INSTANCE, now: START + 1 }), 1);
      for (const key of keys) {
        assert.equal((await stage.found(key)).revokedAt, key.uid === 'ada' ? START + 1 : null, key.uid);
      }
    },
  },
  {
    name: 'counts a key as revoked by one of several calls at once',
    async run(stage) {
      for (let n = 0; n < 5; n += 1) await stage.add();
      const counts = await stage.race((store) =>
        store.revokeAll({ uid: '42', instance: INSTANCE, now: START + 1 }),
      );
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        5,
      );
    },
  },
  {
    name: 'never brings a revoked key back by noting its use',
    async run(stage) {
      const key = await stage.add();
      await stage.race((store, caller) =>
        caller === 0
          ? store.revoke({ ...key, now: START + 1 })
          : store.recordUse([key.id], START + caller).then(() => true),
      );
      assert.equal((await stage.found(key)).revokedAt, START + 1);
    },
  },
];

import assert from 'node:assert/strict';
import { randomHex } from '../store/random-hex.ts';
import { RACERS } from '../store/store-harness.ts';
import { type ApiKeyHarnessCases, INSTANCE, SIMILAR_UIDS, START } from './api-key-harness.ts';

/** Revoking one key, and all of a user. */
export const revocationCases: ApiKeyHarnessCases = {
  async 'revokes a key once: the first time stays, and a repeat says the same'(harness) {
    const key = await harness.add();
    assert.equal(await harness.store.revoke({ ...key, now: START + 1 }), true);
    assert.equal(await harness.store.revoke({ ...key, now: START + 9 }), true);
    assert.deepEqual(await harness.found(key), { ...key, revokedAt: START + 1 });
  },
  async 'revokes nothing for anybody but the owner, and says the same as of a key that is not there'(
    harness,
  ) {
    const key = await harness.add({ uid: 'ada' });
    for (const uid of SIMILAR_UIDS.filter((similar) => similar !== 'ada')) {
      assert.equal(await harness.store.revoke({ ...key, uid, now: START + 1 }), false);
    }
    assert.equal(await harness.store.revoke({ ...key, id: randomHex(16), now: START + 1 }), false);
    assert.deepEqual(await harness.found(key), key);
  },
  async 'still finds and lists a revoked key'(harness) {
    const key = await harness.add();
    await harness.store.revoke({ ...key, now: START + 1 });
    assert.equal((await harness.found(key)).revokedAt, START + 1);
    assert.deepEqual(await harness.listedIds(key.uid), [key.id]);
  },
  async 'leaves the other keys of the owner as they are'(harness) {
    const [key, other] = [await harness.add(), await harness.add()];
    await harness.store.revoke({ ...key, now: START + 1 });
    assert.deepEqual(await harness.found(other), other);
  },
  async 'answers every one of several revocations at once, and keeps one time'(harness) {
    const key = await harness.add();
    const times = await harness.race(async (store, caller) => {
      const isOwn = await store.revoke({ ...key, now: START + caller });
      assert.equal(isOwn, true);
      return (await store.findByHash(key))?.revokedAt;
    });
    const [time] = times;
    assert.ok(typeof time === 'number' && time >= START && time < START + RACERS, 'a revoked key says when');
    assert.deepEqual(new Set(times), new Set([time]));
  },
  async 'revokes all keys of a user in one step, counts those it revoked, and leaves earlier times'(harness) {
    const earlier = await harness.add({ revokedAt: START - 9 });
    const [one, two] = [await harness.add(), await harness.add({ expiresAt: START - 1 })];
    const other = await harness.add({ uid: '7' });
    assert.equal(await harness.store.revokeAll({ uid: '42', instance: INSTANCE, now: START + 1 }), 2);
    assert.equal(await harness.store.revokeAll({ uid: '42', instance: INSTANCE, now: START + 9 }), 0);
    assert.equal((await harness.found(earlier)).revokedAt, START - 9);
    for (const key of [one, two]) assert.equal((await harness.found(key)).revokedAt, START + 1);
    assert.deepEqual(await harness.found(other), other);
  },
  async 'revokes all keys of exactly one of several similar users'(harness) {
    const keys = [];
    for (const uid of SIMILAR_UIDS) keys.push(await harness.add({ uid }));
    assert.equal(await harness.store.revokeAll({ uid: 'ada', instance: INSTANCE, now: START + 1 }), 1);
    for (const key of keys) {
      assert.equal((await harness.found(key)).revokedAt, key.uid === 'ada' ? START + 1 : null, key.uid);
    }
  },
  async 'counts a key as revoked by one of several calls at once'(harness) {
    for (let n = 0; n < 5; n += 1) await harness.add();
    const counts = await harness.race((store) =>
      store.revokeAll({ uid: '42', instance: INSTANCE, now: START + 1 }),
    );
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      5,
    );
  },
  async 'never brings a revoked key back by noting its use'(harness) {
    const key = await harness.add();
    await harness.race((store, caller) =>
      caller === 0
        ? store.revoke({ ...key, now: START + 1 })
        : store.recordUse([key.id], START + caller).then(() => true),
    );
    assert.equal((await harness.found(key)).revokedAt, START + 1);
  },
};

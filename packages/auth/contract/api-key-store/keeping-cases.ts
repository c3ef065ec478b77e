import assert from 'node:assert/strict';
import { randomHex } from '../store/random-hex.ts';
import { RACERS } from '../store/store-harness.ts';
import { type ApiKeyHarnessCases, INSTANCE, SIMILAR_UIDS, START } from './api-key-harness.ts';

/** Storing, finding and listing. */
export const keepingCases: ApiKeyHarnessCases = {
  async 'finds a key by its hash, with every field as it was stored'(harness) {
    const plain = await harness.add();
    const full = await harness.add({
      instance: '/'.repeat(256),
      uid: 'x'.repeat(128),
      name: '“Ünïcode” 👩‍👩‍👧 \\ \' " %',
      displayPrefix: `${'p'.repeat(32)}_12345678`,
      scopes: ['a', '"b\\', '  c  ', '世界', '😀\u{20bb7}\u{e01ef}', '__proto__'],
      createdAt: START + 1,
      expiresAt: 253_402_300_799,
      lastUsedAt: START + 2,
      revokedAt: START + 3,
    });
    assert.deepEqual(await harness.found(plain), plain);
    assert.deepEqual(await harness.found(full), full);
  },
  async 'keeps a key without scopes, and one with as many as there may be'(harness) {
    const none = await harness.add({ scopes: [] });
    const scopes = Array.from({ length: 64 }, (_, n) => `${n}`.padEnd(64, '\u{ffff}'));
    const many = await harness.add({ scopes });
    assert.deepEqual((await harness.found(none)).scopes, []);
    assert.deepEqual((await harness.found(many)).scopes, scopes);
  },
  async 'finds nothing for a hash that is not there, nor for one that only resembles it'(harness) {
    const { keyHash } = await harness.add({ keyHash: `sha256$${'ab'.repeat(32)}` });
    for (const hash of ['', keyHash.toUpperCase(), `${keyHash} `, ` ${keyHash}`, keyHash.slice(0, -1), '%']) {
      assert.equal(await harness.store.findByHash({ keyHash: hash, instance: INSTANCE }), undefined);
    }
  },
  async 'rejects a key whose id or hash is taken, and keeps the one that has it'(harness) {
    const first = await harness.add();
    await assert.rejects(harness.store.add(harness.newKey({ id: first.id, uid: '7' })));
    await assert.rejects(harness.store.add(harness.newKey({ keyHash: first.keyHash, uid: '7' })));
    await assert.rejects(harness.store.add(harness.newKey({ keyHash: first.keyHash, instance: '/other' })));
    assert.deepEqual(await harness.found(first), first);
    assert.deepEqual(await harness.listedIds('7'), []);
  },
  async 'stores one of several keys that claim one hash at once'(harness) {
    const keyHash = `sha256$${randomHex(32)}`;
    const ids = await harness.race(async (store) => {
      const key = harness.newKey({ keyHash });
      return store.add(key).then(
        () => key.id,
        () => undefined,
      );
    });
    const stored = ids.filter((id) => id !== undefined);
    assert.equal(stored.length, 1);
    assert.deepEqual(await harness.listedIds('42'), stored);
  },
  async 'keeps what it was given, whatever happens to the array of scopes afterwards'(harness) {
    const scopes = ['read'];
    const key = await harness.add({ scopes });
    scopes.push('admin');
    assert.deepEqual((await harness.found(key)).scopes, ['read']);
  },
  async 'lists keys without their hashes, newest first, ties by id, revoked and expired ones included'(
    harness,
  ) {
    const old = await harness.add({ createdAt: START - 10, revokedAt: START });
    const [low, high] = [`0${randomHex(16).slice(1)}`, `f${randomHex(16).slice(1)}`];
    await harness.add({ id: low, createdAt: START });
    await harness.add({ id: high, createdAt: START });
    const expired = await harness.add({ createdAt: START - 5, expiresAt: START - 4 });
    const keys = await harness.store.list({ uid: '42', instance: INSTANCE, limit: 100 });
    assert.deepEqual(
      keys.map(({ id }) => id),
      [high, low, expired.id, old.id],
    );
    const { keyHash: _, ...listed } = old;
    assert.deepEqual(keys[3], listed);
  },
  async 'pages through a list without gap or repeat, also where keys are of one second'(harness) {
    for (let n = 0; n < 9; n += 1) await harness.add({ createdAt: START + Math.floor(n / 4) });
    const all = await harness.listedIds('42');
    const paged: string[] = [];
    let page = await harness.store.list({ uid: '42', instance: INSTANCE, limit: 2 });
    // More pages than there are keys would be an endless list.
    for (let round = 0; page.length > 0 && round < 10; round += 1) {
      assert.ok(page.length <= 2, 'a page holds more than it may');
      paged.push(...page.map(({ id }) => id));
      page = await harness.store.list({ uid: '42', instance: INSTANCE, limit: 2, after: page.at(-1) });
    }
    assert.equal(all.length, 9);
    assert.deepEqual(paged, all);
  },
  async 'tells users apart byte for byte'(harness) {
    const owned = new Map<string, string>();
    for (const uid of SIMILAR_UIDS) owned.set(uid, (await harness.add({ uid })).id);
    for (const [uid, id] of owned) assert.deepEqual(await harness.listedIds(uid), [id], `keys of "${uid}"`);
  },
  async 'notes the last use, forward only, and touches nothing else'(harness) {
    const [used, other] = [await harness.add(), await harness.add()];
    await harness.store.recordUse([used.id, randomHex(16)], START + 60);
    await harness.store.recordUse([used.id], START + 30);
    assert.deepEqual(await harness.found(used), { ...used, lastUsedAt: START + 60 });
    assert.deepEqual(await harness.found(other), other);
    await harness.store.recordUse([], START + 90);
    await harness.store.recordUse([used.id, other.id], START + 120);
    assert.equal((await harness.found(used)).lastUsedAt, START + 120);
    assert.equal((await harness.found(other)).lastUsedAt, START + 120);
  },
  async 'notes the latest of several uses at once'(harness) {
    const keys = [await harness.add(), await harness.add(), await harness.add()];
    const ids = keys.map(({ id }) => id);
    await harness.race((store, caller) =>
      store.recordUse(caller % 2 === 0 ? ids : [...ids].reverse(), START + caller),
    );
    for (const key of keys) assert.equal((await harness.found(key)).lastUsedAt, START + RACERS - 1);
  },
  async 'notes the use of 500 keys in one call'(harness) {
    const key = await harness.add();
    const ids = [...Array.from({ length: 499 }, () => randomHex(16)), key.id];
    await harness.store.recordUse(ids, START + 60);
    assert.equal((await harness.found(key)).lastUsedAt, START + 60);
  },
  'shows every process what another has stored': {
    needsSecondProcess: true,
    async run(harness) {
      const key = await harness.add();
      assert.deepEqual(await harness.secondProcess.findByHash(key), key);
      await harness.secondProcess.revoke({ ...key, now: START + 1 });
      assert.equal((await harness.found(key)).revokedAt, START + 1);
    },
  },
};

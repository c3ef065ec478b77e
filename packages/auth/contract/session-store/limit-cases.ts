import assert from 'node:assert/strict';
import { randomHex } from '../store/random-hex.ts';
import { RACERS } from '../store/store-harness.ts';
import {
  INSTANCE,
  type Issued,
  LIFETIME,
  type SessionHarness,
  type SessionHarnessCases,
} from './session-harness.ts';

/** Ending the oldest sessions of a user who has too many. */
export const limitCases: SessionHarnessCases = {
  async 'revokes the oldest sessions of a user beyond those to keep, and names them'(harness) {
    const gone = await harness.create({ expiresAt: harness.now + 3 });
    const ended = await harness.create();
    await harness.revoke(ended.id);
    const own = await createOneASecond(harness, 5);
    const others = [await harness.create({ uid: '43' }), await harness.create({ uid: '4' })];
    const elsewhere = await harness.create({ instance: '/api' });
    const [first, second, ...kept] = own;
    const newest = kept.at(-1);
    assert.ok(first && second && newest);
    const revoked = await harness.revokeOldest(newest.id, 3);
    assert.deepEqual([...(revoked ?? [])].sort(), [first.id, second.id].sort());
    assert.deepEqual((await harness.listIds()).sort(), kept.map(({ id }) => id).sort());
    for (const { token } of [first, second]) await harness.expectOutcome(token, 'revoked');
    for (const { token } of [...kept, ...others]) await harness.expectOutcome(token, 'current');
    assert.equal((await harness.use(elsewhere.token, { instance: '/api' })).outcome, 'current');
    assert.deepEqual((await harness.revokedIds(harness.now)).sort(), [first.id, second.id].sort());
    assert.ok(!(await harness.revokedIds()).includes(gone.id), 'revoked a session that had expired');
  },
  async 'revokes nothing while a user has no more sessions than are to be kept'(harness) {
    const own = await createOneASecond(harness, 3);
    const newest = own.at(-1);
    assert.ok(newest);
    for (const keep of [3, 4, 1_000]) assert.deepEqual(await harness.revokeOldest(newest.id, keep), []);
    assert.equal((await harness.listIds()).length, 3);
    assert.deepEqual(await harness.revokedIds(), []);
  },
  async 'chooses among sessions of one second by their ids'(harness) {
    const ids = [];
    for (let i = 0; i < 6; i++) ids.push((await harness.create()).id);
    ids.sort();
    const newestId = ids.at(-1) ?? '';
    const revoked = await harness.revokeOldest(newestId, 2);
    assert.deepEqual([...(revoked ?? [])].sort(), ids.slice(0, 4));
    assert.deepEqual((await harness.listIds()).sort(), ids.slice(4));
  },
  async 'keeps the session of the log-in, however old another clock makes it'(harness) {
    const others = await createOneASecond(harness, 3);
    const { id, token } = await harness.create({ createdAt: harness.now - 60 });
    const [oldest] = others;
    assert.deepEqual(await harness.revokeOldest(id, 3), [oldest?.id]);
    const revoked = await harness.revokeOldest(id, 1);
    assert.equal(revoked?.length, 2);
    assert.deepEqual(await harness.listIds(), [id]);
    await harness.expectOutcome(token, 'current');
  },
  async "revokes nothing for a session that is not one of the user's live ones"(harness) {
    const own = await createOneASecond(harness, 3);
    const revoked = await harness.create();
    await harness.revoke(revoked.id);
    const expired = await harness.create({ expiresAt: harness.now + 1 });
    const foreign = await harness.create({ uid: '43' });
    const elsewhere = await harness.create({ instance: '/api' });
    harness.now += 1;
    for (const id of [revoked.id, expired.id, foreign.id, elsewhere.id, randomHex(16), '']) {
      assert.equal(await harness.revokeOldest(id, 1), undefined);
      assert.equal(await harness.revokeOldest(id, 9), undefined);
    }
    const [first] = own;
    const revocation = { newestId: first?.id ?? '', keep: 1, reason: 'limit' } as const;
    const wrong = { ...revocation, uid: '42', instance: '/api', now: harness.now };
    assert.equal(await harness.store.revokeOldest(wrong), undefined);
    const late = { ...revocation, uid: '42', instance: INSTANCE, now: harness.now + LIFETIME };
    assert.equal(await harness.store.revokeOldest(late), undefined);
    assert.equal((await harness.listIds()).length, 3);
  },
  async 'leaves exactly as many sessions as are to be kept, however many log-ins race'(harness) {
    await createOneASecond(harness, 2);
    for (const keep of [3, 1]) {
      const answers = await Promise.all(
        Array.from({ length: RACERS }, async (_, caller) => {
          const store = harness.storeOf(caller);
          const session = harness.newSession();
          await store.create(session);
          return await harness.revokeOldest(session.id, keep, store);
        }),
      );
      assert.equal((await harness.listIds()).length, keep);
      const revoked = answers.flatMap((ids) => ids ?? []);
      assert.equal(new Set(revoked).size, revoked.length, 'one session was revoked twice');
      const told = (await harness.revokedIds()).filter((id) => revoked.includes(id));
      assert.equal(told.length, revoked.length, 'a session was named that is not revoked');
    }
    const last = await harness.create();
    assert.equal((await harness.revokeOldest(last.id, 1))?.length, 1);
    assert.deepEqual(await harness.listIds(), [last.id]);
  },
};

/** Sessions of which each is a second younger than the one before; the last is a second old. */
async function createOneASecond(harness: SessionHarness, count: number): Promise<Issued[]> {
  const issued = [];
  for (let i = 0; i < count; i++) {
    issued.push(await harness.create());
    harness.now += 1;
  }
  return issued;
}

import assert from 'node:assert/strict';
import { randomHex } from '../store/random-hex.ts';
import { RACERS } from '../store/store-harness.ts';
import {
  INSTANCE,
  LIFETIME,
  ROTATE_EVERY,
  type SessionHarness,
  type SessionHarnessCases,
  successorOf,
} from './session-harness.ts';

/** Ending sessions, and knowing of those that were ended. */
export const revocationCases: SessionHarnessCases = {
  async 'revokes a session with all its tokens, once'(harness) {
    const { id, token, successor } = await harness.createRotated();
    const other = await harness.create();
    assert.equal((await harness.revoke(id, 'logout'))?.id, id);
    for (const text of [token, successor]) await harness.expectOutcome(text, 'revoked');
    harness.now += 1;
    assert.equal(await harness.revoke(id, 'revoked'), undefined);
    const [revocation] = await harness.store.listRevocations({ instance: INSTANCE, since: 0, limit: 9 });
    assert.deepEqual(revocation, { sessionId: id, uid: '42', revokedAt: harness.now - 1 });
    await harness.expectOutcome(other.token, 'current');
  },
  async 'says when a session was revoked, and whether a log-in replaced it'(harness) {
    for (const reason of ['login', 'logout', 'limit'] as const) {
      const { id, token } = await harness.create();
      await harness.revoke(id, reason);
      const revokedAt = harness.now;
      harness.now += 5;
      const outcome = await harness.use(token);
      assert.ok(outcome.outcome === 'revoked');
      assert.deepEqual([outcome.revokedAt, outcome.isReplaced], [revokedAt, reason === 'login']);
    }
  },
  async 'revokes no session that is unknown, expired, of another user or of another instance'(harness) {
    const { id, token } = await harness.create();
    const revocation = { sessionId: id, instance: INSTANCE, now: harness.now, reason: 'revoked' } as const;
    for (const wrong of [
      { ...revocation, sessionId: randomHex(16) },
      { ...revocation, sessionId: '' },
      { ...revocation, uid: '43' },
      { ...revocation, uid: '' },
      { ...revocation, instance: '/api' },
      { ...revocation, now: harness.now + LIFETIME },
    ]) {
      assert.equal(await harness.store.revoke(wrong), undefined);
    }
    await harness.expectOutcome(token, 'current');
    assert.deepEqual(await harness.revokedIds(), []);
    const revoked = await harness.store.revoke({ ...revocation, uid: '42' });
    assert.equal(typeof revoked === 'object' && revoked.id, id);
  },
  async 'revokes no session by the id of a successor'(harness) {
    const { token } = await harness.create();
    harness.now += ROTATE_EVERY;
    const nextId = randomHex(16);
    await harness.use(token, { nextId });
    assert.equal(await harness.revoke(nextId), undefined);
    await harness.expectOutcome(token, 'rotated');
    assert.equal((await harness.list()).length, 1, 'listed a successor as a session');
  },
  async 'lets one of several revocations at once win'(harness) {
    const { id } = await harness.create();
    const results = await Promise.all(
      Array.from({ length: RACERS }, (_, caller) => harness.revoke(id, 'logout', harness.storeOf(caller))),
    );
    assert.equal(results.filter((session) => session !== undefined).length, 1);
  },
  async 'lets a revocation win over rotations that race it'(harness) {
    for (let round = 0; round < 3; round++) {
      const { id, token } = await harness.create();
      harness.now += ROTATE_EVERY;
      const salts = Array.from({ length: RACERS }, () => randomHex(16));
      const uses = salts.map(
        (salt, i) => async () => void (await harness.use(token, { salt }, harness.storeOf(i))),
      );
      uses.splice(
        round * 7,
        0,
        async () => void (await harness.revoke(id, 'logout', harness.storeOf(round))),
      );
      await Promise.all(uses.map((use) => use()));
      await harness.expectOutcome(token, 'revoked');
      for (const salt of salts) {
        const { outcome } = await harness.use(successorOf(token, salt));
        assert.ok(
          outcome === 'revoked' || outcome === 'unknown',
          `a successor outlived the log-out: ${outcome}`,
        );
      }
    }
    assert.deepEqual(await harness.listIds(), []);
  },
  async "revokes all of a user's sessions but the one that is to stay"(harness) {
    const kept = await harness.create();
    const [a, b, c] = [await harness.create(), await harness.create(), await harness.create()];
    const others = [await harness.create({ uid: '43' }), await harness.create({ uid: '4' })];
    const elsewhere = await harness.create({ instance: '/api' });
    await harness.revoke(b.id);
    const revoked = await revokeAll(harness, kept.id);
    assert.deepEqual([...revoked].sort(), [a.id, c.id].sort());
    for (const { token } of [kept, ...others]) await harness.expectOutcome(token, 'current');
    assert.equal((await harness.use(elsewhere.token, { instance: '/api' })).outcome, 'current');
    assert.deepEqual(await revokeAll(harness), [kept.id]);
    assert.deepEqual(await revokeAll(harness), []);
    assert.deepEqual((await harness.revokedIds()).sort(), [a.id, b.id, c.id, kept.id].sort());
  },
  async 'revokes nothing where it is given a transaction that is none'(harness) {
    const { id } = await harness.create();
    const revocation = { uid: '42', instance: INSTANCE, now: harness.now, reason: 'revoked_all' } as const;
    await assert.rejects(
      async () => harness.store.revokeAll({ ...revocation, transaction: { isTransaction: true } }),
      TypeError,
    );
    assert.deepEqual(await harness.listIds(), [id]);
    assert.deepEqual(await harness.store.revokeAll({ ...revocation, transaction: undefined }), [id]);
  },
  async 'leaves no session of a user alive whose tokens rotate while all are revoked'(harness) {
    const issued = [];
    for (let i = 0; i < 5; i++) issued.push(await harness.create());
    harness.now += ROTATE_EVERY;
    const salts = issued.map(() => randomHex(16));
    await Promise.all([
      ...issued.map(({ token }, i) => harness.use(token, { salt: salts[i] ?? '' }, harness.storeOf(i))),
      revokeAll(harness),
    ]);
    assert.deepEqual(await harness.listIds(), []);
    for (const [i, { token }] of issued.entries()) {
      await harness.expectOutcome(token, 'revoked');
      assert.notEqual((await harness.use(successorOf(token, salts[i] ?? ''))).outcome, 'current');
    }
  },
  async 'lists revocations since a time, oldest first'(harness) {
    const sessions = [];
    for (let i = 0; i < 3; i++) sessions.push((await harness.create()).id);
    const elsewhere = await harness.create({ instance: '/api' });
    const start = harness.now;
    for (const id of sessions.toReversed()) {
      harness.now += 10;
      await harness.revoke(id);
    }
    const revocation = {
      sessionId: elsewhere.id,
      instance: '/api',
      now: harness.now,
      reason: 'revoked',
    } as const;
    await harness.store.revoke(revocation);
    assert.deepEqual(await harness.revokedIds(start), sessions.toReversed());
    assert.deepEqual(await harness.revokedIds(start + 20), sessions.slice(0, 2).toReversed());
    assert.deepEqual(await harness.revokedIds(start + 31), []);
  },
  async 'lists revocations page by page, none twice and none left out'(harness) {
    const ids = [];
    for (let i = 0; i < 7; i++) ids.push((await harness.create()).id);
    for (const [i, id] of ids.entries()) {
      if (i === 3) harness.now += 1;
      await harness.revoke(id);
    }
    const listed: string[] = [];
    let after: { readonly revokedAt: number; readonly sessionId: string } | undefined;
    for (let page = 0; page < 10; page++) {
      const revocations = await harness.store.listRevocations({
        instance: INSTANCE,
        since: 0,
        after,
        limit: 2,
      });
      assert.ok(revocations.length <= 2);
      listed.push(...revocations.map(({ sessionId }) => sessionId));
      after = revocations.at(-1);
      if (after === undefined) break;
    }
    assert.deepEqual(listed, [...ids.slice(0, 3).sort(), ...ids.slice(3).sort()]);
  },
};

async function revokeAll(
  { store, now }: SessionHarness,
  exceptSessionId?: string,
): Promise<readonly string[]> {
  const owner = { uid: '42', instance: INSTANCE, exceptSessionId };
  const revoked = await store.revokeAll({ ...owner, now, reason: 'revoked_all' });
  return typeof revoked === 'string'
    ? assert.fail('refused a revocation that no session asked for')
    : revoked;
}

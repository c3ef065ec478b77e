import assert from 'node:assert/strict';
import {
  INSTANCE,
  LIFETIME,
  RACERS,
  ROTATE_EVERY,
  randomHex,
  type SessionStage,
  type SessionStageCase,
  successorOf,
} from './session-stage.ts';

/** Ending sessions, and knowing of those that were ended. */
export const revocationCases: readonly SessionStageCase[] = [
  {
    name: 'revokes a session with all its tokens, once',
    async run(stage) {
      const { id, token, successor } = await stage.createRotated();
      const other = await stage.create();
      assert.equal((await stage.revoke(id, 'logout'))?.id, id);
      for (const text of [token, successor]) await stage.expectOutcome(text, 'revoked');
      stage.now += 1;
      assert.equal(await stage.revoke(id, 'revoked'), undefined);
      const [revocation] = await stage.store.listRevocations({ instance: INSTANCE, since: 0, limit: 9 });
      assert.deepEqual(revocation, { sessionId: id, uid: '42', revokedAt: stage.now - 1 });
      await stage.expectOutcome(other.token, 'current');
    },
  },
  {
    name: 'revokes no session that is unknown, expired, of another user or of another instance',
    async run(stage) {
      const { id, token } = await stage.create();
      const revocation = { sessionId: id, instance: INSTANCE, now: stage.now, reason: 'revoked' } as const;
      for (const wrong of [
        { ...revocation, sessionId: randomHex(16) },
        { ...revocation, sessionId: '' },
        { ...revocation, uid: '43' },
        { ...revocation, uid: '' },
        { ...revocation, instance: '/api' },
        { ...revocation, now: stage.now + LIFETIME },
      ]) {
        assert.equal(await stage.store.revoke(wrong), undefined);
      }
      await stage.expectOutcome(token, 'current');
      assert.deepEqual(await stage.revokedIds(), []);
      assert.equal((await stage.store.revoke({ ...revocation, uid: '42' }))?.id, id);
    },
  },
  {
    name: 'revokes no session by the id of a successor',
    async run(stage) {
      const { token } = await stage.create();
      stage.now += ROTATE_EVERY;
      const nextId = randomHex(16);
      await stage.use(token, { nextId });
      assert.equal(await stage.revoke(nextId), undefined);
      await stage.expectOutcome(token, 'rotated');
      assert.equal((await stage.list()).length, 1, 'listed a successor as a session');
    },
  },
  {
    name: 'lets one of several revocations at once win',
    async run(stage) {
      const { id } = await stage.create();
      const results = await Promise.all(
        Array.from({ length: RACERS }, (_, caller) => stage.revoke(id, 'logout', stage.storeOf(caller))),
      );
      assert.equal(results.filter((session) => session !== undefined).length, 1);
    },
  },
  {
    name: 'lets a revocation win over rotations that race it',
    async run(stage) {
      for (let round = 0; round < 3; round++) {
        const { id, token } = await stage.create();
        stage.now += ROTATE_EVERY;
        const salts = Array.from({ length: RACERS }, () => randomHex(16));
        const uses = salts.map(
          (salt, i) => async () => void (await stage.use(token, { salt }, stage.storeOf(i))),
        );
        uses.splice(round * 7, 0, async () => void (await stage.revoke(id, 'logout', stage.storeOf(round))));
        await Promise.all(uses.map((use) => use()));
        await stage.expectOutcome(token, 'revoked');
        for (const salt of salts) {
          const { outcome } = await stage.use(successorOf(token, salt));
          assert.ok(
            outcome === 'revoked' || outcome === 'unknown',
            `a successor outlived the log-out: ${outcome}`,
          );
        }
      }
      assert.deepEqual(await stage.listIds(), []);
    },
  },
  {
    name: "revokes all of a user's sessions but the one that is to stay",
    async run(stage) {
      const kept = await stage.create();
      const [a, b, c] = [await stage.create(), await stage.create(), await stage.create()];
      const others = [await stage.create({ uid: '43' }), await stage.create({ uid: '4' })];
      const elsewhere = await stage.create({ instance: '/api' });
      await stage.revoke(b.id);
      const revoked = await revokeAll(stage, kept.id);
      assert.deepEqual([...revoked].sort(), [a.id, c.id].sort());
      for (const { token } of [kept, ...others]) await stage.expectOutcome(token, 'current');
      assert.equal((await stage.use(elsewhere.token, { instance: '/api' })).outcome, 'current');
      assert.deepEqual(await revokeAll(stage), [kept.id]);
      assert.deepEqual(await revokeAll(stage), []);
      assert.deepEqual((await stage.revokedIds()).sort(), [a.id, b.id, c.id, kept.id].sort());
    },
  },
  {
    name: 'revokes nothing where it is given a transaction that is none',
    async run(stage) {
      const { id } = await stage.create();
      const revocation = { uid: '42', instance: INSTANCE, now: stage.now, reason: 'revoked_all' } as const;
      await assert.rejects(
        async () => stage.store.revokeAll({ ...revocation, transaction: { isTransaction: true } }),
        TypeError,
      );
      assert.deepEqual(await stage.listIds(), [id]);
      assert.deepEqual(await stage.store.revokeAll({ ...revocation, transaction: undefined }), [id]);
    },
  },
  {
    name: 'leaves no session of a user alive whose tokens rotate while all are revoked',
    async run(stage) {
      const issued = [];
      for (let i = 0; i < 5; i++) issued.push(await stage.create());
      stage.now += ROTATE_EVERY;
      const salts = issued.map(() => randomHex(16));
      await Promise.all([
        ...issued.map(({ token }, i) => stage.use(token, { salt: salts[i] ?? '' }, stage.storeOf(i))),
        revokeAll(stage),
      ]);
      assert.deepEqual(await stage.listIds(), []);
      for (const [i, { token }] of issued.entries()) {
        await stage.expectOutcome(token, 'revoked');
        assert.notEqual((await stage.use(successorOf(token, salts[i] ?? ''))).outcome, 'current');
      }
    },
  },
  {
    name: 'lists revocations since a time, oldest first',
    async run(stage) {
      const sessions = [];
      for (let i = 0; i < 3; i++) sessions.push((await stage.create()).id);
      const elsewhere = await stage.create({ instance: '/api' });
      const start = stage.now;
      for (const id of sessions.toReversed()) {
        stage.now += 10;
        await stage.revoke(id);
      }
      const revocation = {
        sessionId: elsewhere.id,
        instance: '/api',
        now: stage.now,
        reason: 'revoked',
      } as const;
      await stage.store.revoke(revocation);
      assert.deepEqual(await stage.revokedIds(start), sessions.toReversed());
      assert.deepEqual(await stage.revokedIds(start + 20), sessions.slice(0, 2).toReversed());
      assert.deepEqual(await stage.revokedIds(start + 31), []);
    },
  },
  {
    name: 'lists revocations page by page, none twice and none left out',
    async run(stage) {
      const ids = [];
      for (let i = 0; i < 7; i++) ids.push((await stage.create()).id);
      for (const [i, id] of ids.entries()) {
        if (i === 3) stage.now += 1;
        await stage.revoke(id);
      }
      const listed: string[] = [];
      let after: { readonly revokedAt: number; readonly sessionId: string } | undefined;
      for (let page = 0; page < 10; page++) {
        const revocations = await stage.store.listRevocations({
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
  },
];

function revokeAll({ store, now }: SessionStage, exceptSessionId?: string): Promise<readonly string[]> {
  return store.revokeAll({ uid: '42', instance: INSTANCE, exceptSessionId, now, reason: 'revoked_all' });
}

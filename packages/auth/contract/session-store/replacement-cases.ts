import assert from 'node:assert/strict';
import { randomHex } from '../store/random-hex.ts';
import { RACERS } from '../store/store-harness.ts';
import { hashOf, INSTANCE, LIFETIME, type SessionHarnessCases } from './session-harness.ts';

/** Storing a session that replaces others. */
export const replacementCases: SessionHarnessCases = {
  async 'stores a session and revokes those that it replaces, by any of their tokens'(harness) {
    const rotated = await harness.createRotated();
    const [other, foreign] = [await harness.create(), await harness.create({ uid: '43' })];
    const kept = await harness.create();
    const tokens = [rotated.token, rotated.successor, other.token, foreign.token, randomHex(32)];
    const session = { ...harness.newSession(), replaces: tokens.map(hashOf) };
    const replaced = await harness.store.create(session);
    const ids = [rotated.id, other.id, foreign.id].sort();
    assert.deepEqual(replaced.map(({ id }) => id).sort(), ids);
    assert.deepEqual(new Set(replaced.map(({ uid }) => uid)), new Set(['42', '43']));
    for (const token of tokens.slice(0, 4)) {
      const outcome = await harness.use(token);
      assert.ok(outcome.outcome === 'revoked' && outcome.isReplaced);
      assert.equal(outcome.revokedAt, harness.now);
    }
    await harness.expectOutcome(kept.token, 'current');
    assert.deepEqual((await harness.listIds()).sort(), [kept.id, session.id].sort());
    assert.deepEqual((await harness.revokedIds(harness.now)).sort(), ids);
  },
  async 'revokes no session if the one that replaces it cannot be stored'(harness) {
    const { id, token } = await harness.create();
    const taken = { ...harness.newSession(), id, replaces: [hashOf(token)] };
    await assert.rejects(async () => harness.store.create(taken));
    await harness.expectOutcome(token, 'current');
    assert.deepEqual(await harness.revokedIds(), []);
  },
  async 'replaces no session that is over or of another instance'(harness) {
    const elsewhere = await harness.create({ instance: '/api' });
    const ended = await harness.create();
    await harness.revoke(ended.id, 'logout');
    const expired = await harness.create();
    harness.now += LIFETIME;
    const replaces = [elsewhere, ended, expired].map(({ token }) => hashOf(token));
    const live = await harness.create({ instance: '/api' });
    replaces.push(hashOf(live.token));
    assert.deepEqual(await harness.store.create({ ...harness.newSession(), replaces }), []);
    assert.equal((await harness.use(live.token, { instance: '/api' })).outcome, 'current');
    const revocations = await harness.store.listRevocations({ instance: INSTANCE, since: 0, limit: 9 });
    assert.deepEqual(
      revocations.map(({ sessionId, revokedAt }) => [sessionId, revokedAt]),
      [[ended.id, harness.now - LIFETIME]],
    );
  },
  async 'replaces a session once, however many log-ins present its token'(harness) {
    const { id, token } = await harness.create();
    const answers = await Promise.all(
      Array.from({ length: RACERS }, (_, caller) =>
        harness.storeOf(caller).create({ ...harness.newSession(), replaces: [hashOf(token)] }),
      ),
    );
    assert.deepEqual(
      answers.flat().map((session) => session.id),
      [id],
    );
    assert.equal((await harness.listIds()).length, RACERS);
    await harness.expectOutcome(token, 'revoked');
  },
};

import assert from 'node:assert/strict';
import { randomHex } from '../store/random-hex.ts';
import { RACERS } from '../store/store-harness.ts';
import {
  GRACE,
  hashOf,
  LIFETIME,
  RECORD_USE_EVERY,
  ROTATE_EVERY,
  type SessionHarnessCases,
  successorOf,
} from './session-harness.ts';

/** Presenting refresh tokens, one after the other and at once. */
export const rotationCases: SessionHarnessCases = {
  async 'knows no token but those it was given'(harness) {
    await harness.create();
    await harness.expectOutcome(randomHex(32), 'unknown');
  },
  async 'finds a token current until it is due for rotation'(harness) {
    const { id, token } = await harness.create();
    await harness.expectOutcome(token, 'current');
    harness.now += ROTATE_EVERY - 1;
    await harness.expectOutcome(token, 'current');
    harness.now += 1;
    const outcome = await harness.use(token);
    assert.equal(outcome.outcome, 'rotated');
    assert.equal(outcome.outcome === 'rotated' && outcome.session.id, id);
  },
  async 'gives a token the successor of the salt it was called with, and keeps to it'(harness) {
    const { token } = await harness.create();
    harness.now += ROTATE_EVERY;
    const salt = randomHex(16);
    for (const offered of [salt, randomHex(16), randomHex(16)]) {
      const outcome = await harness.use(token, { salt: offered });
      assert.equal(outcome.outcome === 'rotated' && outcome.successorSalt, salt);
    }
    await harness.expectOutcome(successorOf(token, salt), 'current');
  },
  async 'names the key that a successor was derived with, whatever key later callers bring'(harness) {
    const { token } = await harness.create();
    harness.now += ROTATE_EVERY;
    const first = `${'k'.repeat(60)}~._-`;
    const named = [];
    for (const keyId of [first, 'key-2', 'sha256:0a']) {
      const outcome = await harness.use(token, { keyId });
      named.push(outcome.outcome === 'rotated' && outcome.successorKeyId);
    }
    assert.deepEqual(named, [first, first, first]);
    const successor = await harness.rotate(token);
    await harness.expectOutcome(successor, 'current');
    harness.now += ROTATE_EVERY;
    const next = await harness.use(successor, { keyId: 'key-2' });
    assert.equal(next.outcome === 'rotated' && next.successorKeyId, 'key-2');
  },
  async 'gives all who rotate one token at once the same successor, and makes no other'(harness) {
    const { token } = await harness.create();
    harness.now += ROTATE_EVERY;
    const callers = Array.from({ length: RACERS }, (_, n) => ({ salt: randomHex(16), keyId: `key-${n}` }));
    const outcomes = await Promise.all(
      callers.map((caller, n) => harness.use(token, caller, harness.storeOf(n))),
    );
    const given = new Set(
      outcomes.map((outcome) =>
        outcome.outcome === 'rotated'
          ? `${outcome.successorSalt} by ${outcome.successorKeyId}`
          : outcome.outcome,
      ),
    );
    assert.equal(given.size, 1, 'one token was given several successors, or refused');
    const known = [];
    for (const { salt, keyId } of callers) {
      if (await harness.find(successorOf(token, salt))) known.push(`${salt} by ${keyId}`);
    }
    assert.deepEqual(known, [...given], 'successors were stored that nobody was given');
  },
  async 'keeps the time of the log-in and the end of the session through rotations'(harness) {
    const createdAt = harness.now;
    let { token } = await harness.create();
    for (let rotation = 0; rotation < 3; rotation++) {
      harness.now += ROTATE_EVERY;
      token = await harness.rotate(token);
      const outcome = await harness.use(token);
      assert.ok(outcome.outcome === 'current', 'the successor was not accepted');
      assert.equal(outcome.session.createdAt, createdAt, 'a rotation moved createdAt');
      assert.equal(outcome.session.expiresAt, createdAt + LIFETIME, 'a rotation moved expiresAt');
    }
  },
  async 'lets racing tabs present old and new token alike while the grace lasts'(harness) {
    const { token, successor } = await harness.createRotated();
    const presented = Array.from({ length: RACERS }, (_, i) => (i % 3 === 0 ? successor : token));
    const outcomes = await Promise.all(
      presented.map((text, caller) => harness.use(text, {}, harness.storeOf(caller))),
    );
    for (const [i, { outcome }] of outcomes.entries()) {
      assert.equal(outcome, presented[i] === successor ? 'current' : 'rotated');
    }
  },
  async "counts a successor's age from its first use, and only from that"(harness) {
    const { successor } = await harness.createRotated();
    harness.now += 5 * ROTATE_EVERY;
    await harness.expectOutcome(successor, 'current', 'rotated a token that nobody had used before');
    harness.now += ROTATE_EVERY - 1;
    await harness.expectOutcome(successor, 'current');
    harness.now += 1;
    await harness.expectOutcome(successor, 'rotated');
  },
  async 'accepts a token whose successor got lost, however late'(harness) {
    const { token, successor } = await harness.createRotated();
    harness.now += 10 * GRACE;
    assert.equal(await harness.rotate(token), successor);
  },
  async 'revokes the session when a token comes back after its successor was used for the grace'(harness) {
    const { id, token, successor } = await harness.createRotated();
    await harness.expectOutcome(successor, 'current');
    harness.now += GRACE - 1;
    await harness.expectOutcome(token, 'rotated');
    await harness.expectOutcome(successor, 'current', 'moved the first use of a successor');
    harness.now += 1;
    await harness.expectOutcome(token, 'reused');
    await harness.expectOutcome(token, 'revoked');
    await harness.expectOutcome(successor, 'revoked');
    assert.deepEqual(await harness.revokedIds(harness.now), [id]);
    assert.deepEqual(await harness.listIds(), []);
  },
  async 'says when a token was rotated, to everybody who presents it'(harness) {
    const { token } = await harness.create();
    harness.now += ROTATE_EVERY;
    const rotatedAt = harness.now;
    for (let presentation = 0; presentation < 3; presentation++) {
      const outcome = await harness.use(token);
      assert.equal(outcome.outcome === 'rotated' && outcome.rotatedAt, rotatedAt);
      harness.now += ROTATE_EVERY;
    }
  },
  async 'counts the grace from the rotation if the clock of the first use is behind it'(harness) {
    const { token, successor } = await harness.createRotated();
    const behind = { now: harness.now - GRACE - 15 };
    assert.equal((await harness.use(successor, behind)).outcome, 'current');
    await harness.expectOutcome(token, 'rotated', 'took the difference of two clocks for a reuse');
    harness.now += GRACE - 1;
    await harness.expectOutcome(token, 'rotated');
    harness.now += 1;
    await harness.expectOutcome(token, 'reused');
  },
  async 'notices a reuse whatever key the successor was derived with'(harness) {
    const { token } = await harness.create();
    harness.now += ROTATE_EVERY;
    await harness.use(token, { keyId: 'retired' });
    await harness.expectOutcome(await harness.rotate(token), 'current');
    harness.now += GRACE;
    assert.equal((await harness.use(token, { keyId: 'key-2' })).outcome, 'reused');
  },
  async 'notices the reuse of any ancestor'(harness) {
    const { token, successor } = await harness.createRotated();
    await harness.expectOutcome(successor, 'current');
    harness.now += ROTATE_EVERY;
    const third = await harness.rotate(successor);
    await harness.expectOutcome(third, 'current');
    await harness.expectOutcome(token, 'reused');
    await harness.expectOutcome(third, 'revoked');
  },
  async 'judges each token by the use of its own successor'(harness) {
    const { token, successor } = await harness.createRotated();
    await harness.expectOutcome(successor, 'current');
    harness.now += ROTATE_EVERY;
    const third = await harness.rotate(successor);
    harness.now += 10 * GRACE;
    assert.equal(await harness.rotate(successor), third, 'the third token has not been used yet');
    await harness.expectOutcome(third, 'current');
    harness.now += GRACE - 1;
    assert.equal(await harness.rotate(successor), third);
    await harness.expectOutcome(token, 'reused');
  },
  async 'reports one reuse once, however many clients present the token at once'(harness) {
    const { token, successor } = await harness.createRotated();
    await harness.expectOutcome(successor, 'current');
    harness.now += GRACE;
    const outcomes = await Promise.all(
      Array.from({ length: RACERS }, (_, caller) => harness.use(token, {}, harness.storeOf(caller))),
    );
    const counted = outcomes.map(({ outcome }) => outcome);
    assert.equal(counted.filter((outcome) => outcome === 'reused').length, 1);
    assert.equal(counted.filter((outcome) => outcome === 'revoked').length, RACERS - 1);
  },
  async 'ends a session at the time that was set at its log-in, rotated or not'(harness) {
    const { token, successor } = await harness.createRotated();
    harness.now += LIFETIME - ROTATE_EVERY - 1;
    await harness.expectOutcome(successor, 'current');
    assert.equal((await harness.find(successor))?.session.expiresAt, harness.now + 1);
    harness.now += 1;
    await harness.expectOutcome(token, 'expired');
    await harness.expectOutcome(successor, 'expired');
  },
  async 'writes nothing for a token that it refuses'(harness) {
    const { id, token } = await harness.create();
    const before = await harness.list();
    const start = harness.now;
    harness.now += LIFETIME;
    await harness.expectOutcome(token, 'expired');
    harness.now = start;
    assert.deepEqual(await harness.list(), before);
    await harness.expectOutcome(token, 'current');
    await harness.revoke(id);
    harness.now += ROTATE_EVERY;
    const salt = randomHex(16);
    assert.equal((await harness.use(token, { salt })).outcome, 'revoked');
    assert.equal(
      (await harness.use(successorOf(token, salt))).outcome,
      'unknown',
      'rotated a revoked session',
    );
  },
  async "records a session's last use as precisely as asked, and keeps the rest of it"(harness) {
    const { token } = await harness.create();
    const createdAt = harness.now;
    const [before] = await harness.list();
    harness.now += RECORD_USE_EVERY - 1;
    await harness.expectOutcome(token, 'current');
    assert.equal(await harness.lastUsedAt(), createdAt);
    harness.now += 1;
    await harness.expectOutcome(token, 'current');
    assert.equal(await harness.lastUsedAt(), harness.now);
    harness.now = createdAt + ROTATE_EVERY;
    const successor = await harness.rotate(token);
    harness.now += RECORD_USE_EVERY;
    await harness.expectOutcome(successor, 'current');
    assert.deepEqual(await harness.list(), [{ ...before, lastUsedAt: harness.now }]);
  },
  async 'stores no token that somebody could present'(harness) {
    const { token, successor } = await harness.createRotated();
    for (const text of [token, successor]) {
      // An attacker who reads the table presents what stands there.
      await harness.expectOutcome(hashOf(text), 'unknown');
      assert.ok(!JSON.stringify(await harness.list()).includes(text));
    }
  },
};

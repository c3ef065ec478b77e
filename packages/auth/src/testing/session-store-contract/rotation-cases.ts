import assert from 'node:assert/strict';
import {
  GRACE,
  hashOf,
  LIFETIME,
  RACERS,
  RECORD_USE_EVERY,
  ROTATE_EVERY,
  randomHex,
  type SessionStageCase,
  successorOf,
} from './session-stage.ts';

/** Presenting refresh tokens, one after the other and at once. */
export const rotationCases: readonly SessionStageCase[] = [
  {
    name: 'knows no token but those it was given',
    async run(stage) {
      await stage.create();
      await stage.expectOutcome(randomHex(32), 'unknown');
    },
  },
  {
    name: 'finds a token current until it is due for rotation',
    async run(stage) {
      const { id, token } = await stage.create();
      await stage.expectOutcome(token, 'current');
      stage.now += ROTATE_EVERY - 1;
      await stage.expectOutcome(token, 'current');
      stage.now += 1;
      const outcome = await stage.use(token);
      assert.equal(outcome.outcome, 'rotated');
      assert.equal(outcome.outcome === 'rotated' && outcome.session.id, id);
    },
  },
  {
    name: 'gives a token the successor of the salt it was called with, and keeps to it',
    async run(stage) {
      const { token } = await stage.create();
      stage.now += ROTATE_EVERY;
      const salt = randomHex(16);
      for (const offered of [salt, randomHex(16), randomHex(16)]) {
        const outcome = await stage.use(token, { salt: offered });
        assert.equal(outcome.outcome === 'rotated' && outcome.successorSalt, salt);
      }
      await stage.expectOutcome(successorOf(token, salt), 'current');
    },
  },
  {
    name: 'names the key that a successor was derived with, whatever key later callers bring',
    async run(stage) {
      const { token } = await stage.create();
      stage.now += ROTATE_EVERY;
      const first = `${'k'.repeat(60)}~._-`;
      const named = [];
      for (const keyId of [first, 'key-2', 'sha256:0a']) {
        const outcome = await stage.use(token, { keyId });
        named.push(outcome.outcome === 'rotated' && outcome.successorKeyId);
      }
      assert.deepEqual(named, [first, first, first]);
      const successor = await stage.rotate(token);
      await stage.expectOutcome(successor, 'current');
      stage.now += ROTATE_EVERY;
      const next = await stage.use(successor, { keyId: 'key-2' });
      assert.equal(next.outcome === 'rotated' && next.successorKeyId, 'key-2');
    },
  },
  {
    name: 'gives all who rotate one token at once the same successor, and makes no other',
    async run(stage) {
      const { token } = await stage.create();
      stage.now += ROTATE_EVERY;
      const callers = Array.from({ length: RACERS }, (_, n) => ({ salt: randomHex(16), keyId: `key-${n}` }));
      const outcomes = await Promise.all(
        callers.map((caller, n) => stage.use(token, caller, stage.storeOf(n))),
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
        if (await stage.find(successorOf(token, salt))) known.push(`${salt} by ${keyId}`);
      }
      assert.deepEqual(known, [...given], 'successors were stored that nobody was given');
    },
  },
  {
    name: 'lets racing tabs present old and new token alike while the grace lasts',
    async run(stage) {
      const { token, successor } = await stage.createRotated();
      const presented = Array.from({ length: RACERS }, (_, i) => (i % 3 === 0 ? successor : token));
      const outcomes = await Promise.all(
        presented.map((text, caller) => stage.use(text, {}, stage.storeOf(caller))),
      );
      for (const [i, { outcome }] of outcomes.entries()) {
        assert.equal(outcome, presented[i] === successor ? 'current' : 'rotated');
      }
    },
  },
  {
    name: "counts a successor's age from its first use, and only from that",
    async run(stage) {
      const { successor } = await stage.createRotated();
      stage.now += 5 * ROTATE_EVERY;
      await stage.expectOutcome(successor, 'current', 'rotated a token that nobody had used before');
      stage.now += ROTATE_EVERY - 1;
      await stage.expectOutcome(successor, 'current');
      stage.now += 1;
      await stage.expectOutcome(successor, 'rotated');
    },
  },
  {
    name: 'accepts a token whose successor got lost, however late',
    async run(stage) {
      const { token, successor } = await stage.createRotated();
      stage.now += 10 * GRACE;
      assert.equal(await stage.rotate(token), successor);
    },
  },
  {
    name: 'revokes the session when a token comes back after its successor was used for the grace',
    async run(stage) {
      const { id, token, successor } = await stage.createRotated();
      await stage.expectOutcome(successor, 'current');
      stage.now += GRACE - 1;
      await stage.expectOutcome(token, 'rotated');
      await stage.expectOutcome(successor, 'current', 'moved the first use of a successor');
      stage.now += 1;
      await stage.expectOutcome(token, 'reused');
      await stage.expectOutcome(token, 'revoked');
      await stage.expectOutcome(successor, 'revoked');
      assert.deepEqual(await stage.revokedIds(stage.now), [id]);
      assert.deepEqual(await stage.listIds(), []);
    },
  },
  {
    name: 'notices a reuse whatever key the successor was derived with',
    async run(stage) {
      const { token } = await stage.create();
      stage.now += ROTATE_EVERY;
      await stage.use(token, { keyId: 'retired' });
      await stage.expectOutcome(await stage.rotate(token), 'current');
      stage.now += GRACE;
      assert.equal((await stage.use(token, { keyId: 'key-2' })).outcome, 'reused');
    },
  },
  {
    name: 'notices the reuse of any ancestor',
    async run(stage) {
      const { token, successor } = await stage.createRotated();
      await stage.expectOutcome(successor, 'current');
      stage.now += ROTATE_EVERY;
      const third = await stage.rotate(successor);
      await stage.expectOutcome(third, 'current');
      await stage.expectOutcome(token, 'reused');
      await stage.expectOutcome(third, 'revoked');
    },
  },
  {
    name: 'judges each token by the use of its own successor',
    async run(stage) {
      const { token, successor } = await stage.createRotated();
      await stage.expectOutcome(successor, 'current');
      stage.now += ROTATE_EVERY;
      const third = await stage.rotate(successor);
      stage.now += 10 * GRACE;
      assert.equal(await stage.rotate(successor), third, 'the third token has not been used yet');
      await stage.expectOutcome(third, 'current');
      stage.now += GRACE - 1;
      assert.equal(await stage.rotate(successor), third);
      await stage.expectOutcome(token, 'reused');
    },
  },
  {
    name: 'reports one reuse once, whoever presents the token at once',
    async run(stage) {
      const { token, successor } = await stage.createRotated();
      await stage.expectOutcome(successor, 'current');
      stage.now += GRACE;
      const outcomes = await Promise.all(
        Array.from({ length: RACERS }, (_, caller) => stage.use(token, {}, stage.storeOf(caller))),
      );
      const counted = outcomes.map(({ outcome }) => outcome);
      assert.equal(counted.filter((outcome) => outcome === 'reused').length, 1);
      assert.equal(counted.filter((outcome) => outcome === 'revoked').length, RACERS - 1);
    },
  },
  {
    name: 'ends a session at the time that was set at its log-in, rotated or not',
    async run(stage) {
      const { token, successor } = await stage.createRotated();
      stage.now += LIFETIME - ROTATE_EVERY - 1;
      await stage.expectOutcome(successor, 'current');
      assert.equal((await stage.find(successor))?.session.expiresAt, stage.now + 1);
      stage.now += 1;
      await stage.expectOutcome(token, 'expired');
      await stage.expectOutcome(successor, 'expired');
    },
  },
  {
    name: 'writes nothing for a token that it refuses',
    async run(stage) {
      const { id, token } = await stage.create();
      const before = await stage.list();
      const start = stage.now;
      stage.now += LIFETIME;
      await stage.expectOutcome(token, 'expired');
      stage.now = start;
      assert.deepEqual(await stage.list(), before);
      await stage.expectOutcome(token, 'current');
      await stage.revoke(id);
      stage.now += ROTATE_EVERY;
      const salt = randomHex(16);
      assert.equal((await stage.use(token, { salt })).outcome, 'revoked');
      assert.equal(
        (await stage.use(successorOf(token, salt))).outcome,
        'unknown',
        'rotated a revoked session',
      );
    },
  },
  {
    name: "records a session's last use as precisely as asked, and keeps the rest of it",
    async run(stage) {
      const { token } = await stage.create();
      const createdAt = stage.now;
      const [before] = await stage.list();
      stage.now += RECORD_USE_EVERY - 1;
      await stage.expectOutcome(token, 'current');
      assert.equal(await stage.lastUsedAt(), createdAt);
      stage.now += 1;
      await stage.expectOutcome(token, 'current');
      assert.equal(await stage.lastUsedAt(), stage.now);
      stage.now = createdAt + ROTATE_EVERY;
      const successor = await stage.rotate(token);
      stage.now += RECORD_USE_EVERY;
      await stage.expectOutcome(successor, 'current');
      assert.deepEqual(await stage.list(), [{ ...before, lastUsedAt: stage.now }]);
    },
  },
  {
    name: 'stores no token that somebody could present',
    async run(stage) {
      const { token, successor } = await stage.createRotated();
      for (const text of [token, successor]) {
        // Whoever reads the table presents what stands there.
        await stage.expectOutcome(hashOf(text), 'unknown');
        assert.ok(!JSON.stringify(await stage.list()).includes(text));
      }
    },
  },
];

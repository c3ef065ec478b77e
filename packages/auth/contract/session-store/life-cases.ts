import assert from 'node:assert/strict';
import type { Session } from '../../src/sessions/session.ts';
import { randomHex } from '../store/random-hex.ts';
import { hashOf, INSTANCE, LIFETIME, ROTATE_EVERY, type SessionHarnessCases } from './session-harness.ts';

/** Making, finding, listing and purging sessions. */
export const lifeCases: SessionHarnessCases = {
  async 'keeps a session with all that it was given'(harness) {
    const { tokenHash, ...fields } = harness.newSession();
    await harness.store.create({ ...fields, tokenHash });
    assert.deepEqual(await harness.list(), [{ ...fields, lastUsedAt: fields.createdAt, refreshedFrom: [] }]);
  },
  async 'neither interprets nor changes texts'(harness) {
    for (const text of AWKWARD_TEXTS) {
      const { id } = await harness.create({ uid: text, userAgent: text });
      const sessions = await harness.list(text);
      assert.deepEqual(
        sessions.map((session) => [session.id, session.uid, session.userAgent]),
        [[id, text, text]],
      );
    }
  },
  async 'holds the longest texts that are allowed'(harness) {
    const fields = {
      uid: 'ü'.repeat(128),
      instance: `/${'a'.repeat(255)}`,
      userAgent: 'x'.repeat(256),
      ip: 'f'.repeat(64),
    };
    await harness.create(fields);
    const [session] = await harness.store.list({ ...fields, now: harness.now, limit: 1 });
    assert.deepEqual({ ...session, ...fields }, session);
  },
  async 'refuses a second session of the same id, and of the same token, and leaves the first as it was'(
    harness,
  ) {
    const { id, token } = await harness.create();
    await assert.rejects(harness.create({ id, uid: '43' }));
    await assert.rejects(harness.create({ tokenHash: hashOf(token), uid: '43' }));
    assert.deepEqual(await harness.listIds('43'), []);
    assert.deepEqual(await harness.listIds(), [id]);
  },
  async 'finds the live session of a token, and tells whether it has a successor'(harness) {
    const { id, token, successor } = await harness.createRotated();
    assert.deepEqual(
      [(await harness.find(token))?.session.id, (await harness.find(token))?.isRotated],
      [id, true],
    );
    assert.deepEqual(
      [(await harness.find(successor))?.session.id, (await harness.find(successor))?.isRotated],
      [id, false],
    );
    assert.equal(await harness.find(randomHex(32)), undefined);
    assert.equal(await harness.find(token, '/api'), undefined);
    await harness.revoke(id);
    assert.equal(await harness.find(token), undefined);
    assert.equal(await harness.find(successor), undefined);
  },
  async 'finds no session that has expired'(harness) {
    const { token } = await harness.create();
    harness.now += LIFETIME - 1;
    assert.ok(await harness.find(token));
    harness.now += 1;
    assert.equal(await harness.find(token), undefined);
  },
  async 'records no use of a token that it only finds'(harness) {
    const { token, successor } = await harness.createRotated();
    await harness.find(successor);
    harness.now += ROTATE_EVERY;
    await harness.expectOutcome(token, 'rotated');
    await harness.expectOutcome(successor, 'current');
  },
  async "lists a user's live sessions, newest first, as many as asked for"(harness) {
    const gone = await harness.create({ expiresAt: harness.now + 4 });
    const revoked = await harness.create();
    const made = [];
    for (let i = 0; i < 4; i++) {
      harness.now += i === 2 ? 0 : 1;
      made.push({ id: (await harness.create()).id, createdAt: harness.now });
    }
    await harness.create({ uid: '43' });
    await harness.create({ instance: '/api' });
    await harness.revoke(revoked.id);
    harness.now += 1;
    const newestFirst = made
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
    assert.deepEqual(await harness.listIds(), newestFirst);
    assert.ok(!newestFirst.includes(gone.id));
    assert.deepEqual(
      (await harness.list('42', 2)).map(({ id }) => id),
      newestFirst.slice(0, 2),
    );
  },
  async "lists a user's sessions page by page, whatever begins or ends in between"(harness) {
    const made: { readonly id: string; readonly createdAt: number }[] = [];
    for (let i = 0; i < 7; i++) {
      // The pages of two end within sessions of one second.
      harness.now += i % 3 === 0 ? 1 : 0;
      made.push({ id: (await harness.create()).id, createdAt: harness.now });
    }
    await harness.create({ uid: '43', createdAt: harness.now - 1 });
    const newestFirst = made
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
    harness.now += 1;
    const listed: string[] = [];
    let after: Pick<Session, 'createdAt' | 'id'> | undefined;
    for (let page = 0; page < 10; page++) {
      const query = { uid: '42', instance: INSTANCE, now: harness.now, limit: 2 };
      const sessions = await harness.store.list({ ...query, after });
      assert.ok(sessions.length <= 2);
      listed.push(...sessions.map(({ id }) => id));
      after = sessions.at(-1);
      if (after === undefined) break;
      await harness.create();
      if (page % 2 === 0) await harness.revoke(after.id);
    }
    assert.deepEqual(listed, newestFirst);
  },
  async 'compares users and instances byte for byte'(harness) {
    const { token } = await harness.create({ uid: 'ada' });
    for (const uid of ['Ada', 'ada ', 'adá', 'ad', '%'])
      assert.deepEqual(await harness.listIds(uid), [], uid);
    for (const instance of ['/API/ADMIN', '/api/admin ', '/api']) {
      assert.equal((await harness.use(token, { instance })).outcome, 'unknown', instance);
      assert.equal(await harness.find(token, instance), undefined, instance);
      const revocation = { uid: 'ada', instance, now: harness.now, reason: 'revoked_all' } as const;
      assert.deepEqual(await harness.store.revokeAll(revocation), [], instance);
    }
    await harness.expectOutcome(token, 'current');
  },
  async 'purges what has expired, and nothing else, at most as much as asked for'(harness) {
    const expiresAt = harness.now + ROTATE_EVERY + 100;
    const expiring = [];
    for (let i = 0; i < 5; i++) expiring.push(await harness.create({ expiresAt }));
    const [first] = expiring;
    assert.ok(first);
    const { id, token } = await harness.create();
    const revoked = await harness.create();
    await harness.revoke(revoked.id);
    harness.now += ROTATE_EVERY;
    const successor = await harness.rotate(first.token);
    harness.now = expiresAt;
    const purge = (limit: number, expiredBefore = harness.now) =>
      harness.store.purge({ expiredBefore, limit });
    assert.equal(await purge(100, expiresAt - 1), 0);
    assert.equal(await purge(4), 4);
    assert.equal(await purge(4), 2);
    assert.equal(await purge(4), 0);
    await harness.expectOutcome(first.token, 'unknown');
    await harness.expectOutcome(successor, 'unknown');
    await harness.expectOutcome(revoked.token, 'revoked');
    assert.deepEqual(await harness.listIds(), [id]);
    await harness.expectOutcome(token, 'rotated');
  },
  async 'purges the sessions that were revoked long enough ago, and no other'(harness) {
    const ended = await harness.createRotated();
    const kept = await harness.create();
    const live = await harness.createRotated();
    await harness.revoke(ended.id);
    const revokedBefore = harness.now;
    harness.now += 1;
    await harness.revoke(kept.id);
    const purge = (before?: number) =>
      harness.store.purge({ expiredBefore: 0, revokedBefore: before, limit: 100 });
    assert.equal(await purge(), 0, 'a purge that is not asked for revoked sessions removes none');
    assert.equal(await purge(revokedBefore - 1), 0);
    await harness.expectOutcome(ended.token, 'revoked');
    assert.equal(await purge(revokedBefore), 2, 'the root and its successor');
    assert.equal(await purge(revokedBefore), 0);
    await harness.expectOutcome(ended.token, 'unknown');
    await harness.expectOutcome(ended.successor, 'unknown');
    await harness.expectOutcome(kept.token, 'revoked');
    assert.deepEqual(await harness.revokedIds(), [kept.id]);
    assert.deepEqual(await harness.listIds(), [live.id]);
    await harness.expectOutcome(live.token, 'rotated');
    await harness.expectOutcome(live.successor, 'current');
  },
  async 'purges a revoked session in several calls, whose tokens never work in between'(harness) {
    const { id, token } = await harness.create();
    const tokens = [token];
    for (let last = token; tokens.length < 5; tokens.push(last)) {
      harness.now += ROTATE_EVERY;
      // A successor that is presented first counts its age from then on.
      if (tokens.length > 1) await harness.expectOutcome(last, 'current');
      harness.now += ROTATE_EVERY;
      last = await harness.rotate(last);
    }
    const expired = await harness.create({ expiresAt: harness.now });
    await harness.revoke(id);
    const options = { expiredBefore: harness.now, revokedBefore: harness.now };
    const outcomes: string[] = [];
    for (const [limit, removed] of [
      [1, 1],
      [2, 2],
      [2, 2],
      [2, 1],
      [2, 0],
    ] as const) {
      assert.equal(await harness.store.purge({ ...options, limit }), removed);
      for (const each of tokens) outcomes.push((await harness.use(each)).outcome);
      assert.deepEqual(await harness.listIds(), []);
    }
    assert.deepEqual([...new Set(outcomes)].sort(), ['revoked', 'unknown']);
    assert.deepEqual(
      outcomes.slice(-tokens.length),
      tokens.map(() => 'unknown'),
    );
    await harness.expectOutcome(expired.token, 'unknown');
  },
  'shows each process what another one wrote': {
    needsSecondProcess: true,
    async run(harness) {
      const { id, token } = await harness.create();
      assert.equal((await harness.use(token, {}, harness.secondProcess)).outcome, 'current');
      await harness.revoke(id, 'revoked', harness.secondProcess);
      await harness.expectOutcome(token, 'revoked');
      assert.deepEqual(await harness.revokedIds(), [id]);
      assert.deepEqual(
        await harness.secondProcess.list({ uid: '42', instance: INSTANCE, now: harness.now, limit: 9 }),
        [],
      );
    },
  },
};

/** Texts that a store must neither interpret nor change. */
const AWKWARD_TEXTS: readonly string[] = Object.freeze([
  `'); DROP TABLE refresh_tokens; --`,
  '" OR ""="',
  '100%_done\\',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder that nobody may fill in
  '? $1 :name @p1 ${x} {{y}}',
  'Grüße, 世界, 👩‍👩‍👧, e\u0301, \u{20bb7}\u{e01ef}',
  ' spaces kept\t',
  'null',
  '__proto__',
]);

import assert from 'node:assert/strict';
import {
  hashOf,
  INSTANCE,
  LIFETIME,
  ROTATE_EVERY,
  randomHex,
  type SessionStageCase,
} from './session-stage.ts';

/** Making, finding, listing and purging sessions. */
export const lifeCases: readonly SessionStageCase[] = [
  {
    name: 'keeps a session with all that it was given',
    async run(stage) {
      const { tokenHash, ...fields } = stage.newSession();
      await stage.store.create({ ...fields, tokenHash });
      assert.deepEqual(await stage.list(), [{ ...fields, lastUsedAt: fields.createdAt, refreshedFrom: [] }]);
    },
  },
  {
    name: 'neither interprets nor changes texts',
    async run(stage) {
      for (const text of AWKWARD_TEXTS) {
        const { id } = await stage.create({ uid: text, userAgent: text });
        const sessions = await stage.list(text);
        assert.deepEqual(
          sessions.map((session) => [session.id, session.uid, session.userAgent]),
          [[id, text, text]],
        );
      }
    },
  },
  {
    name: 'holds the longest texts that are allowed',
    async run(stage) {
      const fields = {
        uid: 'ü'.repeat(128),
        instance: `/${'a'.repeat(255)}`,
        userAgent: 'x'.repeat(256),
        ip: 'f'.repeat(64),
      };
      await stage.create(fields);
      const [session] = await stage.store.list({ ...fields, now: stage.now, limit: 1 });
      assert.deepEqual({ ...session, ...fields }, session);
    },
  },
  {
    name: 'refuses a second session of the same id, and of the same token, and leaves the first as it was',
    async run(stage) {
      const { id, token } = await stage.create();
      await assert.rejects(stage.create({ id, uid: '43' }));
      await assert.rejects(stage.create({ tokenHash: hashOf(token), uid: '43' }));
      assert.deepEqual(await stage.listIds('43'), []);
      assert.deepEqual(await stage.listIds(), [id]);
    },
  },
  {
    name: 'finds the live session of a token, and tells whether it has a successor',
    async run(stage) {
      const { id, token, successor } = await stage.createRotated();
      assert.deepEqual(
        [(await stage.find(token))?.session.id, (await stage.find(token))?.isRotated],
        [id, true],
      );
      assert.deepEqual(
        [(await stage.find(successor))?.session.id, (await stage.find(successor))?.isRotated],
        [id, false],
      );
      assert.equal(await stage.find(randomHex(32)), undefined);
      assert.equal(await stage.find(token, '/api'), undefined);
      await stage.revoke(id);
      assert.equal(await stage.find(token), undefined);
      assert.equal(await stage.find(successor), undefined);
    },
  },
  {
    name: 'finds no session that has expired',
    async run(stage) {
      const { token } = await stage.create();
      stage.now += LIFETIME - 1;
      assert.ok(await stage.find(token));
      stage.now += 1;
      assert.equal(await stage.find(token), undefined);
    },
  },
  {
    name: 'records no use of a token that it only finds',
    async run(stage) {
      const { token, successor } = await stage.createRotated();
      await stage.find(successor);
      stage.now += ROTATE_EVERY;
      await stage.expectOutcome(token, 'rotated');
      await stage.expectOutcome(successor, 'current');
    },
  },
  {
    name: "lists a user's live sessions, newest first, as many as asked for",
    async run(stage) {
      const gone = await stage.create({ expiresAt: stage.now + 4 });
      const revoked = await stage.create();
      const made = [];
      for (let i = 0; i < 4; i++) {
        stage.now += i === 2 ? 0 : 1;
        made.push({ id: (await stage.create()).id, createdAt: stage.now });
      }
      await stage.create({ uid: '43' });
      await stage.create({ instance: '/api' });
      await stage.revoke(revoked.id);
      stage.now += 1;
      const newestFirst = made
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
        .map(({ id }) => id);
      assert.deepEqual(await stage.listIds(), newestFirst);
      assert.ok(!newestFirst.includes(gone.id));
      assert.deepEqual(
        (await stage.list('42', 2)).map(({ id }) => id),
        newestFirst.slice(0, 2),
      );
    },
  },
  {
    name: 'compares users and instances byte for byte',
    async run(stage) {
      const { token } = await stage.create({ uid: 'ada' });
      for (const uid of ['Ada', 'ada ', 'adá', 'ad', '%'])
        assert.deepEqual(await stage.listIds(uid), [], uid);
      for (const instance of ['/API/ADMIN', '/api/admin ', '/api']) {
        assert.equal((await stage.use(token, { instance })).outcome, 'unknown', instance);
        assert.equal(await stage.find(token, instance), undefined, instance);
        const revocation = { uid: 'ada', instance, now: stage.now, reason: 'revoked_all' } as const;
        assert.deepEqual(await stage.store.revokeAll(revocation), [], instance);
      }
      await stage.expectOutcome(token, 'current');
    },
  },
  {
    name: 'purges what has expired, and nothing else, at most as much as asked for',
    async run(stage) {
      const expiresAt = stage.now + ROTATE_EVERY + 100;
      const expiring = [];
      for (let i = 0; i < 5; i++) expiring.push(await stage.create({ expiresAt }));
      const [first] = expiring;
      assert.ok(first);
      const { id, token } = await stage.create();
      const revoked = await stage.create();
      await stage.revoke(revoked.id);
      stage.now += ROTATE_EVERY;
      const successor = await stage.rotate(first.token);
      stage.now = expiresAt;
      const purge = (limit: number, expiredBefore = stage.now) => stage.store.purge({ expiredBefore, limit });
      assert.equal(await purge(100, expiresAt - 1), 0);
      assert.equal(await purge(4), 4);
      assert.equal(await purge(4), 2);
      assert.equal(await purge(4), 0);
      await stage.expectOutcome(first.token, 'unknown');
      await stage.expectOutcome(successor, 'unknown');
      await stage.expectOutcome(revoked.token, 'revoked');
      assert.deepEqual(await stage.listIds(), [id]);
      await stage.expectOutcome(token, 'rotated');
    },
  },
  {
    name: 'shows each process what another one wrote',
    needsPeer: true,
    async run(stage) {
      const { id, token } = await stage.create();
      assert.equal((await stage.use(token, {}, stage.peer)).outcome, 'current');
      await stage.revoke(id, 'revoked', stage.peer);
      await stage.expectOutcome(token, 'revoked');
      assert.deepEqual(await stage.revokedIds(), [id]);
      assert.deepEqual(
        await stage.peer.list({ uid: '42', instance: INSTANCE, now: stage.now, limit: 9 }),
        [],
      );
    },
  },
];

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

import { createHash } from 'node:crypto';
import { type CompiledQuery, sql } from 'kysely';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqliteFile } from '../../../../../test/services/sqlite-file.ts';
import type { ApiKeyStore } from '../../../src/api-keys/api-key-store.ts';
import { kyselyApiKeyStore } from '../../../src/kysely/api-key-store.ts';
import { kyselyOneTimeTokenStore, kyselySessionStore, migrateAuth } from '../../../src/kysely/index.ts';
import type { OneTimeTokenStore } from '../../../src/one-time-tokens/one-time-token-store.ts';
import type { SessionStore } from '../../../src/sessions/store/session-store.ts';

const NOW = 1_795_147_800;

const file = sqliteFile();
const executed: CompiledQuery[] = [];
const db = file.open({
  log: ({ query }) => {
    executed.push(query);
  },
});
const sessions = kyselySessionStore(db);
const apiKeys = kyselyApiKeyStore(db);
const oneTimeTokens = kyselyOneTimeTokenStore(db);

const hex = (n: number, length: number) => createHash('sha256').update(`${n}`).digest('hex').slice(0, length);
const [INSTANCE, PER_USER] = ['/api', 10];

beforeAll(async () => {
  await migrateAuth(db);
  for (let n = 0; n < 300; n += 1) {
    const uid = `${n % (300 / PER_USER)}`;
    await sessions.create({
      id: hex(n, 32),
      tokenHash: hex(n, 64),
      uid,
      instance: INSTANCE,
      createdAt: NOW + n,
      expiresAt: NOW + 86_400 + n,
      userAgent: '',
      ip: '',
    });
    await apiKeys.add({
      id: hex(n, 32),
      keyHash: `sha256$${hex(n, 64)}`,
      instance: INSTANCE,
      uid,
      name: 'x',
      displayPrefix: 'x',
      scopes: [],
      createdAt: NOW + n,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    await oneTimeTokens.issue(oneTimeToken(n));
  }
});

afterAll(() => file.remove());

/**
 * How SQLite goes about the statements that an operation really runs: one line per loop or sort.
 */
async function planOf(operation: () => Promise<unknown>): Promise<string[]> {
  executed.length = 0;
  await operation();
  const statements = executed.filter(({ sql: text }) => /^(select|insert|update|delete)/.test(text));
  // On a connection of its own: libsql 0.5.29 leaves an explained write in progress.
  const explaining = new Database(file.path);
  const rows = statements.flatMap(({ sql: text, parameters }) =>
    explaining.prepare(`explain query plan ${text}`).all(...parameters),
  );
  explaining.close();
  return rows.map((row) => (row as { detail: string }).detail);
}

function oneTimeToken(n: number) {
  const times = { issuedAt: NOW + n, expiresAt: NOW + 3_600 + n };
  return { uid: `${n}`, instance: INSTANCE, purpose: 'p', tokenHash: hex(n, 64), ...times };
}

function presented(n: number) {
  return { tokenHash: hex(n, 64), instance: INSTANCE, purpose: 'p', now: NOW };
}

function use(n: number, now: number) {
  return {
    tokenHash: hex(n, 64),
    instance: INSTANCE,
    now,
    salt: hex(n, 32),
    keyId: 'k',
    nextId: hex(n + 1_000, 32),
    rotateEverySeconds: 900,
    reuseGraceSeconds: 30,
    recordUseEverySeconds: 300,
    successorHash: () => hex(n + 1_000, 64),
  };
}

type Operation = [
  name: string,
  run: (on: SessionStore, keys: ApiKeyStore, round: number, tokens: OneTimeTokenStore) => Promise<unknown>,
  index: string,
];

const byHash = 'token_hash=?';
const byUser = '(live_uid=? AND instance=?)';
const operations: Operation[] = [
  ['a poll that writes nothing', (on) => on.useRefreshToken(use(1, NOW + 2)), byHash],
  ['a rotation', (on, _, round) => on.useRefreshToken(use(20 + round, NOW + 1_000)), byHash],
  [
    'the first use of a successor',
    (on, _, round) => on.useRefreshToken(use(1_020 + round, NOW + 1_000)),
    '(family_id=? AND successor_used_at=?)',
  ],
  ['a lookup by token', (on) => on.findByToken(use(3, NOW + 9)), byHash],
  [
    'another client',
    (on) =>
      on.recordClients({
        sessionId: hex(4, 32),
        instance: INSTANCE,
        now: NOW,
        expected: [],
        refreshedFrom: [{ since: NOW, ip: '', userAgent: '' }],
      }),
    '(id=?)',
  ],
  [
    'a log-out',
    (on) => on.revoke({ sessionId: hex(4, 32), instance: INSTANCE, now: NOW, reason: 'logout' }),
    '(id=?)',
  ],
  [
    'a log-out everywhere',
    (on) => on.revokeAll({ uid: '5', instance: INSTANCE, now: NOW, reason: 'revoked_all' }),
    byUser,
  ],
  [
    'a log-in beyond the limit',
    (on, _, round) =>
      on.revokeOldest({
        uid: '4',
        instance: INSTANCE,
        // The last of the user's ten.
        newestId: hex(274, 32),
        keep: 8 - round,
        now: NOW,
        reason: 'limit',
      }),
    byUser,
  ],
  [
    "a page of a user's sessions",
    (on) =>
      on.list({ uid: '6', instance: INSTANCE, now: NOW, limit: 5, after: { id: 'f', createdAt: NOW + 200 } }),
    '(live_uid=? AND instance=? AND created_at<?)',
  ],
  ["a user's sessions", (on) => on.list({ uid: '6', instance: INSTANCE, now: NOW, limit: 50 }), byUser],
  [
    'the revocations of the last minutes',
    (on) => on.listRevocations({ instance: INSTANCE, since: NOW, limit: 100 }),
    '(revoked_at>?)',
  ],
  [
    'a purge of revoked sessions',
    (on) => on.purge({ expiredBefore: NOW, revokedBefore: NOW, limit: 10 }),
    '(revoked_at<?)',
  ],
  ['a purge', (on) => on.purge({ expiredBefore: NOW + 86_400 + 20, limit: 10 }), '(expires_at<?)'],
  [
    'a lookup by key',
    (_, keys) => keys.findByHash({ keyHash: `sha256$${hex(7, 64)}`, instance: INSTANCE }),
    'key_hash=?',
  ],
  [
    "a page of a user's keys",
    (_, keys) => keys.list({ uid: '8', instance: INSTANCE, limit: 5, after: { id: 'f', createdAt: NOW } }),
    '(uid=? AND instance=? AND created_at<?)',
  ],
  [
    'a revocation of a key',
    (_, keys) => keys.revoke({ id: hex(9, 32), uid: '9', instance: INSTANCE, now: NOW }),
    '(id=?)',
  ],
  [
    "a revocation of a user's keys",
    (_, keys) => keys.revokeAll({ uid: '10', instance: INSTANCE, now: NOW }),
    '(uid=? AND instance=?)',
  ],
  ['consuming a one-time token', (_, __, round, tokens) => tokens.consume(presented(13 + round)), byHash],
  ['finding a one-time token', (_, __, ___, tokens) => tokens.find(presented(15)), byHash],
  [
    "a revocation of a user's one-time tokens",
    (_, __, round, tokens) => tokens.revokeAll({ uid: `${16 + round}`, instance: INSTANCE, now: NOW }),
    '(uid=? AND instance=?)',
  ],
  [
    'a purge of one-time tokens',
    (_, __, round, tokens) => tokens.purge({ expiredBefore: NOW + 3_600 + 20 + round, limit: 10 }),
    '(expires_at<?)',
  ],
  ['noting the use of keys', (_, keys) => keys.recordUse([hex(11, 32), hex(12, 32)], NOW), '(id=?)'],
];

describe.each([
  ['without statistics', 0],
  ['with statistics', 1],
] as const)('%s', (statistics, round) => {
  beforeAll(async () => {
    if (statistics === 'with statistics') await sql`analyze`.execute(db);
  });

  test.each(operations)(
    '%s reads through its index, scans no table and sorts nothing',
    async (_, run, index) => {
      const plan = await planOf(() => run(sessions, apiKeys, round, oneTimeTokens));
      expect(plan.filter((step) => /SCAN|TEMP B-TREE|AUTOMATIC/.test(step))).toEqual([]);
      expect(plan).toContainEqual(expect.stringContaining(index));
    },
  );
});

import { Kysely, MysqlDialect, PostgresDialect, SqliteAdapter, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { Claims } from '../../src/claims.ts';
import { retryContention } from '../../src/kysely/database-access.ts';
import { dialectOf } from '../../src/kysely/dialect.ts';
import { kyselyApiKeys, kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import type { NewSession } from '../../src/sessions/store/session-store.ts';
import { type SqliteFile, sqliteFile } from './sqlite-file.ts';

const SESSION: NewSession = {
  id: 'a'.repeat(32),
  tokenHash: 'b'.repeat(64),
  uid: '42',
  instance: '/api',
  createdAt: 1_000,
  expiresAt: 9_000,
  userAgent: '',
  ip: '',
};

const files: SqliteFile[] = [];
afterEach(async () => {
  for (const file of files.splice(0)) await file.remove();
});

async function twoConnections() {
  const file = sqliteFile();
  files.push(file);
  const refused: string[] = [];
  const db = file.open({
    log: (event) => {
      if (event.level === 'error') refused.push(event.query.sql);
    },
  });
  await migrateAuth(db);
  return { db, other: file.open(), store: kyselySessionStore(db), refused };
}

describe('another connection in the way on SQLite', () => {
  test('delays a write until it is out of the way', async () => {
    const { other, store } = await twoConnections();
    const wasHeld = await other.connection().execute(async (connection) => {
      let isHeld = true;
      await sql`begin immediate`.execute(connection);
      const creating = store.create(SESSION).then(() => isHeld);
      // Some turns of the event loop, in which the write meets the lock.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      isHeld = false;
      await sql`commit`.execute(connection);
      return creating;
    });
    expect(wasHeld).toBe(false);
    expect(await store.list({ uid: '42', instance: '/api', now: 1_000, limit: 1 })).toHaveLength(1);
  });

  test('delays no read', async () => {
    const { other, store } = await twoConnections();
    await store.create(SESSION);
    await other.connection().execute(async (connection) => {
      await sql`begin immediate`.execute(connection);
      const token = { tokenHash: SESSION.tokenHash, instance: '/api', now: 1_000 };
      expect(await store.findByToken(token)).toMatchObject({ session: { id: SESSION.id } });
      const poll = {
        ...token,
        rotateEverySeconds: 900,
        reuseGraceSeconds: 30,
        recordUseEverySeconds: 300,
        salt: 's',
        keyId: 'k',
        nextId: 'n',
        successorHash: () => 'h',
      };
      expect(await store.useRefreshToken(poll)).toMatchObject({ outcome: 'current' });
      await sql`commit`.execute(connection);
    });
  });

  test('is met in one statement alone, before a transaction has read anything', async () => {
    const { db, other, store, refused } = await twoConnections();
    await store.create(SESSION);
    const apiKeys = kyselyApiKeys(db, { instance: '/api' });
    const owner = new Claims({ uid: '42', scopes: [] });
    const operations: (() => Promise<unknown>)[] = [
      () => store.create({ ...SESSION, id: 'c', tokenHash: 'd' }),
      () => store.revoke({ sessionId: SESSION.id, instance: '/api', now: 2_000, reason: 'logout' }),
      () => store.revokeAll({ uid: '42', instance: '/api', now: 2_000, reason: 'revoked_all' }),
      () => store.purge({ expiredBefore: 9_000, limit: 1 }),
      () =>
        store.useRefreshToken({
          tokenHash: SESSION.tokenHash,
          instance: '/api',
          now: 2_000,
          salt: 's',
          keyId: 'k',
          nextId: 'n',
          rotateEverySeconds: 900,
          reuseGraceSeconds: 30,
          recordUseEverySeconds: 300,
          successorHash: () => 'h',
        }),
      () => apiKeys.create(owner, { name: 'x' }),
      () => apiKeys.revoke(owner, SESSION.id),
      () => apiKeys.revokeAllOf('42'),
    ];
    await other.connection().execute(async (connection) => {
      await sql`begin immediate`.execute(connection);
      const running = operations.map((run) => run());
      while (refused.length < operations.length) await new Promise(setImmediate);
      await sql`commit`.execute(connection);
      await Promise.all(running);
    });
    expect(new Set(refused)).toEqual(new Set(['update "refresh_tokens" set "uid" = "uid" where "id" = ?']));
  });
});

describe('retryContention', () => {
  const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

  async function retry(outcomes: readonly (Error | string)[], msPerTry = 0) {
    const pausesMs: number[] = [];
    let tries = 0;
    let now = 0;
    const result = await retryContention(
      { isContention: (error) => error === busy },
      async () => {
        now += msPerTry;
        const outcome = outcomes[Math.min(tries++, outcomes.length - 1)];
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      async (ms) => {
        pausesMs.push(ms);
      },
      () => now,
    ).catch((error: unknown) => error);
    return { result, tries, pausesMs };
  }

  test('tries again while another connection is in the way', async () => {
    expect(await retry([busy, busy, 'done'])).toMatchObject({ result: 'done', tries: 3 });
  });

  test("gives up after 12 retries of about 2 s in all, with the database's error", async () => {
    const { result, tries, pausesMs } = await retry([busy]);
    expect([result, tries]).toEqual([busy, 13]);
    const totalMs = pausesMs.reduce((sum, ms) => sum + ms, 0);
    expect(totalMs).toBeGreaterThan(900);
    expect(totalMs).toBeLessThan(2_000);
  });

  test('begins no try later than 10 s after the first', async () => {
    expect(await retry([busy], 6_000)).toMatchObject({ result: busy, tries: 2 });
  });

  test('does not try again after any other error', async () => {
    const refused = Object.assign(new Error('unique'), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
    expect(await retry([refused])).toMatchObject({ result: refused, tries: 1, pausesMs: [] });
  });
});

describe('contention', () => {
  const adapters = {
    sqlite: sqliteLike(),
    postgres: new Kysely<unknown>({ dialect: new PostgresDialect({ pool: unused }) }),
    mysql: new Kysely<unknown>({ dialect: new MysqlDialect({ pool: unused }) }),
  };

  test.each<[keyof typeof adapters, string, object, boolean]>([
    ['sqlite', 'better-sqlite3, libsql', { code: 'SQLITE_BUSY_SNAPSHOT' }, true],
    ['sqlite', 'better-sqlite3, libsql', { code: 'SQLITE_LOCKED' }, true],
    ['sqlite', 'node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 5 }, true],
    ['sqlite', 'node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 517 }, true],
    ['sqlite', 'node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 1 }, false],
    ['sqlite', 'bun:sqlite', { errno: 6 }, true],
    ['sqlite', 'the file system', { code: 'EIO', errno: -5 }, false],
    ['sqlite', 'any', { code: 'SQLITE_FULL' }, false],
    ['sqlite', 'another database', { code: '40001' }, false],
    ['postgres', 'a serialisation failure', { code: '40001' }, true],
    ['postgres', 'a deadlock', { code: '40P01' }, true],
    ['postgres', "the host's lock_timeout", { code: '55P03' }, true],
    ['postgres', 'a unique violation', { code: '23505' }, false],
    ['postgres', 'a lost connection', { code: 'ECONNRESET', errno: -104 }, false],
    ['mysql', 'a deadlock', { code: 'ER_LOCK_DEADLOCK', errno: 1213 }, true],
    ['mysql', 'a lock wait that took too long', { code: 'ER_LOCK_WAIT_TIMEOUT', errno: 1205 }, true],
    ['mysql', 'a row changed since it was read', { code: 'ER_CHECKREAD', errno: 1020 }, true],
    ['mysql', 'a duplicate', { code: 'ER_DUP_ENTRY', errno: 1062 }, false],
  ])('is told on %s by the error of %s: %o', (name, _, fields, expected) => {
    expect(dialectOf(adapters[name]).isContention(Object.assign(new Error(), fields))).toBe(expected);
  });

  test.each([undefined, null, 'SQLITE_BUSY', 5])('is not %s', (thrown) => {
    for (const db of Object.values(adapters)) expect(dialectOf(db).isContention(thrown)).toBe(false);
  });

  function sqliteLike(): Kysely<unknown> {
    const dialect = new PostgresDialect({ pool: unused });
    return new Kysely<unknown>({
      dialect: Object.assign(dialect, { createAdapter: () => new SqliteAdapter() }),
    });
  }

  async function unused(): Promise<never> {
    throw new Error('no statement is run');
  }
});

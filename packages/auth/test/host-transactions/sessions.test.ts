import { sql, type Transaction } from 'kysely';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { untilFinished } from '../../../../test/services/test-database.ts';
import { retryContention } from '../../../toolkit/src/retry-contention.ts';
import type { HostTransaction } from '../../src/host-transaction.ts';
import { kyselyApiKeyStore } from '../../src/kysely/api-key-store.ts';
import { MAX_DATABASE_WAIT_MS } from '../../src/kysely/bounded-connection.ts';
import { findDialect } from '../../src/kysely/dialect.ts';
import { kyselyOneTimeTokenStore, kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import type { AuthTables } from '../../src/kysely/tables.ts';
import { type DatabaseServer, databaseServers } from '../kysely/database-servers.ts';
import { CALLS, KEY, LONG_AGO, NOW, ONE_TIME_TOKEN, SESSION, TOKEN } from '../kysely/store-calls.ts';
import { sessionHost } from '../sessions/session-host.ts';

/** How another connection gets in the way, and what the host's own is then told. */
const LOCKING: Readonly<Record<string, { begin: string; lock: string; impatience: string; error: object }>> =
  {
    SQLite: {
      begin: 'begin immediate',
      lock: 'select 1',
      impatience: 'select 1',
      error: { code: 'SQLITE_BUSY' },
    },
    PostgreSQL: {
      begin: 'begin',
      lock: 'select id from refresh_tokens for update',
      impatience: `set local lock_timeout = '50ms'`,
      error: { code: '55P03' },
    },
    'MySQL or MariaDB': {
      begin: 'begin',
      lock: 'select id from refresh_tokens for update',
      impatience: 'set innodb_lock_wait_timeout = 1',
      error: { errno: 1205 },
    },
  };

describe.each(databaseServers)(
  'on $name, revokeAll inside a transaction of the host',
  ({ name, skipped, create }) => {
    /** An application with users of its own in the database of the sessions. */
    async function application() {
      const database = untilFinished(await create());
      const failed: string[] = [];
      const db = database.open<AuthTables>({
        log: (event) => {
          if (event.level === 'error') failed.push(event.query.sql);
        },
      });
      await migrateAuth(db);
      await sql`create table host_users (uid varchar(32) primary key)`.execute(db);
      await sql`insert into host_users values ('7')`.execute(db);
      const host = sessionHost({ store: kyselySessionStore(db) });
      const deleteUser = (transaction: Transaction<AuthTables>) =>
        sql`delete from host_users where uid = '7'`.execute(transaction);
      // The migrations ask for their record first, which is not there yet.
      failed.length = 0;
      return { ...host, database, db, deleteUser, failed };
    }

    test.skipIf(skipped)(
      'takes effect in the rows when that commits, and everywhere on committed()',
      async () => {
        const { db, sessions, auth, revoked, deleteUser } = await application();
        const grants = [
          await sessions.loginAs('7'),
          await sessions.loginAs('7'),
          await sessions.loginAs('7'),
        ];
        const [kept, ...ended] = grants;
        const other = await sessions.loginAs('42');
        const loose = await auth.issueAccessToken('7', []);
        const tokens = [...ended.map(({ accessToken }) => accessToken), loose];
        const ids = ended.map(({ sessionId }) => sessionId).sort();
        const revocation = await db.transaction().execute(async (transaction) => {
          await deleteUser(transaction);
          return await sessions.revokeAll('7', { exceptSessionId: kept?.sessionId, transaction });
        });
        expect((await sessions.list('7')).sessions.map(({ id }) => id)).toEqual([kept?.sessionId]);
        for (const token of tokens) expect(await auth.validateAccessToken(token)).toBeDefined();
        await sessions.idle();
        expect(revoked).toEqual([]);

        expect([...(await revocation.committed())].sort()).toEqual(ids);
        for (const token of tokens) {
          await expect(auth.validateAccessToken(token)).rejects.toMatchObject({ reason: 'revoked' });
        }
        for (const { accessToken } of [kept ?? other, other]) {
          expect(await auth.validateAccessToken(accessToken)).toBeDefined();
        }
        await sessions.idle();
        expect(revoked.map(({ sessionId }) => sessionId).sort()).toEqual(ids);
        expect(await revocation.committed()).toEqual(await revocation.committed());
        await sessions.idle();
        expect(revoked).toHaveLength(2);
        expect(sessions.stats().ended).toBe(2);
      },
    );

    test.skipIf(skipped)('leaves no trace when that is rolled back', async () => {
      const { db, sessions, auth, revoked, deleteUser } = await application();
      const { accessToken, refreshToken = '', sessionId } = await sessions.loginAs('7');
      const rollback = new Error('the host changed its mind');
      await expect(
        db.transaction().execute(async (transaction) => {
          await deleteUser(transaction);
          await sessions.revokeAll('7', { transaction });
          throw rollback;
        }),
      ).rejects.toBe(rollback);
      expect((await sessions.status([refreshToken])).sessionId).toBe(sessionId);
      expect(await auth.validateAccessToken(accessToken)).toBeDefined();
      expect([revoked, sessions.stats().ended]).toEqual([[], 0]);
    });

    test.skipIf(skipped)('runs once: an error is the host’s, and no statement is repeated', async () => {
      const { db, database, sessions, failed } = await application();
      const locking = LOCKING[name];
      if (locking === undefined) throw new Error('there is one for every database');
      await sessions.loginAs('7');
      await database
        .open()
        .connection()
        .execute(async (other) => {
          await sql.raw(locking.begin).execute(other);
          await sql.raw(locking.lock).execute(other);
          const outcome = db.transaction().execute(async (transaction) => {
            await sql.raw(locking.impatience).execute(transaction);
            return await sessions.revokeAll('7', { transaction });
          });
          await expect(outcome).rejects.toMatchObject(locking.error);
          await sql`rollback`.execute(other);
        });
      expect(failed).toHaveLength(1);
    });

    test.skipIf(skipped)('refuses a log-in of the user that was under way, in this process', async () => {
      const { database } = await application();
      const db = database.open<AuthTables>();
      let finish = () => {};
      const held = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const { sessions } = sessionHost({
        store: kyselySessionStore(db),
        async verifyCredentials() {
          await held;
          return { uid: '7' };
        },
      });
      const loggingIn = sessions.login({ login: '7' });
      const { committed } = await db
        .transaction()
        .execute((transaction) => sessions.revokeAll('7', { transaction }));
      await committed();
      finish();
      await expect(loggingIn).rejects.toMatchObject({ code: 'session_revoked' });
      expect((await sessions.list('7')).sessions).toEqual([]);
    });

    test.skipIf(skipped)(
      'takes no instance, no other database and no made-up object for a transaction',
      async () => {
        const { db, sessions } = await application();
        await sessions.loginAs('7');
        const other = untilFinished(sqliteFile());
        const isSqlite = db.getExecutor().adapter.constructor.name === 'SqliteAdapter';
        const elsewhere = isSqlite ? undefined : other.open();
        const wrong: unknown[] = [db, {}, { isTransaction: true }, 'transaction', null];
        for (const transaction of wrong) {
          const revoking = sessions.revokeAll('7', { transaction: transaction as HostTransaction });
          await expect(revoking).rejects.toThrow(TypeError);
        }
        await elsewhere?.transaction().execute(async (transaction) => {
          await expect(sessions.revokeAll('7', { transaction })).rejects.toThrow(TypeError);
        });
        expect((await sessions.list('7')).sessions).toHaveLength(1);
      },
    );
  },
);

async function migrated(create: DatabaseServer['create'], maxConnections?: number) {
  const database = untilFinished(await create());
  const executed: string[] = [];
  const db = database.open<AuthTables>({
    ...(maxConnections === undefined ? {} : { maxConnections }),
    log: ({ query }) => {
      executed.push(query.sql);
    },
  });
  await migrateAuth(db);
  return { db, executed };
}

const LATE = /within 5000 ms: a transaction may hold .* await only calls to which you pass it$/;

describe.each(databaseServers)(
  'on $name, where a transaction of the host holds the last connection, a call of a store',
  ({ name, skipped, create }) => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

    /** Timers that are left over. Drivers of servers have some of their own. */
    const timers = () => (name === 'SQLite' ? vi.getTimerCount() : 0);

    test.skipIf(skipped)('is tried for every method that there is', async () => {
      const { db } = await migrated(create);
      const methods = (of: string, store: object) => Object.keys(store).map((method) => `${of}: ${method}`);
      const all = [
        ...methods('sessions', kyselySessionStore(db)),
        ...methods('API keys', kyselyApiKeyStore(db)),
        ...methods('one-time tokens', kyselyOneTimeTokenStore(db)),
        'migrateAuth',
      ];
      expect(CALLS.map(([name]) => name).sort()).toEqual(all.sort());
    });

    test.skipIf(skipped).each(CALLS)(
      'fails after a bounded wait, and is never executed later: %s',
      async (_, call, words) => {
        const { db, executed } = await migrated(create, 1);
        executed.length = 0;
        let failure: unknown;
        await db.transaction().execute(async (transaction) => {
          const calling = call(db).catch((error: unknown) => {
            failure = error;
          });
          await vi.advanceTimersByTimeAsync(MAX_DATABASE_WAIT_MS - 1);
          expect(failure).toBeUndefined();
          await vi.advanceTimersByTimeAsync(1);
          await calling;
          await sql`select 1 as mine`.execute(transaction);
        });
        expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringMatching(LATE) });
        expect(failure).toHaveProperty('message', expect.stringContaining(`${words} within `));
        // The connection is given out in the order of the requests for it.
        await sql`select 2 as after`.execute(db);
        expect(executed).toEqual(['begin', 'select 1 as mine', 'commit', 'select 2 as after']);
        expect(timers()).toBe(0);
      },
    );

    test.skipIf(skipped)(
      'is executed as soon as the transaction has ended, where that is in time',
      async () => {
        const { db } = await migrated(create, 1);
        const store = kyselySessionStore(db);
        let creating: Promise<unknown> = Promise.resolve();
        await db.transaction().execute(async () => {
          creating = store.create(SESSION);
          await vi.advanceTimersByTimeAsync(MAX_DATABASE_WAIT_MS - 1);
        });
        await creating;
        expect(await store.findByToken(TOKEN)).toBeDefined();
        expect(timers()).toBe(0);
      },
    );
  },
);

/** Counts the statements that wait for the lock of a transaction, asked in that transaction. */
const WAITING: Readonly<Record<string, string>> = {
  PostgreSQL:
    'select count(*) as n from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
  'MySQL or MariaDB': `select count(*) as n from information_schema.processlist
    where db = database() and id <> connection_id() and command in ('Query', 'Execute')`,
};

describe.each(databaseServers.filter(({ name }) => name in WAITING))(
  'on $name, where a transaction of the host has locked the rows, a call of a store',
  ({ name, skipped, create }) => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

    const DUE = { expiresAt: NOW - 1, createdAt: NOW - 86_401 };
    const writes = new Set([
      ...['useRefreshToken', 'recordClients', 'revoke', 'revokeAll', 'revokeOldest', 'purge', 'recordUse'],
      ...['issue', 'consume'],
    ]);
    // On PostgreSQL it passes over such rows.
    if (name === 'PostgreSQL') writes.delete('purge');
    const calls = CALLS.filter(([call]) => writes.has(call.replace(/^.*: /, '')));

    test.skipIf(skipped).each(calls)(
      'fails after a bounded wait, and takes no effect later: %s',
      async (called, call, words) => {
        const { db } = await migrated(create);
        await kyselySessionStore(db).create(called.includes('purge') ? { ...SESSION, ...DUE } : LONG_AGO);
        await kyselyApiKeyStore(db).add(KEY);
        const isDue = called.includes('purge');
        await kyselyOneTimeTokenStore(db).issue(
          isDue ? { ...ONE_TIME_TOKEN, expiresAt: NOW } : ONE_TIME_TOKEN,
        );
        const rows = async () => [
          await db.selectFrom('refresh_tokens').selectAll().execute(),
          await db.selectFrom('api_keys').selectAll().execute(),
          await db.selectFrom('one_time_tokens').selectAll().execute(),
        ];
        const before = await rows();
        let failure: unknown;
        await db.transaction().execute(async (transaction) => {
          await sql`select id from refresh_tokens for update`.execute(transaction);
          await sql`select id from api_keys for update`.execute(transaction);
          await sql`select uid from one_time_tokens for update`.execute(transaction);
          const calling = call(db).catch((error: unknown) => {
            failure = error;
          });
          for (let waiting = 0; waiting === 0; ) {
            const counted = await sql.raw<{ n: unknown }>(WAITING[name] ?? '').execute(transaction);
            waiting = Number(counted.rows[0]?.n);
          }
          expect(failure).toBeUndefined();
          await vi.advanceTimersByTimeAsync(MAX_DATABASE_WAIT_MS);
          await calling;
        });
        expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringMatching(LATE) });
        expect(failure).toHaveProperty('message', expect.stringContaining(`${words} within `));
        // The next transaction gets the locks after the call, which may still be on its way: InnoDB
        // then ends one of two.
        await retryContention(findDialect(db), () =>
          db.transaction().execute(async (transaction) => {
            await sql`select id from refresh_tokens for update`.execute(transaction);
            await sql`select id from api_keys for update`.execute(transaction);
            await sql`select uid from one_time_tokens for update`.execute(transaction);
          }),
        );
        expect(await rows()).toEqual(before);
      },
    );
  },
);

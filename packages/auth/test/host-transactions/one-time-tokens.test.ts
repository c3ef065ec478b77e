import { type Kysely, sql } from 'kysely';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { untilFinished } from '../../../../test/services/test-database.ts';
import { fromPg } from '../../../toolkit/src/transactions/from-pg.ts';
import { addressChanges, type Users } from '../../docs/samples/verify-address.ts';
import type { HostTransaction } from '../../src/host-transaction.ts';
import { kyselyOneTimeTokenStore, kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import type { AuthTables } from '../../src/kysely/tables.ts';
import { createOneTimeTokens } from '../../src/one-time-tokens/one-time-tokens.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { sessionHost } from '../sessions/session-host.ts';

const RESET = { purpose: 'password_reset' };
const INVALID = { code: 'one_time_token_invalid' };
const ROLLBACK = new Error('the host changed its mind');

describe.each(databaseServers)('on $name, in a transaction of the host', ({ name, skipped, create }) => {
  /** An application with users of its own in the database of sessions and tokens. */
  async function application() {
    const database = untilFinished(await create());
    const db = database.open<AuthTables>();
    await migrateAuth(db);
    await sql`create table host_users (uid varchar(32) primary key, password varchar(32))`.execute(db);
    await sql`insert into host_users values ('7', 'old')`.execute(db);
    const host = sessionHost({ store: kyselySessionStore(db) });
    const { auth } = host;
    const tokens = createOneTimeTokens({ auth, store: kyselyOneTimeTokenStore(db) });
    const password = async () => {
      const { rows } = await sql<{ password: string }>`select password from host_users`.execute(db);
      return rows[0]?.password;
    };
    return { ...host, db, tokens, password };
  }

  /** What the guide does: token, password and sessions, or none of them. */
  async function resetPassword(
    { db, sessions, tokens }: Awaited<ReturnType<typeof application>>,
    token: string,
    before: () => void = () => {},
  ) {
    const revocation = await db.transaction().execute(async (transaction) => {
      const { uid } = await tokens.consume(token, { ...RESET, transaction });
      await sql`update host_users set password = 'new' where uid = ${uid}`.execute(transaction);
      await tokens.revokeAll(uid, { transaction });
      const uncommitted = await sessions.revokeAll(uid, { transaction });
      before();
      return uncommitted;
    });
    return await revocation.committed();
  }

  test.skipIf(skipped)('a token is consumed, with all that the host does, when that commits', async () => {
    const app = await application();
    const { sessions, tokens } = app;
    const { sessionId } = await sessions.loginAs('7');
    const { token } = await tokens.issue({ uid: '7', ...RESET });
    const other = await tokens.issue({ uid: '7', purpose: 'login' });
    expect(await resetPassword(app, token)).toEqual([sessionId]);
    expect(await app.password()).toBe('new');
    expect((await sessions.list('7')).sessions).toEqual([]);
    await expect(tokens.validate(other.token, { purpose: 'login' })).rejects.toMatchObject(INVALID);
    await expect(resetPassword(app, token)).rejects.toMatchObject(INVALID);
  });

  test.skipIf(skipped)('a token is still open when that rolls back', async () => {
    const app = await application();
    const { sessions, tokens } = app;
    const { refreshToken = '' } = await sessions.loginAs('7');
    const { token } = await tokens.issue({ uid: '7', ...RESET });
    const failing = resetPassword(app, token, () => {
      throw ROLLBACK;
    });
    await expect(failing).rejects.toBe(ROLLBACK);
    expect(await app.password()).toBe('old');
    expect((await sessions.status([refreshToken])).sessionId).toBeDefined();
    expect(await tokens.validate(token, RESET)).toMatchObject({ uid: '7' });
    await resetPassword(app, token);
    expect(await app.password()).toBe('new');
  });

  test.skipIf(skipped)(
    'a token is issued, and the earlier one replaced, only when that commits',
    async () => {
      const { db, tokens } = await application();
      const earlier = await tokens.issue({ uid: '7', ...RESET });
      let rolledBack = '';
      const failing = db.transaction().execute(async (transaction) => {
        rolledBack = (await tokens.issue({ uid: '7', ...RESET, transaction })).token;
        throw ROLLBACK;
      });
      await expect(failing).rejects.toBe(ROLLBACK);
      await expect(tokens.validate(rolledBack, RESET)).rejects.toMatchObject(INVALID);
      expect(await tokens.validate(earlier.token, RESET)).toBeDefined();
      const { token } = await db
        .transaction()
        .execute((transaction) => tokens.issue({ uid: '7', ...RESET, transaction }));
      await expect(tokens.validate(earlier.token, RESET)).rejects.toMatchObject(INVALID);
      expect(await tokens.validate(token, RESET)).toBeDefined();
    },
  );

  test.skipIf(skipped)('a confirmed address leaves no link to the old mailbox alive', async () => {
    const { db, tokens } = await application();
    await sql`create table users (id varchar(32) primary key, email varchar(64), new_email varchar(64))`.execute(
      db,
    );
    await sql`insert into users values ('7', 'old@example.com', null)`.execute(db);
    const sent: string[][] = [];
    const mailer = { send: async (...mail: [string, string]) => void sent.push(mail) };
    const hostDb: object = db;
    const { changeAddress, verifyAddress } = addressChanges({
      db: hostDb as Kysely<{ users: Users }>,
      tokens,
      mailer,
    });
    const reset = await tokens.issue({ uid: '7', ...RESET });
    await changeAddress('7', 'new@example.com');
    expect(await tokens.validate(reset.token, RESET)).toMatchObject({ uid: '7' });
    const [[to, text = ''] = []] = sent;
    const [, link] = text.split('#');
    await verifyAddress(link);
    const { rows } = await sql`select * from users`.execute(db);
    expect([to, rows]).toEqual(['new@example.com', [{ id: '7', email: 'new@example.com', new_email: null }]]);
    await expect(tokens.validate(reset.token, RESET)).rejects.toMatchObject(INVALID);
    await expect(verifyAddress(link)).rejects.toMatchObject(INVALID);
  });

  test.skipIf(skipped)('one of many resets at once takes place', async () => {
    const app = await application();
    const { token } = await app.tokens.issue({ uid: '7', ...RESET });
    const settled = await Promise.allSettled(Array.from({ length: 12 }, () => resetPassword(app, token)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of settled) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject(INVALID);
    }
  });

  test.skipIf(skipped)('no instance, no other database and no made-up object counts as one', async () => {
    const { db, tokens } = await application();
    const { token } = await tokens.issue({ uid: '7', ...RESET });
    const other = untilFinished(sqliteFile());
    const refused = async (transaction: unknown) => {
      const options = { ...RESET, transaction: transaction as HostTransaction };
      await expect(tokens.issue({ uid: '7', ...options })).rejects.toThrow(TypeError);
      await expect(tokens.consume(token, options)).rejects.toThrow(TypeError);
      await expect(tokens.revokeAll('7', options)).rejects.toThrow(TypeError);
    };
    for (const transaction of [db, {}, { isTransaction: true }, 'transaction', null])
      await refused(transaction);
    if (name !== 'SQLite') await other.open().transaction().execute(refused);
    expect(await tokens.validate(token, RESET)).toBeDefined();
  });
});

const postgres = databaseServers.find(({ name }) => name === 'PostgreSQL');

describe.skipIf(postgres?.skipped)('on PostgreSQL, calls that are under way at a rollback', () => {
  type Call = (transaction: HostTransaction) => Promise<unknown>;

  /** By library, how a host runs calls beside work that fails. */
  const hosts: Readonly<
    Record<string, (db: Kysely<AuthTables>, pool: Pool, call: Call) => Promise<unknown>>
  > = {
    async pg(_db, pool, call) {
      const client = await pool.connect();
      await client.query('begin');
      await call(fromPg(client)).catch(() => undefined);
      await client.query('rollback');
      client.release();
    },
    Kysely: (db, _pool, call) =>
      db
        .transaction()
        .execute(call)
        .catch(() => undefined),
    'a Kysely up to 0.28.10': (db, _pool, call) =>
      db.connection().execute(async (connection) => {
        await sql`begin`.execute(connection);
        const executor = connection.getExecutor();
        const transaction = { isTransaction: true, getExecutor: () => executor } as const;
        await call(transaction).catch(() => undefined);
        await sql`rollback`.execute(connection);
      }),
  };

  test.each(Object.entries(hosts))('change nothing afterwards in one of %s', async (_name, run) => {
    if (postgres === undefined) throw new Error('there is no PostgreSQL among the servers');
    const database = untilFinished(await postgres.create());
    const db = database.open<AuthTables>();
    await migrateAuth(db);
    const pool = new Pool({ connectionString: database.url });
    onTestFinished(() => pool.end());
    const { auth, sessions } = sessionHost({ store: kyselySessionStore(db) });
    const tokens = createOneTimeTokens({ auth, store: kyselyOneTimeTokenStore(db) });
    await sessions.loginAs('7');
    const { token } = await tokens.issue({ uid: '7', ...RESET });
    const refusals: unknown[] = [];
    for (let turns = 0; turns < 20; turns++) {
      let calls: Promise<unknown> = Promise.resolve();
      await run(db, pool, (transaction) => {
        const underWay = [
          tokens.issue({ uid: '7', purpose: 'login', transaction }),
          tokens.consume(token, { ...RESET, transaction }),
          tokens.revokeAll('7', { transaction }),
          sessions.revokeAll('7', { transaction }),
        ];
        calls = Promise.allSettled(underWay).then((settled) => {
          for (const one of settled) if (one.status === 'rejected') refusals.push(one.reason);
        });
        const failure = async () => {
          for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
          throw ROLLBACK;
        };
        return Promise.all([...underWay, failure()]);
      });
      await calls;
      const rows = await db.selectFrom('one_time_tokens').select('purpose').execute();
      expect(rows).toEqual([RESET]);
      expect((await sessions.list('7')).sessions).toHaveLength(1);
    }
    expect(refusals.length).toBeGreaterThan(0);
    await tokens.consume(token, RESET);
  });
});

import { QueryCreator, sql } from 'kysely';
import { createConnection } from 'mysql2/promise';
import { Pool } from 'pg';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMysqlDatabase, createPostgresSchema } from '../../../../test/services/server-databases.ts';
import { mysqlSkipped, postgresSkipped } from '../../../../test/services/servers.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import {
  acceptTransactions,
  MAX_STATEMENT_MS,
  type StoreDatabase,
} from '../../src/kysely/host-transactions.ts';
import { fromMysql2 } from '../../src/transactions/from-mysql2.ts';
import { fromPg } from '../../src/transactions/from-pg.ts';
import type { SqlTransaction } from '../../src/transactions/sql-transaction.ts';

const skipped = await postgresSkipped();
const mysqlServerSkipped = await mysqlSkipped();
const ENDED = 'the transaction has ended before this call, and nothing was written: await the call in it';
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Resolves with what runs statements in the transaction. */
function accepting(store: Pick<StoreDatabase, 'name' | 'db' | 'tables'>) {
  const transactions = acceptTransactions({
    ...store,
    naming: { executorOf: (host) => host.getExecutor(), overlooksSchemaOf: () => false },
    onOwnConnection: (work) => work(store.db),
  });
  return Object.assign(
    (transaction: SqlTransaction) => transactions.within(transaction, async (host) => host),
    transactions,
  );
}

interface Things {
  things: { id: number };
}

/** Every form in which the stores write. */
const WRITES: readonly (readonly [string, (things: QueryCreator<Things>) => Promise<unknown>])[] = [
  ['inserts a row', (things) => things.insertInto('things').values({ id: 7 }).execute()],
  [
    'inserts a row or writes over one',
    (things) =>
      things
        .insertInto('things')
        .values({ id: 1 })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ id: 8 }))
        .execute(),
  ],
  [
    'inserts what a select finds',
    (things) => things.insertInto('things').columns(['id']).expression(sql`select ${9}::int as id`).execute(),
  ],
  ['updates', (things) => things.updateTable('things').set({ id: 2 }).where('id', '=', 1).execute()],
  ['deletes', (things) => things.deleteFrom('things').returning('id').execute()],
];

describe('a store over Kysely', () => {
  const it = test.skipIf(skipped);

  /** A store's instance, with few connections, and a client on which a transaction is open. */
  async function open(maxConnections = 2) {
    const database: TestDatabase = await createPostgresSchema('toolkit');
    closing.push(() => database.remove());
    const statements: string[] = [];
    const db = database.open({ maxConnections, log: ({ query }) => void statements.push(query.sql) });
    await sql`create table things (id int)`.execute(db);
    const pool = new Pool({ connectionString: database.url });
    closing.push(() => pool.end());
    const client = await pool.connect();
    closing.push(async () => client.release());
    await client.query('begin');
    return { db, client, statements, accept: accepting({ name: 'postgres', db, tables: ['things'] }) };
  }

  it('takes no connection beside those of a burst of first transactions', async () => {
    const { db, statements, accept } = await open(2);
    const before = statements.length;
    await Promise.all(
      Array.from({ length: 50 }, () =>
        db.transaction().execute((own) => accept.within(own, (host) => sql`select 1`.execute(host))),
      ),
    );
    // Each begins, reads its state, does its work and commits: nothing else asks the pool.
    expect(statements.length - before).toBe(50 * 4);
  });

  it('runs its statements in the transaction', async () => {
    const { db, client, accept } = await open();
    const executor = await accept(fromPg(client));
    await sql`insert into things values (${7})`.execute(executor);
    expect((await client.query('select id from things')).rows).toEqual([{ id: 7 }]);
    expect((await sql`select id from things`.execute(db)).rows).toEqual([]);
  });

  it.each(WRITES)('%s in the transaction, and nothing once that has ended', async (_what, write) => {
    const { db, client, accept } = await open();
    await sql`alter table things add primary key (id)`.execute(db);
    await sql`insert into things values (1)`.execute(db);
    const before = (await sql`select id from things`.execute(db)).rows;
    const writeIn = (end: () => Promise<unknown>) =>
      accept.within(fromPg(client), async (host, plugin) => {
        await end();
        await write(new QueryCreator<Things>({ executor: host.getExecutor() }).withPlugin(plugin));
      });
    await expect(writeIn(() => client.query('rollback'))).rejects.toThrow(new TypeError(ENDED));
    await client.query('begin');
    await expect(writeIn(() => client.query('commit; begin'))).rejects.toThrow(new TypeError(ENDED));
    await client.query('commit');
    expect((await sql`select id from things`.execute(db)).rows).toEqual(before);
    await client.query('begin');
    await writeIn(async () => {});
    await client.query('commit');
    expect((await sql`select id from things`.execute(db)).rows).not.toEqual(before);
  });

  it('refuses a transaction whose search_path finds another table of one of the names', async () => {
    const { db, client, accept } = await open();
    await accept.learnDatabase();
    await client.query('create temp table things (id int)');
    await expect(accept(fromPg(client))).rejects.toThrow('on another database than the store');
    await client.query('drop table pg_temp.things');
    await accept(fromPg(client));
    const refused = db.transaction().execute(async (transaction) => {
      await sql`create temp table things (id int) on commit drop`.execute(transaction);
      await accept.within(transaction, async () => expect.unreachable());
    });
    await expect(refused).rejects.toThrow('on another database than the store');
  });

  it('writes in a transaction with savepoints', async () => {
    const { db, client, accept } = await open();
    await accept.within(fromPg(client), async (host, plugin) => {
      await client.query('savepoint inner_one');
      const things = new QueryCreator<Things>({ executor: host.getExecutor() }).withPlugin(plugin);
      await things.insertInto('things').values({ id: 7 }).execute();
    });
    await client.query('commit');
    expect((await sql`select id from things`.execute(db)).rows).toEqual([{ id: 7 }]);
  });

  it('refuses a transaction that answers no rows from its second statement on', async () => {
    const { client, accept } = await open();
    const { execute } = fromPg(client);
    let statements = 0;
    const forgetful: SqlTransaction = {
      async execute(text, values) {
        const rows = await execute(text, values);
        return statements++ === 0 ? rows : [];
      },
    };
    const refused = accept.within(forgetful, (host, plugin) =>
      new QueryCreator<Things>({ executor: host.getExecutor() })
        .withPlugin(plugin)
        .selectFrom('things')
        .selectAll()
        .execute(),
    );
    await expect(refused).rejects.toThrow('must resolve with rows');
  });

  it.each<[string, (own: SqlTransaction) => SqlTransaction]>([
    ['execute', () => ({ execute: () => new Promise(() => {}) })],
    ['assertOpen', (own) => ({ ...own, assertOpen: () => new Promise(() => {}) })],
  ])('waits for %s no longer than a minute', async (method, broken) => {
    const { client, accept } = await open();
    const transaction = broken(fromPg(client));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const late = expect(accept(transaction)).rejects.toThrow(
      `${method} of the transaction has not answered within 60000 ms`,
    );
    await vi.advanceTimersByTimeAsync(MAX_STATEMENT_MS);
    await late;
  });

  it('accepts a transaction although all its connections are taken', async () => {
    const { db, client, accept } = await open(1);
    await db.transaction().execute(async () => {
      await sql`select 1`.execute(await accept(fromPg(client)));
    });
  });

  it('accepts transactions after the table was created anew, but the first', async () => {
    const { db, client, accept } = await open();
    await accept.learnDatabase();
    await accept(fromPg(client));
    await client.query('rollback');
    await sql`drop table things`.execute(db);
    await sql`create table things (id int)`.execute(db);
    await client.query('begin');
    await expect(accept(fromPg(client))).rejects.toThrow('on another database than the store');
    await accept.learnDatabase();
    await accept(fromPg(client));
  });

  it.each<[string, (own: SqlTransaction) => SqlTransaction, string]>([
    ['answers no rows', () => ({ execute: async () => [] }), 'must resolve with rows'],
    // As a connection of mysql2 does, which has a method of that name.
    [
      'answers rows among other things',
      (own) => ({ execute: async (text, values) => [await own.execute(text, values)] }),
      'must resolve with rows',
    ],
    ['is on another kind of database', (own) => ({ ...own, database: 'mysql' }), 'on mysql'],
    [
      'is not open',
      (own) => ({
        ...own,
        async assertOpen() {
          throw new TypeError('not begun');
        },
      }),
      'not begun',
    ],
  ])('refuses a transaction that %s', async (_what, broken, message) => {
    const { client, accept } = await open();
    const refused = accept(broken(fromPg(client)));
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(message);
  });

  it('refuses a transaction whose connection reads our texts in another encoding', async () => {
    const { client, accept } = await open();
    await client.query("set client_encoding = 'latin1'");
    await expect(accept(fromPg(client))).rejects.toThrow('must use UTF8, and uses LATIN1');
  });

  it('refuses a transaction whose `search_path` finds another table', async () => {
    const [own, other] = [await open(), await open()];
    await own.accept.learnDatabase();
    await expect(own.accept(fromPg(other.client))).rejects.toThrow('on another database than the store');
  });
});

describe('a store over Kysely on MySQL', () => {
  const it = test.skipIf(mysqlServerSkipped);

  /** A store's instance, and a connection that has set this before its transaction. */
  async function open(setting: string) {
    const database = await createMysqlDatabase('toolkit');
    closing.push(() => database.remove());
    const db = database.open();
    const connection = await createConnection({ uri: database.url });
    closing.push(() => connection.end());
    await connection.query(setting);
    await connection.beginTransaction();
    return { connection, accept: accepting({ name: 'mysql', db, tables: ['things'] }) };
  }

  it.each([
    ["set sql_mode = 'NO_BACKSLASH_ESCAPES'", 'NO_BACKSLASH_ESCAPES'],
    ["set sql_mode = concat(@@sql_mode, ',NO_BACKSLASH_ESCAPES')", 'NO_BACKSLASH_ESCAPES'],
    ['set names utf8', 'must use utf8mb4'],
    ['set names latin1', 'must use utf8mb4'],
    ["set character_set_results = 'latin1'", 'must use utf8mb4'],
    ['set sql_select_limit = 1', 'has sql_select_limit 1, which leaves out rows'],
  ])('refuses a transaction after: %s', async (setting, message) => {
    const { connection, accept } = await open(setting);
    await expect(accept(fromMysql2(connection))).rejects.toThrow(message);
  });

  it('reads its rows although the connection has settings for those of the application', async () => {
    const { connection, accept } = await open('do 0');
    Object.assign(connection.config, { typeCast: false, rowsAsArray: true, nestTables: true });
    const executor = await accept(fromMysql2(connection));
    expect((await sql`select 7 as n, 'é' as text`.execute(executor)).rows).toEqual([{ n: 7, text: 'é' }]);
  });
});

import { Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely';
import { createPool } from 'mysql2';
import { createPool as createPromisePool } from 'mysql2/promise';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MYSQL_URL, mysqlSkipped, POSTGRES_URL, postgresSkipped } from '../../../../test/services/servers.ts';
import { boundedPool } from '../../src/kysely/bounded-pool.ts';
import { POOL_SIGNALS } from '../../src/kysely/pool-signals.ts';

type Bounds = Parameters<typeof boundedPool>[1];

const SLEEP = { PostgreSQL: 'select pg_sleep(1)', 'MySQL or MariaDB': 'select sleep(1)' } as const;

function postgres(bounds?: Bounds) {
  const pool = new Pool({ connectionString: POSTGRES_URL, max: 1 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: boundedPool(pool, bounds) }) });
  onTestFinished(() => db.destroy());
  return { pool, db };
}

function mysql(bounds?: Bounds) {
  const pool = createPool({ uri: MYSQL_URL, connectionLimit: 1 });
  const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: boundedPool(pool, bounds) }) });
  onTestFinished(() => db.destroy());
  return { pool, db };
}

const one = (db: Kysely<unknown>) => sql<{ one: unknown }>`select 1 as one`.execute(db);

describe.each([
  { name: 'PostgreSQL', skipped: await postgresSkipped(), open: postgres },
  { name: 'MySQL or MariaDB', skipped: await mysqlSkipped(), open: mysql },
] as const)('a bounded pool on $name', ({ name, skipped, open }) => {
  const sleep = sql.raw(SLEEP[name]);

  test.skipIf(skipped)(
    'ends a statement without an answer, in a transaction too, and serves the next',
    async () => {
      const { db } = open({ answerTimeoutMs: 500 });
      await expect(sleep.execute(db)).rejects.toThrow('No answer came within 500 ms');
      await expect(db.transaction().execute((on) => sleep.execute(on))).rejects.toThrow('No answer came');
      expect((await one(db)).rows).toEqual([{ one: 1 }]);
    },
  );

  test.skipIf(skipped)('ends while an answer is missing', async () => {
    const { db } = open({ answerTimeoutMs: 500 });
    await one(db);
    const asleep = expect(sleep.execute(db)).rejects.toThrow('No answer came');
    await new Promise(setImmediate);
    await db.destroy();
    await asleep;
  });

  test.skipIf(skipped)('bounds the wait for a connection', async () => {
    const { db } = open({ answerTimeoutMs: 500 });
    await db.connection().execute(async (connection) => {
      await expect(one(db)).rejects.toThrow('The pool has given no connection within 500 ms');
      await one(connection);
    });
    expect((await one(db)).rows).toEqual([{ one: 1 }]);
  });

  test.skipIf(skipped)('waits longer on a connection that says so, until it is released', async () => {
    const { db } = open({ answerTimeoutMs: 500 });
    await db.connection().execute(async (connection) => {
      await sql.raw(POOL_SIGNALS.wait).execute(connection);
      await sleep.execute(connection);
    });
    await expect(sleep.execute(db)).rejects.toThrow('No answer came');
  });
});

test.skipIf(await postgresSkipped())(
  'marked statements are prepared by name, unless that is switched off',
  async () => {
    const marked = sql.raw('/* name: example_1 */ select name from pg_prepared_statements');
    const [on, off] = [postgres(), postgres({ preparedStatements: false })];
    expect((await marked.execute(on.db)).rows).toEqual([{ name: 'example_1' }]);
    expect((await marked.execute(on.db)).rows).toEqual([{ name: 'example_1' }]);
    expect((await marked.execute(off.db)).rows).toEqual([]);
  },
);

test.skipIf(await postgresSkipped())('the pool of the host is not changed', async () => {
  const { pool } = postgres({ answerTimeoutMs: 500 });
  expect((await pool.query('select pg_sleep(0.8), 1 as one')).rows).toMatchObject([{ one: 1 }]);
  expect(boundedPool(pool)).toBeInstanceOf(Pool);
});

test('takes no other pool, and no unknown option', async () => {
  const promises = createPromisePool(MYSQL_URL);
  onTestFinished(() => promises.end());
  for (const pool of [promises, {}]) expect(() => boundedPool(pool)).toThrow('pool must be a Pool of pg');
  expect(() => boundedPool(promises, { answerTimeoutMs: 0 })).toThrow('answerTimeoutMs');
});

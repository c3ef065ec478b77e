import { Kysely, MysqlDialect, sql } from 'kysely';
import { createPool } from 'mysql2';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPostgresDatabase } from '../../../../../test/services/server-databases.ts';
import { sqliteFile } from '../../../../../test/services/sqlite-file.ts';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks, webhookMigrations } from '../../../src/kysely/index.ts';
import { COLUMNS } from '../../../src/kysely/tables.ts';
import { createTestEngine } from '../../engine/engine.ts';
import { databaseServers, mysqlServer } from '../database-servers.ts';
import { dialectAt } from '../dialect-at.ts';

async function opened(creating: Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await creating;
  onTestFinished(() => database.remove());
  return database;
}

/** Starts an engine on the database as a host does. */
async function start<DB>(db: Kysely<DB>): Promise<void> {
  const { webhooks } = createTestEngine(kyselyStorage(db));
  onTestFinished(() => webhooks.close());
  await webhooks.start();
}

const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'storage_misconfigured', message: expect.stringMatching(message) });

async function migrateUpTo<DB>(db: Kysely<DB>, last: number): Promise<void> {
  for (const { up } of Object.values(webhookMigrations).slice(0, last)) await up(db);
}

describe.each(databaseServers)('a start on $name', ({ skipped, createEmpty }) => {
  test.skipIf(skipped)('is refused before the tables are there, and says what to run', async () => {
    const db = (await opened(createEmpty())).open();
    await expect(start(db)).rejects.toEqual(refusal(/lacks the table webhooks.*run migrateWebhooks\(db\)/));
    await migrateWebhooks(db);
    await start(db);
  });

  test.skipIf(skipped)('is not needed to hear of it: a dispatch names the migration, too', async () => {
    const db = (await opened(createEmpty())).open();
    const { webhooks } = createTestEngine(kyselyStorage(db));
    onTestFinished(() => webhooks.close());
    await expect(webhooks.dispatch('user.created', {})).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(/run migrateWebhooks\(db\)/),
      cause: expect.any(Error),
    });
  });

  test.skipIf(skipped)(
    'is refused on tables of an earlier version, with and without a history of migrations',
    async () => {
      const db = (await opened(createEmpty())).open();
      // As a Migrator of Kysely's does, which keeps its books elsewhere.
      await migrateUpTo(db, Number.POSITIVE_INFINITY);
      await sql`alter table webhooks drop column inactive_reason`.execute(db);
      await expect(start(db)).rejects.toEqual(refusal(/lacks the table webhooks, or a column of it/));
      const names = Object.keys(webhookMigrations);
      await sql`create table webhook_migrations (name varchar(128) primary key, applied_at varchar(32) not null)`.execute(
        db,
      );
      await expect(start(db)).rejects.toEqual(refusal(new RegExp(`lacks ${names.join(', ')}: run`)));
    },
  );

  test.skipIf(skipped)("goes on where Kysely's own Migrator has migrated", async () => {
    const db = (await opened(createEmpty())).open();
    await migrateUpTo(db, Number.POSITIVE_INFINITY);
    await start(db);
  });

  test.skipIf(skipped)(
    'goes on on a database of a later version, unless it lacks what this one needs',
    async () => {
      const db = (await opened(createEmpty())).open();
      await migrateWebhooks(db);
      await sql`insert into webhook_migrations values ('webhooks_9999_later', 'c')`.execute(db);
      await start(db);
      await sql`alter table webhook_activity drop column failed`.execute(db);
      await expect(start(db)).rejects.toEqual(refusal(/A later version.*webhook_activity/));
    },
  );
});

test('the columns that a start looks for are all that there are', async () => {
  const db = (await opened(Promise.resolve(sqliteFile()))).open();
  await migrateWebhooks(db);
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...columns].toSorted());
  }
});

describe('sessions of MySQL and MariaDB', () => {
  const { skipped, createEmpty } = mysqlServer('', {});

  test.skipIf(skipped).each([
    ['set autocommit = 0', /set autocommit = 1/],
    ['set completion_type = 1', /set completion_type = NO_CHAIN/],
    [`set sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'`, /sql_mode.*NO_BACKSLASH_ESCAPES/],
    ['set session transaction read only', /transaction_read_only.*set session transaction read write/],
    ['set sql_safe_updates = 1', /set sql_safe_updates = 0/],
    ['set sql_select_limit = 1000', /set sql_select_limit = default/],
    ['set names latin1', /utf8mb4.*character_set_client is latin1/],
    ['set names utf8mb3', /utf8mb4.*character_set_client is utf8mb3/],
    ['set character_set_connection = latin1', /character_set_connection latin1/],
    ['set character_set_results = latin1', /character_set_results latin1/],
  ])('are refused after %s, by name', async (onConnect, message) => {
    const database = await opened(createEmpty());
    const db = database.open({ onConnect });
    await expect(migrateWebhooks(db)).rejects.toEqual(refusal(message));
    await migrateWebhooks(database.open());
    await expect(start(db)).rejects.toEqual(refusal(message));
  });

  test.skipIf(skipped).each(['ORACLE', 'EMPTY_STRING_IS_NULL'])(
    'are refused with the mode %s, which MariaDB has',
    async (mode) => {
      const database = await opened(createEmpty());
      const db = database.open({ onConnect: `set sql_mode = '${mode}'` });
      const { rows } = await sql<{ version: string }>`select version() as version`.execute(database.open());
      if (!rows[0]?.version.includes('MariaDB')) return;
      await expect(start(db)).rejects.toEqual(refusal(new RegExp(`sql_mode.*${mode}`)));
      await expect(migrateWebhooks(db)).rejects.toEqual(refusal(new RegExp(`sql_mode.*${mode}`)));
    },
  );

  test.skipIf(skipped).each(['latin1', 'utf8', 'binary'])(
    'are refused where mysql2 is given the charset %s',
    async (charset) => {
      const database = await opened(createEmpty());
      await migrateWebhooks(database.open());
      const url = new URL(database.url);
      url.searchParams.set('charset', charset);
      const db = new Kysely<unknown>({ dialect: dialectAt(url.href)({}) });
      onTestFinished(() => db.destroy());
      await expect(start(db)).rejects.toEqual(refusal(/must be utf8mb4.*`charset`/));
    },
  );

  test.skipIf(skipped).each([
    [{ rowsAsArray: true }, /rowsAsArray of mysql2.*pool/],
    [{ nestTables: true }, /nestTables of mysql2.*pool/],
    [{ nestTables: '_' }, /nestTables of mysql2.*pool/],
    [{ typeCast: false }, /typeCast of mysql2.*pool/],
  ])('are refused where the pool of mysql2 has %j', async (options, message) => {
    const database = await opened(createEmpty());
    await migrateWebhooks(database.open());
    const pool = createPool({ uri: database.url, ...options });
    const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) });
    onTestFinished(() => db.destroy());
    await expect(migrateWebhooks(db)).rejects.toEqual(refusal(message));
    await expect(start(db)).rejects.toEqual(refusal(message));
  });

  test.skipIf(skipped)('may have any collation of utf8mb4', async () => {
    const database = await opened(createEmpty());
    const db = database.open({ onConnect: 'set names utf8mb4 collate utf8mb4_bin' });
    await migrateWebhooks(db);
    await start(db);
  });

  test.skipIf(skipped)('create tables that have transactions, whatever engine is the default', async () => {
    const database = await opened(createEmpty());
    const db = database.open({ onConnect: 'set default_storage_engine = MyISAM' });
    await migrateWebhooks(db);
    const { rows } = await sql<{ engine: string }>`select distinct engine as engine
      from information_schema.tables where table_schema = database()`.execute(db);
    expect(rows).toEqual([{ engine: 'InnoDB' }]);
  });
});

describe('encodings of PostgreSQL', () => {
  const [, postgres] = databaseServers;

  test.skipIf(postgres?.skipped).each(['LATIN1', 'SQL_ASCII'])(
    'are refused where a database has %s',
    async (encoding) => {
      const options = `encoding '${encoding}' template template0 lc_collate 'C' lc_ctype 'C'`;
      const db = (await opened(createPostgresDatabase('webhooks', options))).open();
      const message = new RegExp(`server_encoding is ${encoding}: create a database with encoding 'UTF8'`);
      await expect(migrateWebhooks(db)).rejects.toEqual(refusal(message));
      await expect(start(db)).rejects.toEqual(refusal(message));
    },
  );

  test.skipIf(postgres?.skipped)('are refused where a client has another than UTF8', async () => {
    if (postgres === undefined) throw new Error('unreachable');
    const database = await opened(postgres.createEmpty());
    await migrateWebhooks(database.open());
    const db = database.open({ onConnect: `set client_encoding = 'LATIN1'` });
    await expect(start(db)).rejects.toEqual(refusal(/client_encoding must be UTF8, and is LATIN1/));
  });
});

test.skipIf(databaseServers[1]?.skipped)(
  'sessions of PostgreSQL that only read are refused, by the name of the setting',
  async () => {
    if (databaseServers[1] === undefined) throw new Error('unreachable');
    const database = await opened(databaseServers[1].createEmpty());
    const db = database.open({ onConnect: 'set default_transaction_read_only = on' });
    await expect(migrateWebhooks(db)).rejects.toEqual(
      refusal(/default_transaction_read_only.*set it to off/),
    );
    await migrateWebhooks(database.open());
    await expect(start(db)).rejects.toEqual(refusal(/default_transaction_read_only.*set it to off/));
  },
);

const READ_ONLY_SESSIONS: Readonly<Record<string, string>> = {
  PostgreSQL: 'set default_transaction_read_only = on',
  'MySQL or MariaDB': 'set session transaction read only',
};

describe.each(databaseServers)('a session that only reads, on $name', (server) => {
  const onConnect = READ_ONLY_SESSIONS[server.name];

  test.skipIf(server.skipped ?? onConnect === undefined)(
    'may call migrateWebhooks where nothing is to be done, and lists webhooks',
    async () => {
      const database = await opened(server.createEmpty());
      await migrateWebhooks(database.open());
      const writing = createTestEngine(kyselyStorage(database.open())).webhooks;
      onTestFinished(() => writing.close());
      await writing.create({ url: 'https://shop.example/hook', description: 'Orders' });

      const db = database.open(onConnect === undefined ? {} : { onConnect });
      await expect(migrateWebhooks(db)).resolves.toEqual([]);
      const reading = createTestEngine(kyselyStorage(db)).webhooks;
      onTestFinished(() => reading.close());
      await expect(reading.list()).resolves.toMatchObject({ webhooks: [{ description: 'Orders' }] });
    },
  );
});

test('a start goes on while the database is away, whose fitness nobody can judge then', async () => {
  // Nothing listens there.
  const db = new Kysely<unknown>({ dialect: dialectAt('postgres://postgres@127.0.0.1:1/test')({}) });
  onTestFinished(() => db.destroy());
  const { webhooks, errors } = createTestEngine(kyselyStorage(db));
  onTestFinished(() => webhooks.close());
  await webhooks.start();
  await expect.poll(() => errors.map(({ code }) => code)).toEqual(['storage_unavailable']);
});

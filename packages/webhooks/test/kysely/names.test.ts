import { type Kysely, sql, type Transaction } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { catalogOf } from '../../../../test/services/catalog.ts';
import { createPostgresDatabase } from '../../../../test/services/server-databases.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { kyselyStorage, migrateWebhooks, webhookMigrations } from '../../src/kysely/index.ts';
import { DEFAULT_NAMES } from '../../src/kysely/names.ts';
import { countDeliveries } from '../count-deliveries.ts';
import { databaseServers } from './database-servers.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from './example-rows.ts';

const ALL = Object.keys(webhookMigrations);
const LONGEST = 'a_prefix_of_16ch';
const NAMES: readonly string[] = [...DEFAULT_NAMES.tables, ...DEFAULT_NAMES.others];

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.remove();
});

describe.each(databaseServers)('on $name', ({ name, skipped, createEmpty }) => {
  const hasSchemas = name === 'PostgreSQL';

  /** A database with nothing of others in it. */
  async function open(): Promise<TestDatabase> {
    const database = await (hasSchemas ? createPostgresDatabase('webhooks') : createEmpty());
    opened.push(database);
    return database;
  }

  /** Applications that share a database. */
  const applications: readonly TableNameOptions[] = [
    {},
    { tablePrefix: 'a_' },
    { tablePrefix: LONGEST },
    ...(hasSchemas ? [{ schema: 'webhooks' }, { schema: 'App', tablePrefix: 'a_' }] : []),
  ];

  test.skipIf(skipped)('applications with names of their own migrate at the same time', async () => {
    const database = await open();
    const applied = await Promise.all(
      applications.map(async (names) => {
        const processes = [database.open(), database.open()];
        return (await Promise.all(processes.map((db) => migrateWebhooks(db, names)))).flat();
      }),
    );
    expect(applied).toEqual(applications.map(() => ALL));
    for (const names of applications) {
      expect(await migrateWebhooks(database.open(), names)).toEqual([]);
      await kyselyStorage(database.open(), names).assertReady?.();
    }
  });

  test.skipIf(skipped)('applications with names of their own never meet', async () => {
    const database = await open();
    const db: Kysely<unknown> = database.open();
    for (const names of applications) await migrateWebhooks(db, names);
    const [first, ...others] = applications.map((names) => kyselyStorage(db, names));
    if (first === undefined) throw new Error('there are applications');
    await first.createWebhook(NEW_WEBHOOK);
    const keyed = { ...DISPATCH, idempotencyKey: 'k' };
    expect(await first.recordDispatches([keyed])).toMatchObject([{ outcome: 'written' }]);
    for (const other of others) {
      expect(await other.listWebhooks({ sort: 'id', order: 'asc', limit: 9, offset: 0 })).toEqual({
        webhooks: [],
        total: 0,
      });
      expect(await other.recordDispatches([keyed])).toEqual([{ outcome: 'written', deliveryIds: [] }]);
      expect(await other.claimDueDeliveries({ ...CLAIM, now: Date.now() })).toEqual([]);
      const now = Date.now() + 1;
      const createdBefore = new Date(now).toISOString();
      expect(await other.purgeDeliveries({ createdBefore, now, limit: 9 })).toMatchObject({ removed: 0 });
      expect(await other.purgeIdempotencyKeys({ createdBefore, limit: 9 })).toBe(1);
      await other.createWebhook(NEW_WEBHOOK);
      expect(await other.deleteWebhook(1)).toBe(true);
    }
    expect(await first.recordDispatches([keyed])).toMatchObject([{ outcome: 'repeated' }]);
    expect(await first.claimDueDeliveries({ ...CLAIM, now: Date.now() })).toHaveLength(1);
  });

  test.skipIf(skipped)('one transaction of the host takes dispatches of several applications', async () => {
    const db: Kysely<unknown> = (await open()).open();
    for (const names of applications) await migrateWebhooks(db, names);
    const storages = applications.map((names) => kyselyStorage(db, names));
    for (const storage of storages) await storage.createWebhook(NEW_WEBHOOK);
    const dispatchAll = async (transaction: Transaction<unknown>) => {
      for (const storage of storages) await storage.recordDispatches([DISPATCH], transaction);
    };
    await db.transaction().execute(dispatchAll);
    const rolledBack = db.transaction().execute(async (transaction) => {
      await dispatchAll(transaction);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    for (const storage of storages) {
      expect(await countDeliveries(storage, 1)).toMatchObject({ total: 1, pending: 1 });
    }
  });

  test.skipIf(skipped)('everything begins with the prefix, and no name is cut', async () => {
    const [byDefault, prefixed] = [(await open()).open(), (await open()).open()];
    await migrateWebhooks(byDefault);
    await migrateWebhooks(prefixed, { tablePrefix: LONGEST });
    const { names } = await catalogOf(byDefault);
    expect(names).toEqual(expect.arrayContaining([...DEFAULT_NAMES.tables]));
    expect((await catalogOf(prefixed)).names).toEqual(names.map((one) => LONGEST + one));
    expect(Math.max(...names.map((one) => (LONGEST + one).length))).toBeLessThanOrEqual(63);
  });

  test.skipIf(skipped)('tables whose record was emptied are taken again, with their rows', async () => {
    for (const tablePrefix of ['', 'acme_']) {
      const names = tablePrefix === '' ? {} : { tablePrefix };
      const db = (await open()).open();
      await migrateWebhooks(db, names);
      const record = sql.table(`${tablePrefix}webhook_migrations`);
      const table = sql.table(`${tablePrefix}webhooks`);
      await sql`insert into ${table} (url, secret, created_at, updated_at) values ('https://example.com/', 's', 't', 't')`.execute(
        db,
      );
      await sql`delete from ${record}`.execute(db);
      expect(await migrateWebhooks(db, names)).toEqual(ALL);
      expect((await sql`select id from ${table}`.execute(db)).rows).toHaveLength(1);
      expect(await migrateWebhooks(db, names)).toEqual([]);
    }
  });

  test.skipIf(skipped)('a table of the application is left alone, and the prefix makes room', async () => {
    for (const taken of ['webhooks', 'webhook_migrations', 'webhook_deliveries']) {
      const db = (await open()).open();
      await sql`create table ${sql.table(taken)} (mine integer)`.execute(db);
      await sql`insert into ${sql.table(taken)} values (7)`.execute(db);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await expect(migrateWebhooks(db)).rejects.toMatchObject({
          code: 'storage_misconfigured',
          message: expect.stringContaining('option tablePrefix'),
        });
      }
      expect(await migrateWebhooks(db, { tablePrefix: 'acme_' })).toEqual(ALL);
      await kyselyStorage(db, { tablePrefix: 'acme_' }).assertReady?.();
      expect((await sql`select mine from ${sql.table(taken)}`.execute(db)).rows).toEqual([{ mine: 7 }]);
    }
  });

  test.skipIf(skipped).each([
    ['timestamp', '2026-01-01-orders'],
    ['applied_at', '2026-01-01-orders'],
    ['timestamp', undefined],
  ])(
    'migrations of the application in a table of that name, with %s, are left alone',
    async (column, entry) => {
      const db = (await open()).open();
      await sql`create table webhook_migrations (name varchar(255) primary key, ${sql.ref(column)} varchar(255))`.execute(
        db,
      );
      if (entry !== undefined) await sql`insert into webhook_migrations values (${entry}, '1')`.execute(db);
      const { names: before } = await catalogOf(db);
      await expect(migrateWebhooks(db)).rejects.toMatchObject({ code: 'storage_misconfigured' });
      expect((await catalogOf(db)).names).toEqual(before);
    },
  );

  test.skipIf(skipped)('a start names the table that it lacks as the database would', async () => {
    const storage = kyselyStorage((await open()).open(), { tablePrefix: 'acme_' });
    await expect(storage.assertReady?.()).rejects.toMatchObject({
      code: 'storage_misconfigured',
      message: expect.stringContaining('lacks the table acme_webhooks,'),
    });
  });

  test.skipIf(skipped)('an instance of withSchema is refused unless an option names the schema', async () => {
    const db = (await open()).open().withSchema('app');
    const refusal = /^db must not come from withSchema\(\).*option schema/;
    expect(() => kyselyStorage(db)).toThrow(refusal);
    expect(() => kyselyStorage(db, { tablePrefix: 'a_' })).toThrow(TypeError);
    await expect(migrateWebhooks(db)).rejects.toThrow(refusal);
    for (const { up, down } of Object.values(webhookMigrations)) {
      await expect(up(db)).rejects.toThrow(refusal);
      await expect(down(db)).rejects.toThrow(refusal);
    }
    if (!hasSchemas) {
      expect(() => kyselyStorage(db, { schema: 'app' })).toThrow(/^schema is for PostgreSQL alone/);
      await expect(migrateWebhooks(db, { schema: 'app' })).rejects.toThrow(/^schema is for PostgreSQL alone/);
      return;
    }
    expect(await migrateWebhooks(db, { schema: 'app' })).toEqual(ALL);
    const storage = kyselyStorage(db, { schema: 'app' });
    await storage.createWebhook(NEW_WEBHOOK);
    await db.transaction().execute((transaction) => storage.recordDispatches([DISPATCH], transaction));
    expect(await countDeliveries(storage, 1)).toMatchObject({ total: 1 });
    expect((await catalogOf(db.withoutPlugins())).names).toEqual([]);
  });
});

test('a new name is never an old one, so that renaming twice is renaming once', () => {
  for (const one of NAMES) {
    for (const other of NAMES) expect(one !== other && one.endsWith(other)).toBe(false);
  }
});

test('an unknown option is refused', async () => {
  const [{ createEmpty } = { createEmpty: undefined }] = databaseServers;
  const database = await createEmpty?.();
  if (database === undefined) throw new Error('SQLite is always there');
  opened.push(database);
  const prefix = { prefix: 'a_' } as TableNameOptions;
  expect(() => kyselyStorage(database.open(), prefix)).toThrow(/kyselyStorage: unknown option "prefix"/);
  await expect(migrateWebhooks(database.open(), prefix)).rejects.toThrow(/migrateWebhooks: unknown option/);
});

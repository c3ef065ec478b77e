import { CamelCasePlugin, type Kysely, sql, type Transaction } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import { databaseServers } from '../database-servers.ts';
import { DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.remove();
});

describe.each(databaseServers)("a dispatch in its host's transaction on $name", ({ skipped, create }) => {
  async function open() {
    const database = await create();
    opened.push(database);
    const db: Kysely<unknown> = database.open();
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    await storage.createWebhook(NEW_WEBHOOK);
    return { db, storage };
  }

  test.skipIf(skipped)('is refused where the transaction is of another database', async () => {
    const [own, others] = [await open(), await open()];
    const dispatched = others.db
      .transaction()
      .execute((transaction) => own.storage.recordDispatches([DISPATCH], transaction));
    await expect(dispatched).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('transaction'),
    });
    for (const { storage } of [own, others]) {
      expect(await storage.countDeliveries(1)).toMatchObject({ total: 0 });
    }
  });

  test.skipIf(skipped).each<[string, (db: Kysely<unknown>) => Kysely<unknown>]>([
    ['as it is', (db) => db],
    ['with a plugin', (db) => db.withPlugin(new CamelCasePlugin())],
    ['without plugins', (db) => db.withoutPlugins()],
    ['with other tables', (db) => db.withTables<{ more: { id: number } }>() as never],
  ])('is written where the transaction is of the same instance %s', async (_name, derived) => {
    const { db, storage } = await open();
    await derived(db)
      .transaction()
      .execute((transaction) => storage.recordDispatches([DISPATCH], transaction));
    await db
      .transaction()
      .execute((transaction) =>
        storage.recordDispatches([DISPATCH], derived(transaction) as Transaction<unknown>),
      );
    const controlled = await derived(db).startTransaction().execute();
    await storage.recordDispatches([DISPATCH], controlled);
    await controlled.commit().execute();
    expect(await storage.countDeliveries(1)).toMatchObject({ total: 3 });
  });

  test.skipIf(skipped)('is refused where withSchema names a schema that the storage does not', async () => {
    const { db, storage } = await open();
    const dispatched = db
      .withSchema('elsewhere')
      .transaction()
      .execute((transaction) => storage.recordDispatches([DISPATCH], transaction));
    await expect(dispatched).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringMatching(/^transaction must not come from withSchema\(\).*option schema/),
    });
    await db
      .withSchema('elsewhere')
      .transaction()
      .execute((transaction) => storage.recordDispatches([DISPATCH], transaction.withoutPlugins()));
    expect(await storage.countDeliveries(1)).toMatchObject({ total: 1 });
  });
});

test("a dispatch in a transaction that has ended is refused with the database's own error", async ({
  skip,
}) => {
  const db = await migratedSqlite();
  const ended = await db.transaction().execute(async (transaction) => transaction);
  const isRefused = await sql`select 1`.execute(ended).then(
    () => false,
    () => true,
  );
  skip(!isRefused, 'Kysely refuses it from 0.28.11 on');
  await expect(kyselyStorage(db).recordDispatches([DISPATCH], ended)).rejects.toThrow('already committed');
});

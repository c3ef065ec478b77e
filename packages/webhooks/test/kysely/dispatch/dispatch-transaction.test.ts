import { CamelCasePlugin, type Kysely, sql, type Transaction } from 'kysely';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { untilFinished } from '../../../../../test/services/test-database.ts';
import { fromPg } from '../../../../toolkit/src/transactions/from-pg.ts';
import type { SqlTransaction } from '../../../../toolkit/src/transactions/sql-transaction.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { countDeliveries } from '../../count-deliveries.ts';
import { databaseServers } from '../database-servers.ts';
import { DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

describe.each(databaseServers)("a dispatch in its host's transaction on $name", ({ skipped, create }) => {
  async function open() {
    const database = untilFinished(await create());
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
      expect(await countDeliveries(storage, 1)).toMatchObject({ total: 0 });
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
    expect(await countDeliveries(storage, 1)).toMatchObject({ total: 3 });
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
    expect(await countDeliveries(storage, 1)).toMatchObject({ total: 1 });
  });
});

const postgres = databaseServers.find(({ name }) => name === 'PostgreSQL');

/** By library, how a host ends its transaction beside a dispatch that is under way. */
const HOSTS: Readonly<Record<string, (db: Kysely<unknown>, pool: Pool, work: Work) => Promise<unknown>>> = {
  async pg(_db, pool, { dispatchIn, failure }) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await Promise.all([dispatchIn(fromPg(client)), failure()]);
    } catch {
      await client.query('rollback');
    } finally {
      client.release();
    }
  },
  Kysely: (db, _pool, { dispatchIn, failure }) =>
    db
      .transaction()
      .execute((transaction) => Promise.all([dispatchIn(transaction), failure()]))
      .catch(() => undefined),
  // As Kysely up to 0.28.10, which does not refuse what comes after the end.
  'a careless Kysely': (db, _pool, { dispatchIn, failure }) =>
    db.connection().execute(async (connection) => {
      await sql`begin`.execute(connection);
      const transaction = { isTransaction: true, getExecutor: () => connection.getExecutor() };
      await Promise.all([dispatchIn(transaction as Transaction<unknown>), failure()]).catch(() => undefined);
      await sql`rollback`.execute(connection);
    }),
};

interface Work {
  dispatchIn(transaction: Transaction<unknown> | SqlTransaction): Promise<unknown>;
  /** Rejects. */
  failure(): Promise<never>;
}

describe.skipIf(postgres?.skipped).each(Object.entries(HOSTS))(
  'a dispatch that is under way when a transaction of %s rolls back',
  (_name, end) => {
    test('writes nothing afterwards, whenever that is', async () => {
      if (postgres === undefined) throw new Error('there is no PostgreSQL among the servers');
      const database = untilFinished(await postgres.create());
      const db = database.open<WebhookTables>();
      await migrateWebhooks(db);
      const storage = kyselyStorage(db) as WebhookStorage<Transaction<unknown> | SqlTransaction>;
      await storage.createWebhook(NEW_WEBHOOK);
      const pool = new Pool({ connectionString: database.url });
      onTestFinished(() => pool.end());
      const dispatch = { ...DISPATCH, idempotencyKey: 'order-7' };
      const refusals: unknown[] = [];
      for (let turns = 0; turns < 20; turns++) {
        let dispatched: Promise<unknown> = Promise.resolve();
        await end(db as never, pool, {
          dispatchIn(transaction) {
            dispatched = storage
              .recordDispatches([dispatch], transaction)
              .catch((error) => void refusals.push(error));
            return dispatched;
          },
          async failure() {
            for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
            throw new Error('out of stock');
          },
        });
        await dispatched;
        expect(await countDeliveries(storage, 1)).toMatchObject({ total: 0 });
        expect(await db.selectFrom('webhook_idempotency_keys').selectAll().execute()).toEqual([]);
      }
      expect(refusals.length).toBeGreaterThan(0);
    });
  },
);

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

import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { type TestDatabase, untilFinished } from '../../../../../test/services/test-database.ts';
import type { SqlTransaction } from '../../../../toolkit/src/transactions/sql-transaction.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import { countDeliveries } from '../../count-deliveries.ts';
import { databaseServers } from '../database-servers.ts';
import { DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';

const KEYED = { ...DISPATCH, idempotencyKey: 'order 7' };

async function storageOn(create: () => Promise<TestDatabase>) {
  const database = untilFinished(await create());
  const db = database.open<unknown>();
  await migrateWebhooks(db);
  const storage = kyselyStorage(db);
  await storage.createWebhook(NEW_WEBHOOK);
  return { db, storage };
}

/** Executes a statement as a driver does that knows nothing of Kysely. */
function execute(db: Kysely<unknown>, sql: string, parameters: readonly unknown[] = []) {
  return db.executeQuery<object>({
    sql,
    parameters,
    query: { kind: 'RawNode', sqlFragments: [sql], parameters: [] },
    queryId: { queryId: 'host' },
  });
}

test.each(databaseServers)(
  'an event is not lost to the key of a try that failed on $name',
  async ({ skipped, create }) => {
    if (skipped) return;
    const { db, storage } = await storageOn(create);

    // The host's transaction ends just before the key is written; the driver knows it afterwards.
    const failed = db.connection().execute(async (connection) => {
      let hasEnded = false;
      const transaction: SqlTransaction = {
        async execute(sql, parameters) {
          if (hasEnded) throw new Error('the transaction has ended');
          hasEnded = /^insert .*idempotency_keys/.test(sql);
          return (await execute(connection, sql, parameters)).rows;
        },
      };
      await storage.recordDispatches([KEYED], transaction);
    });
    await expect(failed).rejects.toThrow();
    const retried = db.transaction().execute((transaction) => storage.recordDispatches([KEYED], transaction));
    expect(await retried).toMatchObject([{ outcome: 'written', deliveryIds: [expect.any(String)] }]);
    const repeated = db
      .transaction()
      .execute((transaction) => storage.recordDispatches([KEYED], transaction));
    expect(await repeated).toMatchObject([{ outcome: 'repeated' }]);
  },
);

test.each(databaseServers)(
  'deliveries are not written without the key of their dispatch on $name',
  async ({ skipped, create }) => {
    if (skipped) return;
    const { db, storage } = await storageOn(create);

    // The host rolls back once the key is written, and nobody notices.
    await db.connection().execute(async (connection) => {
      const run = (sql: string, parameters?: readonly unknown[]) => execute(connection, sql, parameters);
      await run('begin');
      const transaction: SqlTransaction = {
        async execute(sql, parameters) {
          const { rows } = await run(sql, parameters);
          if (/^insert .*idempotency_keys/.test(sql)) await run('rollback');
          return rows;
        },
      };
      await storage.recordDispatches([KEYED], transaction).catch(() => undefined);
    });
    expect(await countDeliveries(storage, 1)).toMatchObject({ total: 0 });
    expect(await storage.recordDispatches([KEYED])).toMatchObject([{ outcome: 'written' }]);
  },
);

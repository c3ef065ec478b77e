import { Kysely, type Transaction } from 'kysely';
import type { StorageUnderTest } from '../../contract/storage/contract-harness.ts';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import type { DatabaseServer, NamedDatabaseServer } from '../kysely/database-servers.ts';
import { dialectAt } from '../kysely/dialect-at.ts';
import { losingAnswers } from './lost-answers.ts';

/** Tables of the host's, which our statements have nothing to do with. */
export interface HostTables {
  orders: { id: number; total: number };
}

/**
 * A storage in a database of its own, and others with connections of their own: as a second process
 * has them, and one that loses answers.
 */
export async function databaseUnderTest({
  create,
  names,
}: Pick<DatabaseServer, 'create'> & Partial<Pick<NamedDatabaseServer, 'names'>>): Promise<
  StorageUnderTest<Transaction<HostTables>>
> {
  const database = await create();
  const options = names?.(database);
  const db = database.open<HostTables>();
  await migrateWebhooks(db, options).catch(async (error: unknown) => {
    await database.remove();
    throw error;
  });
  const { dialect, loseNextAnswer } = losingAnswers(dialectAt(database.url)({}));
  const unreliable = new Kysely<HostTables>({ dialect });
  return {
    storage: kyselyStorage(db, options),
    secondProcess: kyselyStorage(database.open<HostTables>(), options),
    inTransaction: (work) => db.transaction().execute(work),
    unreliable: { storage: kyselyStorage(unreliable, options), loseNextAnswer },
    async close() {
      await unreliable.destroy();
      await database.remove();
    },
  };
}

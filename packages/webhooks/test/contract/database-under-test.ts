import { Kysely, type Transaction } from 'kysely';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import type { StorageUnderTest } from '../../src/testing/index.ts';
import type { DatabaseServer } from '../kysely/database-servers.ts';
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
}: Pick<DatabaseServer, 'create'>): Promise<StorageUnderTest<Transaction<HostTables>>> {
  const database = await create();
  const db = database.open<HostTables>();
  await migrateWebhooks(db).catch(async (error: unknown) => {
    await database.remove();
    throw error;
  });
  const { dialect, loseNextAnswer } = losingAnswers(dialectAt(database.url)({}));
  const unreliable = new Kysely<HostTables>({ dialect });
  return {
    storage: kyselyStorage(db),
    secondProcess: kyselyStorage(database.open<HostTables>()),
    inTransaction: (work) => db.transaction().execute(work),
    unreliable: { storage: kyselyStorage(unreliable), loseNextAnswer },
    async close() {
      await unreliable.destroy();
      await database.remove();
    },
  };
}

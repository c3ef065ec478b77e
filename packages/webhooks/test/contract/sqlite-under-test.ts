import type { Transaction } from 'kysely';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import type { StorageUnderTest } from '../../src/testing/index.ts';
import { sqliteFile } from '../kysely/sqlite-database.ts';

/** Tables of the host's, which our statements have nothing to do with. */
export interface HostTables {
  orders: { id: number; total: number };
}

/** SQLite waits for no lock itself, so that every collision of the two connections reaches the retries. */
export async function sqliteUnderTest(): Promise<StorageUnderTest<Transaction<HostTables>>> {
  const file = sqliteFile();
  const db = file.open<HostTables>();
  await migrateWebhooks(db);
  return {
    storage: kyselyStorage(db),
    peer: kyselyStorage(file.open<HostTables>()),
    inTransaction: (work) => db.transaction().execute(work),
    close: () => file.remove(),
  };
}

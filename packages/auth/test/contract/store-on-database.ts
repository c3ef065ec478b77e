import type { Kysely } from 'kysely';
import type { OpenOptions } from '../../../../test/services/test-database.ts';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import type { StoreUnderTest } from '../../contract/store/store-harness.ts';
import { migrateAuth } from '../../src/kysely/index.ts';
import type { DatabaseServer, NamedDatabaseServer } from '../kysely/database-servers.ts';

/** Makes a store, and a second one as another process has it, on a database of their own. */
export function storeOnDatabase<Store>(
  create: DatabaseServer['create'],
  createStore: (db: Kysely<unknown>, options?: TableNameOptions) => Store,
  options: OpenOptions = {},
  names?: NamedDatabaseServer['names'],
): () => Promise<StoreUnderTest<Store>> {
  return async () => {
    const database = await create();
    const db = database.open<unknown>(options);
    const tableNames = names?.(database);
    await migrateAuth(db, tableNames);
    return {
      store: createStore(db, tableNames),
      secondProcess: createStore(database.open<unknown>(options), tableNames),
      close: () => database.remove(),
    };
  };
}

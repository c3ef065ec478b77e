import type { Kysely } from 'kysely';
import type { OpenOptions } from '../../../../test/services/test-database.ts';
import { migrateAuth } from '../../src/kysely/index.ts';
import type { StoreUnderTest } from '../../src/testing/store-contract/store-harness.ts';
import type { DatabaseServer } from '../kysely/database-servers.ts';

/** Makes a store, and a second one as another process has it, on a database of their own. */
export function storeOnDatabase<Store>(
  create: DatabaseServer['create'],
  createStore: (db: Kysely<unknown>) => Store,
  options: OpenOptions = {},
): () => Promise<StoreUnderTest<Store>> {
  return async () => {
    const database = await create();
    const db = database.open<unknown>(options);
    await migrateAuth(db);
    return {
      store: createStore(db),
      secondProcess: createStore(database.open<unknown>(options)),
      close: () => database.remove(),
    };
  };
}

import { describe, test } from 'vitest';
import { kyselyApiKeyStore } from '../../src/kysely/api-key-store.ts';
import { kyselyOneTimeTokenStore, kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import { apiKeyStoreContract } from '../../src/testing/api-key-store-contract.ts';
import { oneTimeTokenStoreContract } from '../../src/testing/one-time-token-store-contract.ts';
import { sessionStoreContract } from '../../src/testing/session-store-contract.ts';
import { mysqlIn } from '../kysely/database-servers.ts';

// Defaults of a database that cannot hold what our columns do: a column that takes one loses
// characters.
const SERVERS = ['latin1', 'utf8mb3'].map(mysqlIn);

describe.each(SERVERS)('the stores on $name', ({ skipped, create }) => {
  const open = async () => {
    const database = await create();
    const db = database.open();
    await migrateAuth(db);
    return { database, db };
  };
  const cases = [
    ...apiKeyStoreContract(async () => {
      const { database, db } = await open();
      return { store: kyselyApiKeyStore(db), close: () => database.remove() };
    }),
    ...sessionStoreContract(async () => {
      const { database, db } = await open();
      return { store: kyselySessionStore(db), close: () => database.remove() };
    }),
    ...oneTimeTokenStoreContract(async () => {
      const { database, db } = await open();
      return { store: kyselyOneTimeTokenStore(db), close: () => database.remove() };
    }),
  ];
  for (const { name, run } of cases) test.skipIf(skipped)(name, run, 240_000);
});

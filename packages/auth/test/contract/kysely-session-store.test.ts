import { describe, test } from 'vitest';
import { kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import { sessionStoreContract } from '../../src/testing/session-store-contract.ts';
import { databaseServers } from '../kysely/database-servers.ts';

describe.each(databaseServers)('kyselySessionStore on $name', ({ skipped, create }) => {
  const cases = sessionStoreContract(
    async () => {
      const database = await create();
      const db = database.open();
      await migrateAuth(db);
      return {
        store: kyselySessionStore(db),
        secondProcess: kyselySessionStore(database.open()),
        close: () => database.remove(),
      };
    },
    { hasSecondProcess: true },
  );
  for (const { name, run } of cases) test.skipIf(skipped)(name, run);
});

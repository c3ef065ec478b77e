import { describe, test } from 'vitest';
import { sessionStoreContract } from '../../contract/session-store-contract.ts';
import { kyselySessionStore } from '../../src/kysely/index.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { storeOnDatabase } from './store-on-database.ts';

describe.each(databaseServers)('kyselySessionStore on $name', ({ skipped, create }) => {
  const cases = sessionStoreContract(storeOnDatabase(create, kyselySessionStore), { hasSecondProcess: true });
  for (const { name, run } of cases) test.skipIf(skipped)(name, run);
});

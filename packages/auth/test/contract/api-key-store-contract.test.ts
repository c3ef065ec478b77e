import { describe, test } from 'vitest';
import { apiKeyStoreContract } from '../../contract/api-key-store-contract.ts';
import { memoryApiKeyStore } from '../../src/api-keys/memory-api-key-store.ts';
import { kyselyApiKeyStore } from '../../src/kysely/api-key-store.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { storeOnDatabase } from './store-on-database.ts';

describe('memoryApiKeyStore', () => {
  const cases = apiKeyStoreContract(async () => ({ store: memoryApiKeyStore(), async close() {} }));
  for (const { name, run } of cases) test(name, run);
});

describe.each(databaseServers)('kyselyApiKeyStore on $name', ({ skipped, create }) => {
  const cases = apiKeyStoreContract(storeOnDatabase(create, kyselyApiKeyStore), { hasSecondProcess: true });
  for (const { name, run } of cases) test.skipIf(skipped)(name, run);
});

import { describe, test } from 'vitest';
import type { OpenOptions } from '../../../../test/services/test-database.ts';
import { oneTimeTokenStoreContract } from '../../contract/one-time-token-store-contract.ts';
import { kyselyOneTimeTokenStore } from '../../src/kysely/index.ts';
import { memoryOneTimeTokenStore } from '../../src/one-time-tokens/memory-one-time-token-store.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { storeOnDatabase } from './store-on-database.ts';

describe('memoryOneTimeTokenStore', () => {
  const cases = oneTimeTokenStoreContract(async () => ({
    store: memoryOneTimeTokenStore(),
    async close() {},
  }));
  for (const { name, run } of cases) test(name, run);
});

const SERIALISING: Readonly<Record<string, string>> = {
  PostgreSQL: 'set default_transaction_isolation = serializable',
  'MySQL or MariaDB': 'set session transaction isolation level serializable',
};

describe.each(databaseServers)('kyselyOneTimeTokenStore on $name', ({ name, skipped, create }) => {
  const contractOn = (options?: OpenOptions) =>
    oneTimeTokenStoreContract(storeOnDatabase(create, kyselyOneTimeTokenStore, options), {
      hasSecondProcess: true,
    });
  for (const { name, run } of contractOn()) test.skipIf(skipped)(name, run);

  const serialising = SERIALISING[name];
  if (serialising === undefined) return;
  describe('that serialises by default', () => {
    const races = contractOn({ onConnect: serialising }).filter(({ name }) => name.includes('at once'));
    for (const { name, run } of races) test.skipIf(skipped)(name, run);
  });
});

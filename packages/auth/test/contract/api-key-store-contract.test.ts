import { AssertionError } from 'node:assert';
import { describe, expect, test } from 'vitest';
import { memoryApiKeyStore } from '../../src/api-keys/memory-api-key-store.ts';
import { kyselyApiKeyStore } from '../../src/kysely/api-key-store.ts';
import { migrateAuth } from '../../src/kysely/index.ts';
import {
  type ApiKeyStoreContractCase,
  apiKeyStoreContract,
} from '../../src/testing/api-key-store-contract.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { brokenApiKeyStores } from './broken-api-key-stores.ts';

describe('memoryApiKeyStore', () => {
  const cases = apiKeyStoreContract(async () => ({ store: memoryApiKeyStore(), async close() {} }));
  for (const { name, run } of cases) test(name, run);
});

describe.each(databaseServers)('kyselyApiKeyStore on $name', ({ skipped, create }) => {
  const cases = apiKeyStoreContract(
    async () => {
      const database = await create();
      const db = database.open();
      await migrateAuth(db);
      return {
        store: kyselyApiKeyStore(db),
        secondProcess: kyselyApiKeyStore(database.open()),
        close: () => database.remove(),
      };
    },
    { hasSecondProcess: true },
  );
  for (const { name, run } of cases) test.skipIf(skipped)(name, run);
});

describe('the contract', () => {
  /** The names of the cases that a store fails. */
  async function failuresOf(cases: readonly ApiKeyStoreContractCase[]): Promise<string[]> {
    const failed: string[] = [];
    for (const { name, run } of cases) {
      await run().catch((error: unknown) => {
        // Anything else would be a fault of the broken store itself.
        expect(error, name).toBeInstanceOf(AssertionError);
        failed.push(name);
      });
    }
    return failed;
  }

  test.each(brokenApiKeyStores)('refuses a store that $fault', async ({ create, noticedBy }) => {
    const cases = apiKeyStoreContract(async () => ({ store: create(), async close() {} }));
    expect(await failuresOf(cases)).toContainEqual(expect.stringContaining(noticedBy));
  });

  test('refuses a store whose processes do not share it', async () => {
    const cases = apiKeyStoreContract(
      async () => ({ store: memoryApiKeyStore(), secondProcess: memoryApiKeyStore(), async close() {} }),
      { hasSecondProcess: true },
    );
    expect(await failuresOf(cases)).toContainEqual(expect.stringContaining('shows every process'));
  });
});

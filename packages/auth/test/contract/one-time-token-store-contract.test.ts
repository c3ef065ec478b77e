import { AssertionError } from 'node:assert';
import { describe, expect, test } from 'vitest';
import { kyselyOneTimeTokenStore, migrateAuth } from '../../src/kysely/index.ts';
import { memoryOneTimeTokenStore } from '../../src/one-time-tokens/memory-one-time-token-store.ts';
import {
  type OneTimeTokenStoreContractCase,
  oneTimeTokenStoreContract,
} from '../../src/testing/one-time-token-store-contract.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { brokenOneTimeTokenStores } from './broken-one-time-token-stores.ts';

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
  const contractOn = (onConnect?: string) =>
    oneTimeTokenStoreContract(
      async () => {
        const database = await create();
        const options = onConnect === undefined ? {} : { onConnect };
        const db = database.open(options);
        await migrateAuth(db);
        return {
          store: kyselyOneTimeTokenStore(db),
          secondProcess: kyselyOneTimeTokenStore(database.open(options)),
          close: () => database.remove(),
        };
      },
      { hasSecondProcess: true },
    );
  for (const { name, run } of contractOn()) test.skipIf(skipped)(name, run);

  const serialising = SERIALISING[name];
  if (serialising === undefined) return;
  describe('that serialises by default', () => {
    const races = contractOn(serialising).filter(({ name }) => name.includes('at once'));
    for (const { name, run } of races) test.skipIf(skipped)(name, run);
  });
});

describe('the contract', () => {
  /** The names of the cases that a store fails. */
  async function failuresOf(cases: readonly OneTimeTokenStoreContractCase[]): Promise<string[]> {
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

  test.each(brokenOneTimeTokenStores)('refuses a store that $fault', async ({ create, noticedBy }) => {
    const cases = oneTimeTokenStoreContract(async () => ({ store: create(), async close() {} }));
    expect(await failuresOf(cases)).toContainEqual(expect.stringContaining(noticedBy));
  });

  test('refuses a store whose processes do not share it', async () => {
    const cases = oneTimeTokenStoreContract(
      async () => ({
        store: memoryOneTimeTokenStore(),
        secondProcess: memoryOneTimeTokenStore(),
        async close() {},
      }),
      { hasSecondProcess: true },
    );
    expect(await failuresOf(cases)).toContainEqual(expect.stringContaining('shows every process'));
  });
});

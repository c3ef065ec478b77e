import { describe, test } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { type ContractCase, storageContract } from '../../src/testing/index.ts';
import { memoryByItsOwnClock } from './memory-by-its-own-clock.ts';
import { sqliteUnderTest } from './sqlite-under-test.ts';

/** Each storage with what it offers. */
const CONTRACTS: readonly (readonly [storage: string, cases: readonly ContractCase[]])[] = [
  ['memoryStorage', storageContract(async () => ({ storage: memoryStorage(), async close() {} }))],
  ['kyselyStorage on SQLite', storageContract(sqliteUnderTest, { hasTransactions: true, hasPeers: true })],
];

for (const [storage, cases] of CONTRACTS) {
  describe(storage, () => {
    for (const { name, run } of cases) test(name, run);
  });
}

// What must be true of the cases themselves, wherever time really passes.
describe.concurrent('a storage that believes its own clock', () => {
  const cases = storageContract(async () => ({ storage: memoryByItsOwnClock(), async close() {} }), {
    clock: 'database',
  });
  for (const { name, run } of cases) test(name, run);
});

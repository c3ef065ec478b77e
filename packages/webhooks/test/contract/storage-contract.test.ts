import { describe, test } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { storageContract } from '../../src/testing/index.ts';
import { sqliteUnderTest } from './sqlite-under-test.ts';

describe('memoryStorage', () => {
  const cases = storageContract(async () => ({ storage: memoryStorage(), async close() {} }));
  for (const { name, run } of cases) test(name, run);
});

describe('kyselyStorage on SQLite', () => {
  const cases = storageContract(sqliteUnderTest, { hasTransactions: true, hasPeers: true });
  for (const { name, run } of cases) test(name, run);
});

import { describe, test } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { storageContract } from '../../src/testing/index.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { databaseUnderTest } from './database-under-test.ts';
import { memoryByItsOwnClock } from './memory-by-its-own-clock.ts';

describe('memoryStorage', () => {
  const cases = storageContract(async () => ({ storage: memoryStorage(), async close() {} }));
  for (const { name, run } of cases) test(name, run);
});

describe.each(databaseServers)('kyselyStorage on $name', (server) => {
  const options = { clock: server.clock, hasTransactions: true, hasPeers: true };
  const cases = storageContract(() => databaseUnderTest(server), options);
  // Where time really passes, and a database takes a while to create, cases wait for one another's time.
  const inTurn = server.clock === 'database' ? test.concurrent : test;
  const testCase = server.skipped === undefined ? inTurn : test.skip;
  for (const { name, run } of cases) testCase(name, run, 60_000);
});

// What must be true of the cases themselves, wherever time really passes.
describe.concurrent('a storage that believes its own clock', () => {
  const cases = storageContract(async () => ({ storage: memoryByItsOwnClock(), async close() {} }), {
    clock: 'database',
  });
  for (const { name, run } of cases) test(name, run);
});

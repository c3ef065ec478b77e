import { describe, test } from 'vitest';
import { storageContract } from '../../src/testing/index.ts';
import type { DatabaseServer } from '../kysely/database-servers.ts';
import { databaseUnderTest } from './database-under-test.ts';

/** Runs the whole contract on a kind of database. */
export function describeStorage(server: DatabaseServer): void {
  describe(`kyselyStorage on ${server.name}`, () => {
    const options = {
      clock: server.clock,
      hasTransactions: true,
      hasSecondProcess: true,
      hasLostAnswers: true,
    };
    const cases = storageContract(() => databaseUnderTest(server), options);
    // Where time really passes, and a database takes a while to create, cases wait for one
    // another's time.
    const inTurn = server.clock === 'database' ? test.concurrent : test;
    const testCase = server.skipped === undefined ? inTurn : test.skip;
    for (const { name, run } of cases) testCase(name, run, 240_000);
  });
}

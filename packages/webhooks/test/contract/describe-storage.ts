import { describe, test } from 'vitest';
import { chosenCases } from '../../../../test/contract/chosen-cases.ts';
import { storageContract } from '../../src/testing/index.ts';
import type { DatabaseServer } from '../kysely/database-servers.ts';
import { databaseUnderTest } from './database-under-test.ts';

/** Runs the contract on a kind of database: the whole of it, or the cases of these names. */
export function describeStorage(server: DatabaseServer, names?: readonly string[]): void {
  describe(`kyselyStorage on ${server.name}`, () => {
    const options = {
      clock: server.clock,
      hasTransactions: true,
      hasSecondProcess: true,
      hasLostAnswers: true,
    };
    const all = storageContract(() => databaseUnderTest(server), options);
    const cases = names === undefined ? all : chosenCases(all, names);
    // Where time really passes, cases wait for one another's time, each in tables of its own.
    const inTurn = server.clock === 'database' ? test.concurrent : test;
    const testCase = server.skipped === undefined ? inTurn : test.skip;
    for (const { name, run } of cases) testCase(name, run, 240_000);
  });
}

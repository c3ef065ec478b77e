import { describe, test } from 'vitest';
import { chosenCases } from '../../../../test/contract/chosen-cases.ts';
import { ODD_DATABASES } from './odd-databases.ts';

/**
 * A statement of every kind, and every table; texts and comparisons: what other names, another
 * character set or a host's driver can break.
 */
const STORE_CASES = [
  'finds a key by its hash, with every field as it was stored',
  'tells users apart byte for byte',
  'notes the use of 500 keys in one call',
  'revokes all keys of a user in one step, counts those it revoked, and leaves earlier times',
  'returns the counts of several keys in the order of the changes',
  'forgets both counts of a key, and says what they were',
  'replaces the token that the user has for the same purpose in the same instance, and no other',
  'purges expired tokens of all instances, as many as it is asked to, and none that is open',
  'neither interprets nor changes texts',
  'purges a revoked session in several calls, whose tokens never work in between',
  'gives all who rotate one token at once the same successor, and makes no other',
  'revokes the oldest sessions of a user beyond those to keep, and names them',
];

describe.each(ODD_DATABASES)('the stores on $name', ({ skipped, cases }) => {
  for (const { name, run } of chosenCases(cases, STORE_CASES)) test.skipIf(skipped)(name, run, 240_000);
});

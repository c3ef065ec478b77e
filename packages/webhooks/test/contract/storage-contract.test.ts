import { describe, test } from 'vitest';
import { chosenCases } from '../../../../test/contract/chosen-cases.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { storageContract } from '../../src/testing/index.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { casesOfClasses } from './class-under-test.ts';
import { describeStorage } from './describe-storage.ts';
import { CASES_OF_NAMES } from './storage-cases.ts';

describe('memoryStorage', () => {
  const cases = storageContract(async () => ({ storage: memoryStorage(), async close() {} }));
  for (const { name, run } of cases) test(name, run);
});

describe('a storage and its harness that are instances of classes', () => {
  const [announced, ...cases] = casesOfClasses();
  test('announces what stands on a prototype', async () => {
    await announced?.run();
  });
  for (const { name, run } of chosenCases(cases, CASES_OF_NAMES)) test(name, run);
});

for (const server of databaseServers) describeStorage(server);

import { describe, test } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { storageContract } from '../../src/testing/index.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { describeStorage } from './describe-storage.ts';

describe('memoryStorage', () => {
  const cases = storageContract(async () => ({ storage: memoryStorage(), async close() {} }));
  for (const { name, run } of cases) test(name, run);
});

for (const server of databaseServers) describeStorage(server);

import { describe, expect, test } from 'vitest';
import { redisSkipped } from '../../../../test/services/servers.ts';
import { loginFailureStoreContract } from '../../contract/login-failure-store-contract.ts';
import { redisLoginFailures } from '../../docs/samples/redis-login-failures.ts';
import { kyselyLoginFailures } from '../../src/kysely/index.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { memoryLoginFailures } from './memory-login-failures.ts';
import { openRedis } from './redis-server.ts';
import { storeOnDatabase } from './store-on-database.ts';

const redisIsAway = await redisSkipped();

describe('a store in memory', () => {
  const cases = loginFailureStoreContract(async () => ({ store: memoryLoginFailures(), async close() {} }));
  for (const { name, run } of cases) test(name, run);
});

describe.each(databaseServers)('kyselyLoginFailures on $name', ({ skipped, create }) => {
  const cases = loginFailureStoreContract(storeOnDatabase(create, kyselyLoginFailures), {
    hasSecondProcess: true,
  });
  for (const { name, run } of cases) test.skipIf(skipped)(name, run);
});

describe('the store on Redis that the guide shows', () => {
  const cases = loginFailureStoreContract(
    async () => {
      const connections = [openRedis(), openRedis()] as const;
      return {
        store: redisLoginFailures(connections[0]),
        secondProcess: redisLoginFailures(connections[1]),
        async close() {
          for (const redis of connections) redis.disconnect();
        },
      };
    },
    { hasSecondProcess: true },
  );
  for (const { name, run } of cases) test.skipIf(redisIsAway)(name, run);

  test.skipIf(redisIsAway)('lets each key expire', async () => {
    const redis = openRedis();
    await redisLoginFailures(redis).add([{ key: 'login:expiring', failures: 1, underWay: 0 }], 1_200);
    const left = await redis.ttl('login:expiring');
    await redis.del('login:expiring');
    redis.disconnect();
    expect(left).toBeGreaterThan(1_190);
    expect(left).toBeLessThanOrEqual(1_200);
  });
});

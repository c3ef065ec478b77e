import { AssertionError } from 'node:assert';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { codeBlocksIn } from '../../../../test/readme/markdown.ts';
import { kyselyLoginFailures, migrateAuth } from '../../src/kysely/index.ts';
import {
  type LoginFailureStoreContractCase,
  loginFailureStoreContract,
} from '../../src/testing/login-failure-store-contract.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { brokenLoginFailureStores } from './broken-login-failure-stores.ts';
import { memoryLoginFailures } from './memory-login-failures.ts';
import { redisLoginFailures } from './redis-login-failures.ts';
import { openRedis, redisSkipped } from './redis-server.ts';

describe('a store in memory', () => {
  const cases = loginFailureStoreContract(async () => ({ store: memoryLoginFailures(), async close() {} }));
  for (const { name, run } of cases) test(name, run);
});

describe.each(databaseServers)('kyselyLoginFailures on $name', ({ skipped, create }) => {
  const cases = loginFailureStoreContract(
    async () => {
      const database = await create();
      const db = database.open();
      await migrateAuth(db);
      return {
        store: kyselyLoginFailures(db),
        secondProcess: kyselyLoginFailures(database.open()),
        close: () => database.remove(),
      };
    },
    { hasSecondProcess: true },
  );
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
  for (const { name, run } of cases) test.skipIf(redisSkipped)(name, run);

  test('is the one that is tested here', () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
    const shown = codeBlocksIn(read('../../docs/sessions.md')).map(({ code }) => code);
    const functionOf = (code: string) => /^export function redisLoginFailures.*?^}$/ms.exec(code)?.[0];
    const tested = functionOf(read('redis-login-failures.ts'));
    expect(tested).toBeDefined();
    expect(shown.flatMap((code) => functionOf(code) ?? [])).toEqual([tested]);
  });

  test.skipIf(redisSkipped)('lets each key expire', async () => {
    const redis = openRedis();
    await redisLoginFailures(redis).add([{ key: 'login:expiring', failures: 1, underWay: 0 }], 1_200);
    const left = await redis.ttl('login:expiring');
    await redis.del('login:expiring');
    redis.disconnect();
    expect(left).toBeGreaterThan(1_190);
    expect(left).toBeLessThanOrEqual(1_200);
  });
});

describe('the contract', () => {
  /** The names of the cases that a store fails. */
  async function failuresOf(cases: readonly LoginFailureStoreContractCase[]): Promise<string[]> {
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

  test.each(brokenLoginFailureStores)('refuses a store that $fault', async ({ create, noticedBy }) => {
    const cases = loginFailureStoreContract(async () => ({ store: create(), async close() {} }));
    expect(await failuresOf(cases)).toContainEqual(expect.stringContaining(noticedBy));
  });

  test('refuses a store whose processes do not share it', async () => {
    const cases = loginFailureStoreContract(
      async () => ({ store: memoryLoginFailures(), secondProcess: memoryLoginFailures(), async close() {} }),
      { hasSecondProcess: true },
    );
    expect(await failuresOf(cases)).toContainEqual(expect.stringContaining('shows every process'));
  });
});

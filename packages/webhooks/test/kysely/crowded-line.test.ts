import { afterEach, describe, expect, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import { databaseServers } from './database-servers.ts';
import type { TestDatabase } from './test-database.ts';

const SHARE = 2;
const HEALTHY = 3;
const CLAIMS = 40;

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.remove();
});

describe.each(databaseServers)('a line crowded by one webhook on $name', ({ skipped, create }) => {
  test.skipIf(skipped)('is read once in sixteen claims, and nobody behind it waits for that', async () => {
    const database = await create();
    databases.push(database);
    let windows = 0;
    const db = database.open({
      log: ({ query }) => {
        if (query.sql.includes('over ()')) windows += 1;
      },
    });
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    const createdAt = new Date().toISOString();
    const createWebhook = (pattern: string) =>
      storage.createWebhook({
        ...{ url: 'https://a.example/', secret: 's', description: '', events: [pattern], isActive: true },
        ...{ createdBy: 0, createdAt },
      });
    const dispatch = (pattern: string, count: number) =>
      storage.recordDispatches(
        Array.from({ length: count }, () => ({
          ...{ event: 'order.paid', payload: '{}', createdAt, target: { patterns: [pattern] } },
        })),
      );
    const { id: hangs } = await createWebhook('hangs.*');
    await dispatch('hangs.*', 300);
    for (let index = 0; index < HEALTHY; index++) await createWebhook('order.*');
    for (let time = 1; time <= CLAIMS; time++) {
      await dispatch('order.*', 1);
      const claimed = await storage.claimDueDeliveries({
        ...{ now: Date.now(), limit: 50, leaseMs: 60_000, maxAttempts: 4, claimToken: `token ${time}` },
        ...{ maxPerWebhook: SHARE, inFlight: new Map([[hangs, SHARE]]) },
      });
      expect(claimed.map(({ event }) => event)).toEqual(Array(HEALTHY).fill('order.paid'));
      expect(claimed.map(({ webhook }) => webhook.id)).not.toContain(hangs);
    }
    expect(windows).toBe(Math.ceil(CLAIMS / 16));
  });
});

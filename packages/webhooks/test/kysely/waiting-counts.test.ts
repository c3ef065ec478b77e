import { afterEach, describe, expect, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import { databaseServers } from './database-servers.ts';
import type { TestDatabase } from './test-database.ts';

const WAITING = 1_700;
const SHARE = 1;

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.remove();
});

describe.each(databaseServers)('deliveries that wait for a claim on $name', ({ skipped, create }) => {
  test.skipIf(skipped)('are counted before their claim and after it, and none is counted twice', async () => {
    const database = await create();
    databases.push(database);
    const db = database.open<WebhookTables>();
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    const createdAt = new Date().toISOString();
    const { id } = await storage.createWebhook({
      ...{ url: 'https://a.example/', secret: 's', description: '', events: ['*'], isActive: true },
      ...{ createdBy: 0, createdAt },
    });
    const dispatch = { event: 'order.paid', payload: '{}', createdAt, target: { webhookId: id } };
    // A host's transaction locks no counters.
    await db.transaction().execute((transaction) =>
      storage.recordDispatches(
        Array.from({ length: WAITING }, () => dispatch),
        transaction,
      ),
    );
    const claim = (claimToken: string) =>
      storage.claimDueDeliveries({
        ...{ now: Date.now(), limit: 50, leaseMs: 60_000, maxAttempts: 4, claimToken },
        ...{ maxPerWebhook: SHARE, inFlight: new Map([[id, SHARE]]) },
      });
    expect(await claim('first')).toEqual([]);
    expect(await storage.countDeliveries(id)).toMatchObject({ total: WAITING, pending: WAITING });
    const [hour] = await storage.readActivity({ webhookId: id, from: createdAt, to: createdAt });
    expect(hour).toMatchObject({ pending: WAITING });
    const all = await storage.claimDueDeliveries({
      ...{ now: Date.now(), limit: 1_000, leaseMs: 60_000, maxAttempts: 4, claimToken: 'all' },
      ...{ maxPerWebhook: 1_000, inFlight: new Map() },
    });
    expect(all).toHaveLength(1_000);
    expect(await storage.countDeliveries(id)).toMatchObject({ total: WAITING, pending: WAITING });
  });
});

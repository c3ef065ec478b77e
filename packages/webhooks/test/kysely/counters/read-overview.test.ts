import { afterEach, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { MAX_WAITING_COUNTED } from '../../../src/storage/records.ts';
import { chooseEvenly } from '../../../src/testing/storage-contract/choose-evenly.ts';
import { countDeliveries, readActivity } from '../../count-deliveries.ts';
import { databaseServers } from '../database-servers.ts';
import { NEW_WEBHOOK, successOf } from '../example-rows.ts';

const WAITING = 1_700;

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.remove();
});

describe.each(databaseServers)(
  "deliveries that a host's transaction wrote on $name",
  ({ skipped, create }) => {
    test.skipIf(skipped)('are counted exactly while they wait, end, begin again and are purged', async () => {
      const database = await create();
      databases.push(database);
      const db = database.open<WebhookTables>();
      await migrateWebhooks(db);
      const storage = kyselyStorage(db);
      const createdAt = new Date().toISOString();
      const { id } = await storage.createWebhook({ ...NEW_WEBHOOK, createdAt });
      const dispatch = { event: 'order.paid', payload: '{}', createdAt, target: { webhookId: id } };
      // A host's transaction locks no counters.
      await db.transaction().execute((transaction) =>
        storage.recordDispatches(
          Array.from({ length: WAITING }, () => dispatch),
          transaction,
        ),
      );
      expect(await countDeliveries(storage, id)).toMatchObject({ total: WAITING, pending: WAITING });
      const [hour] = await readActivity(storage, { webhookId: id, from: createdAt, to: createdAt });
      expect(hour).toMatchObject({ pending: WAITING });
      const claims = await storage.claimDueDeliveries({
        now: Date.now(),
        limit: 1_000,
        leaseMs: 60_000,
        maxAttempts: 4,
        claimToken: 'all',
        isFromStart: true,
        choose: chooseEvenly(1_000),
      });
      expect(claims).toHaveLength(1_000);
      expect(await countDeliveries(storage, id)).toMatchObject({ total: WAITING, pending: WAITING });
      const ends = ['success', 'failed', 'pending'] as const;
      await storage.recordAttempts(
        claims.slice(0, 90).map(({ id: delivery, claimToken }, n) => ({
          ...successOf(delivery),
          claimToken,
          status: ends[n % 3] ?? 'success',
          now: Date.now(),
          retryInMs: 60_000,
        })),
      );
      const left = { total: WAITING, pending: WAITING - 60, success: 30, failed: 30 };
      expect(await countDeliveries(storage, id)).toMatchObject(left);
      const now = Date.now();
      const target = { webhookId: id, createdSince: '' };
      expect(await storage.reopenDeliveries({ target, now, limit: 10 })).toMatchObject({ count: 10 });
      expect(await countDeliveries(storage, id)).toMatchObject({
        ...left,
        pending: WAITING - 50,
        failed: 20,
      });
      const later = new Date(Date.parse(createdAt) + 1_000).toISOString();
      for (let removed = 1; removed > 0; ) {
        ({ removed } = await storage.purgeDeliveries({ createdBefore: later, now, limit: 1_000 }));
      }
      expect(await countDeliveries(storage, id)).toEqual({ total: 0, success: 0, failed: 0, pending: 0 });
      expect(await readActivity(storage, { webhookId: id, from: createdAt, to: createdAt })).toEqual([]);
    });
  },
);

describe.each(databaseServers)('what is pending on $name', ({ skipped, create }) => {
  test.skipIf(skipped)('is counted for each webhook up to a bound of its own', async () => {
    const database = await create();
    databases.push(database);
    const db = database.open<WebhookTables>();
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    const [many, few] = [await storage.createWebhook(NEW_WEBHOOK), await storage.createWebhook(NEW_WEBHOOK)];
    const createdAt = new Date().toISOString();
    const to = ({ id }: { readonly id: number }) => ({
      ...{ event: 'order.paid', payload: '{}', createdAt, target: { webhookId: id } },
    });
    for (let written = 0; written <= MAX_WAITING_COUNTED; written += 1_000) {
      await storage.recordDispatches(Array.from({ length: 1_000 }, () => to(many)));
    }
    await storage.recordDispatches([to(few)]);
    const records = await storage.readOverview({ webhookIds: [many.id, few.id], waiting: true });
    const counts = Object.fromEntries(records.map(({ webhookId, waiting }) => [webhookId, waiting?.count]));
    expect(counts).toEqual({ [many.id]: MAX_WAITING_COUNTED + 1, [few.id]: 1 });
  });
});

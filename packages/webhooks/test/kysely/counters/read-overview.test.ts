import { describe, expect, test } from 'vitest';
import { untilFinished } from '../../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { MAX_WAITING_COUNTED } from '../../../src/storage/overview-record.ts';
import { databaseServers } from '../database-servers.ts';
import { NEW_WEBHOOK } from '../example-rows.ts';

describe.each(databaseServers)('what is pending on $name', ({ skipped, create }) => {
  test.skipIf(skipped)('is counted for each webhook up to a bound of its own', async () => {
    const database = untilFinished(await create());
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

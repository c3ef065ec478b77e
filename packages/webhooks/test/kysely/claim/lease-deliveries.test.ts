import { afterEach, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { leaseDeliveries } from '../../../src/kysely/claim/lease-deliveries.ts';
import { findDialect } from '../../../src/kysely/find-dialect.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { chooseEvenly } from '../../../src/testing/storage-contract/choose-evenly.ts';
import { databaseServers } from '../database-servers.ts';
import { tablesOn } from '../tables-on.ts';

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.remove();
});

describe.each(databaseServers)('a lease on $name', ({ skipped, create }) => {
  test.skipIf(skipped)('leaves out what was locked of a webhook that has been removed since', async () => {
    const database = await create();
    databases.push(database);
    const db = database.open<WebhookTables>();
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    const createdAt = new Date().toISOString();
    const ids: number[] = [];
    for (let index = 0; index < 2; index++) {
      const { id } = await storage.createWebhook({
        url: 'https://a.example/',
        secret: 's',
        description: '',
        events: ['*'],
        isActive: true,
        createdBy: 0,
        createdByUid: null,
        createdAt,
      });
      ids.push(id);
    }
    await storage.recordDispatches([
      { event: 'order.paid', payload: '{}', createdAt, target: { patterns: ['*'] } },
    ]);
    const [removed = 0, kept = 0] = ids;
    // As a removal begins, which takes away the deliveries step by step.
    await db.updateTable('webhooks').set({ is_removed: 1 }).where('id', '=', removed).execute();
    const rows = await db.selectFrom('webhook_deliveries').select(['id', 'webhook_id']).execute();
    const locked = rows.map((row) => ({ id: Number(row.id), webhookId: Number(row.webhook_id) }));
    const request = {
      now: Date.now(),
      limit: 10,
      leaseMs: 60_000,
      maxAttempts: 4,
      claimToken: 't',
      choose: chooseEvenly(10),
    };
    const leased = await leaseDeliveries(tablesOn(db), findDialect(db), request, locked);
    expect(locked).toHaveLength(2);
    expect(leased.map(({ webhook }) => webhook.id)).toEqual([kept]);
  });
});

import { describe, expect, test } from 'vitest';
import { untilFinished } from '../../../../../test/services/test-database.ts';
import { leaseDeliveries } from '../../../src/kysely/claim/lease-deliveries.ts';
import { accessDatabase } from '../../../src/kysely/database-access.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { databaseServers } from '../database-servers.ts';
import { NEW_WEBHOOK } from '../example-rows.ts';

describe.each(databaseServers)('a lease on $name', ({ skipped, create }) => {
  test.skipIf(skipped)('leaves out what was chosen of a webhook that has been removed since', async () => {
    const database = untilFinished(await create());
    const db = database.open<WebhookTables>();
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    const createdAt = new Date().toISOString();
    const ids: number[] = [];
    for (let index = 0; index < 2; index++) {
      const { id } = await storage.createWebhook(NEW_WEBHOOK);
      ids.push(id);
    }
    await storage.recordDispatches([
      { event: 'order.paid', payload: '{}', createdAt, target: { patterns: ['*'] } },
    ]);
    const [removed = 0, kept = 0] = ids;
    // As a removal begins, which takes away the deliveries step by step.
    await db.updateTable('webhooks').set({ is_removed: 1 }).where('id', '=', removed).execute();
    const request = {
      now: Date.now(),
      since: '',
      leaseMs: 60_000,
      maxAttempts: 4,
      claimToken: 't',
      resuming: [],
    };
    const chosen = new Map(ids.map((id) => [id, 1]));
    const leased = await leaseDeliveries(accessDatabase(db), request, chosen);
    expect(leased.map(({ webhook }) => webhook.id)).toEqual([kept]);
  });
});

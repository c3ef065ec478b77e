import { describe, expect, test } from 'vitest';
import { untilFinished } from '../../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { databaseServers } from '../database-servers.ts';
import { DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';

/** More than a summary reads from the start of the queue. */
const WAITING = 1_200;

describe.each(databaseServers)('the summary of what is due on $name', ({ skipped, create }) => {
  test.skipIf(skipped)('sees what became due last behind deliveries of a webhook that pauses', async () => {
    const database = untilFinished(await create());
    const db = database.open<WebhookTables>();
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    const { id: busy } = await storage.createWebhook({ ...NEW_WEBHOOK, events: ['busy'] });
    const { id: other } = await storage.createWebhook(NEW_WEBHOOK);
    const now = Date.now();
    const createdAt = new Date(now - 60_000).toISOString();
    const dispatch = (webhookId: number, count: number) =>
      storage.recordDispatches(
        Array.from({ length: count }, () => ({ ...DISPATCH, createdAt, target: { webhookId } })),
      );
    await dispatch(busy, WAITING);
    const paused_until = new Date(now + 3_000_000).toISOString();
    await db.insertInto('webhook_pauses').values({ webhook_id: busy, paused_until, activation: 0 }).execute();
    const summary = () => storage.dueSummary({ now: Date.now() + 1, limit: 1, isFromStart: true });
    expect(await summary()).toMatchObject({ due: 0, oldestDueMs: null });
    await dispatch(other, 1);
    const { due, oldestDueMs } = await summary();
    expect([due, oldestDueMs === null]).toEqual([1, false]);
  });
});

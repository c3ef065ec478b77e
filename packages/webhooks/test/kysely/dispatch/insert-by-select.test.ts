import { expect, test } from 'vitest';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import { DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

test('splits a dispatch of large payloads into statements, and writes every row', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  for (let i = 0; i < 40; i++) await storage.createWebhook(NEW_WEBHOOK);
  const payload = JSON.stringify('x'.repeat(250_000));
  const [receipt] = await storage.recordDispatches([{ ...DISPATCH, payload }]);
  expect(new Set(receipt?.deliveryIds).size).toBe(40);
  const webhookIds = await db.selectFrom('webhook_deliveries').select('webhook_id').distinct().execute();
  expect(webhookIds).toHaveLength(40);
});

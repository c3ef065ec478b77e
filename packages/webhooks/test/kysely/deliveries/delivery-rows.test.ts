import { expect, test } from 'vitest';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

/** What somebody else may have written into a column of JSON. */
const UNREADABLE = ['', '{', 'null', '{"0":1}', '"text"', '7'];

test.each(UNREADABLE)(
  'a damaged attempt_log %j reads as an empty log, and holds up no other delivery',
  async (text) => {
    const db = await migratedSqlite();
    const storage = kyselyStorage(db);
    const { id } = await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches([DISPATCH, DISPATCH]);
    await db.updateTable('webhook_deliveries').set({ attempt_log: text }).where('id', '=', 1).execute();
    const claims = await storage.claimDueDeliveries(CLAIM);
    expect(claims.map(({ attemptLog }) => attemptLog)).toEqual([[], []]);
    const search = { webhookId: id, withContent: true, limit: 10, maxScanned: 10 };
    const { deliveries } = await storage.findDeliveries(search);
    expect(deliveries.map(({ content }) => content?.attemptLog)).toEqual([[], []]);
  },
);

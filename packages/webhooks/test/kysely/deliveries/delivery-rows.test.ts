import { expect, test } from 'vitest';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import { countFailures } from '../../count-deliveries.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK, successOf } from '../example-rows.ts';
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

test('a failure counts only after the last success, by when each ended', async () => {
  const storage = kyselyStorage(await migratedSqlite());
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches(Array.from({ length: 5 }, () => DISPATCH));
  const claims = await storage.claimDueDeliveries(CLAIM);
  // The one success was created first, and ends neither first nor last.
  for (const [index, at] of [1, 0, 1, 2, 3].entries()) {
    const result = { ...successOf(claims[index]?.id ?? 0), now: CLAIM.now + at };
    const status = index === 0 ? ('success' as const) : ('failed' as const);
    expect(await storage.recordAttempts([{ ...result, status }])).toEqual(['recorded']);
  }
  expect(await countFailures(storage, id)).toBe(2);
});

test('an overview has the last delivery of each webhook that has any, and no removed webhook', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  for (let n = 0; n < 3; n += 1) await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches([DISPATCH, DISPATCH]);
  await storage.createWebhook(NEW_WEBHOOK);
  // As a removal begins, which takes away the deliveries step by step.
  await db.updateTable('webhooks').set({ is_removed: 1 }).where('id', '=', 2).execute();
  const overviews = await storage.readOverview({ webhookIds: [1, 2, 3, 4, 5], lastDelivery: true });
  expect(overviews.map(({ webhookId, lastDelivery }) => [webhookId, lastDelivery?.id])).toEqual([
    [1, 4],
    [3, 6],
    [4, undefined],
  ]);
});

import { expect, test } from 'vitest';
import { findWritten } from '../../../src/kysely/dispatch/find-written.ts';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import { generateDispatchId } from '../../../src/storage/delivery-ids.ts';
import { DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';
import { tablesOn } from '../tables-on.ts';

const dispatchWithId = () => ({ ...DISPATCH, id: generateDispatchId() });

test('what earlier tries wrote is found for each dispatch, beyond those that one statement looks for', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  await storage.createWebhook(NEW_WEBHOOK);
  await storage.createWebhook(NEW_WEBHOOK);
  const written = Array.from({ length: 150 }, dispatchWithId);
  const receipts = await storage.recordDispatches(written);
  const unwritten = dispatchWithId();
  const found = await findWritten(tablesOn(db), [unwritten, ...written]);
  expect(found.get(unwritten)).toEqual([]);
  expect(written.map((dispatch) => found.get(dispatch))).toEqual(
    receipts.map(({ deliveryIds }) => deliveryIds),
  );
});

test('the owner of a key is the dispatch that brought it, and no other with the same key', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const [first, second, other] = Array.from({ length: 3 }, () => ({
    ...dispatchWithId(),
    idempotencyKey: 'k',
  }));
  if (first === undefined || second === undefined || other === undefined) throw new Error('none was made');
  const elsewhere = { ...other, event: 'order.refunded' };
  expect(await storage.recordDispatches([first, second])).toMatchObject([
    { outcome: 'written' },
    { outcome: 'repeated' },
  ]);
  // Nobody was subscribed: the key alone says that the dispatch was written.
  const found = await findWritten(tablesOn(db), [second, elsewhere, first]);
  expect([...found]).toEqual([[first, []]]);
});

test('deliveries of a webhook that is being removed count as gone', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  const dispatch = dispatchWithId();
  await storage.recordDispatches([dispatch]);
  await db.updateTable('webhooks').set({ is_removed: 1 }).where('id', '=', id).execute();
  expect((await findWritten(tablesOn(db), [dispatch])).get(dispatch)).toEqual([]);
});

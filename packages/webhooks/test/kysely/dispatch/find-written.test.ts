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

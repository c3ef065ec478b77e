import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

test('removes nothing and reports nothing when a purge fails on its way', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches(Array.from({ length: 250 }, () => DISPATCH));
  await sql`create trigger refuse before delete on webhook_deliveries when old.id = 201
    begin select raise(abort, 'refused by a trigger'); end`.execute(db);
  const request = { createdBefore: '2027', now: CLAIM.now, limit: 250 };
  await expect(storage.purgeDeliveries(request)).rejects.toThrow('refused by a trigger');
  expect(await storage.countDeliveries(id)).toMatchObject({ total: 250, pending: 250 });
  await sql`drop trigger refuse`.execute(db);
  const { removed, expired } = await storage.purgeDeliveries(request);
  expect([removed, expired.length]).toEqual([250, 250]);
});

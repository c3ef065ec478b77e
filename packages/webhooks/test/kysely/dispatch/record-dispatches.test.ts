import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import { countDeliveries } from '../../count-deliveries.ts';
import { DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

test('writes none of a group when one of its statements fails', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await sql`create trigger refuse before insert on webhook_deliveries when new.event = 'order.bad'
    begin select raise(abort, 'refused by a trigger'); end`.execute(db);
  const good = { ...DISPATCH, idempotencyKey: 'k' };
  await expect(storage.recordDispatches([good, { ...DISPATCH, event: 'order.bad' }])).rejects.toThrow(
    'refused by a trigger',
  );
  expect(await countDeliveries(storage, id)).toMatchObject({ total: 0 });
  expect(await storage.recordDispatches([good])).toMatchObject([{ outcome: 'written' }]);
});

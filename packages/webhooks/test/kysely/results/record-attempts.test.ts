import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { chooseEvenly } from '../../../contract/storage/choose-evenly.ts';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import { countDeliveries } from '../../count-deliveries.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK, successOf } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

test('records none of a group when one of its statements fails', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches([DISPATCH, DISPATCH]);
  const claims = await storage.claimDueDeliveries(CLAIM);
  await sql`create trigger refuse before update on webhook_deliveries when new.status_code = 599
    begin select raise(abort, 'refused by a trigger'); end`.execute(db);
  const results = claims.map(({ id: claimed }, i) => ({ ...successOf(claimed), statusCode: 200 + i * 399 }));
  await expect(storage.recordAttempts(results, RESULT_RULES)).rejects.toThrow('refused by a trigger');
  expect(await countDeliveries(storage, id)).toMatchObject({ pending: 2, success: 0 });
});

test('records more results than one statement writes, and answers each in its place', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches(Array.from({ length: 1_001 }, () => DISPATCH));
  const claims = await storage.claimDueDeliveries({ ...CLAIM, limit: 1_001, choose: chooseEvenly(1_001) });
  const late = { ...successOf(claims[0]?.id ?? 0), claimToken: 'older' };
  const gone = successOf(5_000);
  const results = [late, ...claims.map((claim) => successOf(claim.id)).reverse(), gone];
  const receipts = await storage.recordAttempts(results, RESULT_RULES);
  expect(receipts).toEqual(['late', ...claims.map(() => 'recorded'), 'gone']);
  expect(await countDeliveries(storage, id)).toMatchObject({ total: 1_001, success: 1_001 });
});

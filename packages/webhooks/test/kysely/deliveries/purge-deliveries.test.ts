import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import { countDeliveries } from '../../count-deliveries.ts';
import { databaseServers } from '../database-servers.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK, successOf } from '../example-rows.ts';
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
  expect(await countDeliveries(storage, id)).toMatchObject({ total: 250, pending: 250 });
  await sql`drop trigger refuse`.execute(db);
  const { removed, expired } = await storage.purgeDeliveries(request);
  expect([removed, expired.length]).toEqual([250, 250]);
});

test("leaves old deliveries to another process that purges, but not to one's wrong clock", async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches([DISPATCH]);
  const { now } = CLAIM;
  const removedWhile = async (until: number) => {
    const row = { name: 'purge', holder: 'another', until: new Date(until).toISOString(), hours: null };
    await db.deleteFrom('webhook_leases').execute();
    await db.insertInto('webhook_leases').values(row).execute();
    return (await storage.purgeDeliveries({ createdBefore: '2027', now, limit: 10 })).removed;
  };
  expect(await removedWhile(now + 30_000)).toBe(0);
  expect(await removedWhile(now + 3_600_000)).toBe(1);
});

test('leaves no counter of a webhook that was removed, whichever hours its deliveries were of', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches(Array.from({ length: 5 }, () => DISPATCH));
  const claims = await storage.claimDueDeliveries(CLAIM);
  await storage.recordAttempts(
    claims.map((claim) => successOf(claim.id)),
    RESULT_RULES,
  );
  await storage.deleteWebhook(id);
  for (const days of [2, 3]) {
    const now = Date.now() + days * 86_400_000;
    await storage.purgeDeliveries({ createdBefore: '2027', now, limit: 10 });
  }
  const rows = await db.selectFrom('webhook_activity').selectAll().where('webhook_id', '=', id).execute();
  expect(rows).toEqual([]);
});

test('writes no counter that a result writes', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches([DISPATCH, DISPATCH]);
  const claims = await storage.claimDueDeliveries({ ...CLAIM, limit: 1 });
  await storage.recordAttempts(
    claims.map(({ id }) => successOf(id)),
    RESULT_RULES,
  );
  await sql`create trigger refuse before update on webhook_activity when old.shard < 64
    begin select raise(abort, 'a result may wait for it'); end`.execute(db);
  await storage.purgeDeliveries({ createdBefore: '2027-01-01T00:00:00.000Z', now: CLAIM.now, limit: 9 });
  expect(await countDeliveries(storage, id)).toMatchObject({ total: 0, success: 0, pending: 0 });
});

describe.each(databaseServers)('a purge on $name', ({ skipped, create }) => {
  test.skipIf(skipped)('leaves old deliveries to the process that has begun to remove them', async () => {
    const database = await create();
    onTestFinished(() => database.remove());
    const [db, other] = [database.open<WebhookTables>(), database.open<WebhookTables>()];
    await migrateWebhooks(db);
    const [first, second] = [kyselyStorage(db), kyselyStorage(other)];
    await first.createWebhook(NEW_WEBHOOK);
    await first.recordDispatches(Array.from({ length: 10 }, () => DISPATCH));
    const request = { createdBefore: '2027', now: Date.now(), limit: 4 };
    const removedBy = async (storage: typeof first) => (await storage.purgeDeliveries(request)).removed;
    expect(await removedBy(first)).toBe(4);
    expect(await removedBy(second)).toBe(0);
    expect([await removedBy(first), await removedBy(first)]).toEqual([4, 2]);
    await first.recordDispatches([DISPATCH]);
    expect(await removedBy(second)).toBe(1);
  });

  test.skipIf(skipped)(
    "removes what a host's own deletion of webhooks has left, at most the limit",
    async () => {
      const database = await create();
      onTestFinished(() => database.remove());
      const db = database.open<WebhookTables>();
      await migrateWebhooks(db);
      const storage = kyselyStorage(db);
      for (let i = 0; i < 3; i++) await storage.createWebhook(NEW_WEBHOOK);
      await storage.recordDispatches(Array.from({ length: 10 }, () => DISPATCH));
      const claims = await storage.claimDueDeliveries({ ...CLAIM, limit: 25 });
      await storage.recordAttempts(
        claims.map(({ id }) => successOf(id)),
        RESULT_RULES,
      );
      await db.deleteFrom('webhooks').where('id', 'in', [1, 3]).execute();
      const purge = async (limit: number) => {
        const request = { createdBefore: '2020-01-01', now: Date.now(), limit };
        return (await storage.purgeDeliveries(request)).removed;
      };
      expect([await purge(12), await purge(12), await purge(12)]).toEqual([12, 8, 0]);
      for (const table of ['webhook_deliveries', 'webhook_activity'] as const) {
        const rows = await db.selectFrom(table).select('webhook_id').where('webhook_id', '>', 0).execute();
        expect(new Set(rows.map(({ webhook_id: id }) => Number(id))), table).toEqual(new Set([2]));
      }
      expect(await countDeliveries(storage, 2)).toMatchObject({ total: 10 });
    },
  );
});

import { expect, onTestFinished, test, vi } from 'vitest';
import { sqliteFile } from '../../../../../test/services/sqlite-file.ts';
import { untilFinished } from '../../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { BEFORE_ANY } from '../../../src/storage/purge-requests.ts';
import { countDeliveries } from '../../count-deliveries.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';

const NEXT_DAY = '2026-12-31T00:00:00.000Z';

async function withOld(count: number) {
  const file = untilFinished(sqliteFile());
  const heard: { range?: () => void } = {};
  const db = file.open<WebhookTables>({
    // The look-up of where a batch ends.
    log: ({ query }) => query.sql.startsWith('select "created_at", "id"') && heard.range?.(),
  });
  await migrateWebhooks(db);
  const storage = kyselyStorage(db);
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches(Array.from({ length: count }, () => DISPATCH));
  const purge = (createdBefore: string, limit: number) =>
    storage.purgeDeliveries({ createdBefore, now: CLAIM.now, limit });
  return { db, storage, id, purge, heard };
}

test('a purge that has stopped in the midst keeps no removal from its deliveries', async () => {
  const { storage, id, purge } = await withOld(30);
  expect((await purge(NEXT_DAY, 10)).removed).toBe(10);
  await storage.deleteWebhook(id);
  expect((await purge(BEFORE_ANY, 100)).removed).toBe(20);
});

test('a purge removes what was left of a webhook that was removed in its midst', async () => {
  const { storage, id, purge } = await withOld(10);
  expect((await purge(NEXT_DAY, 10)).removed).toBe(10);
  await storage.recordDispatches([DISPATCH]);
  await storage.deleteWebhook(id);
  expect((await purge('2020-01-01T00:00:00.000Z', 10)).removed).toBe(1);
});

test('a purge goes on where others have removed what it found', async () => {
  const { db, storage, id, purge, heard } = await withOld(30);
  heard.range = () => {
    heard.range = () => undefined;
    // The one connection serves it next.
    void db.deleteFrom('webhook_deliveries').where('id', '<=', 4).execute();
  };
  expect((await purge(NEXT_DAY, 10)).removed).toBe(10);
  expect(await countDeliveries(storage, id)).toMatchObject({ pending: 16 });
});

test('a purge keeps its lease while it takes counters away, however long', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const begun = performance.now();
  let until = 0;
  const isHeld: boolean[] = [];
  const db = untilFinished(sqliteFile()).open<WebhookTables>({
    log({ query: { sql, parameters } }) {
      if (sql.startsWith('update "webhook_leases"')) until = Date.parse(String(parameters[1]));
      if (!sql.startsWith('select "hour", "webhook_id", "shard"')) return;
      vi.advanceTimersByTime(45_000);
      isHeld.push(until > CLAIM.now + performance.now() - begun);
    },
  });
  await migrateWebhooks(db);
  const times = { last_success_at: '', last_failure_at: '' };
  const counter = { hour: '2026-11-20T04', shard: 0, success: 1, failed: 0, revision: 0, ...times };
  for (let first = 0; first < 4_500; first += 500) {
    const rows = Array.from({ length: 500 }, (_, i) => ({ ...counter, webhook_id: first + i + 1 }));
    await db.insertInto('webhook_activity').values(rows).execute();
  }
  await kyselyStorage(db).purgeDeliveries({ createdBefore: NEXT_DAY, now: CLAIM.now, limit: 10 });
  expect(isHeld).toEqual([true, true, true]);
  expect(await db.selectFrom('webhook_activity').selectAll().execute()).toEqual([]);
});

import { expect, test } from 'vitest';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import { DISPATCH } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

test('the oldest keys are forgotten, up to the limit and beyond what one statement names', async () => {
  const db = await migratedSqlite();
  // From the youngest to the oldest, each a second apart.
  const keyed = Array.from({ length: 1_203 }, (_, n) => ({
    ...DISPATCH,
    event: n % 2 === 0 ? 'order.paid' : 'order.refunded',
    idempotencyKey: `k${n >> 1}`,
    createdAt: new Date(Date.parse(DISPATCH.createdAt) - n * 1_000).toISOString(),
  }));
  const storage = kyselyStorage(db);
  await storage.recordDispatches(keyed);
  const purge = (limit: number) => storage.purgeIdempotencyKeys({ createdBefore: DISPATCH.createdAt, limit });
  const left = async () =>
    (await db.selectFrom('webhook_idempotency_keys').select(['event', 'key', 'created_at']).execute())
      .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
      .map(({ event, key }) => `${event} ${key}`);
  const names = keyed.map(({ event, idempotencyKey }) => `${event} ${idempotencyKey}`);
  expect(await purge(1_001)).toBe(1_001);
  expect(await left()).toEqual(names.slice(0, 202));
  // The youngest was not created before that time.
  expect(await purge(1_001)).toBe(201);
  expect(await left()).toEqual(names.slice(0, 1));
  expect(await purge(1_001)).toBe(0);
});

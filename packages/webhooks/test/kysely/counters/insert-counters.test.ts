import { expect, test } from 'vitest';
import { addToCounters } from '../../../src/kysely/counters/insert-counters.ts';
import { findDialect } from '../../../src/kysely/find-dialect.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';
import { tablesOn } from '../tables-on.ts';

test('counters add to those that exist, and keep the times of the latest success and failure', async () => {
  const db = await migratedSqlite();
  const add = (
    webhook_id: number,
    hour: string,
    counts: readonly number[],
    last_success_at: string,
    last_failure_at = '',
  ) => {
    const [shard = 0, success = 0, failed = 0] = counts;
    const row = { webhook_id, hour, shard, success, failed, last_success_at, last_failure_at, revision: 1 };
    return addToCounters(tablesOn(db), findDialect(db), { rows: [row] });
  };
  await add(1, '', [7, 2, 3], '2026-01-02');
  await add(1, '2026-01-01T00', [7, 0, 0], '');
  await add(2, '', [7, 0, 5], '');
  await add(1, '', [7, -1, -2], '2026-01-01', '2026-01-02');
  await add(1, '', [7, 0, 0], '', '2026-01-01');
  await add(1, '', [8, 1, 0], '2026-01-01');
  await add(2, '', [7, 0, -1], '2026-01-03');
  const rows = await db
    .selectFrom('webhook_activity')
    .selectAll()
    .orderBy('webhook_id')
    .orderBy('hour')
    .orderBy('shard')
    .execute();
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['', 1, 7, 1, 1, '2026-01-02', '2026-01-02', 3],
    ['', 1, 8, 1, 0, '2026-01-01', '', 1],
    ['2026-01-01T00', 1, 7, 0, 0, '', '', 1],
    ['', 2, 7, 0, 4, '2026-01-03', '', 2],
  ]);
});

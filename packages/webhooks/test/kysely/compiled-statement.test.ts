import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { compiledOnce } from '../../src/kysely/compiled-statement.ts';
import { findDialect } from '../../src/kysely/find-dialect.ts';
import { derived } from '../../src/kysely/places.ts';
import { migratedSqlite } from './migrated-sqlite.ts';
import { tablesOn } from './tables-on.ts';

test('a statement is built once for each shape, and again once 64 others came between', async () => {
  const db = await migratedSqlite();
  const built: number[] = [];
  const sum = compiledOnce<{ readonly first: number; readonly others: readonly number[] }, { sum: number }>(
    (tables, _, { first, others }, { others: { length } }) => {
      built.push(length);
      const total = derived([others], (all) => all.reduce((one, other) => one + other, 0));
      return tables.selectNoFrom(sql<number>`${first} + ${total} + ${sql.lit(length)}`.as('sum'));
    },
    ({ others }) => others.length,
  );
  const tables = tablesOn(db);
  const of = async (first: number, ...others: readonly number[]) =>
    (await sum(tables, findDialect(db), { first, others }))[0]?.sum;
  expect([await of(1, 2), await of(10, 20), await of(1, 2, 3)]).toEqual([4, 31, 8]);
  expect(built).toEqual([1, 2]);
  for (let length = 3; length <= 65; length++) await of(0, ...Array(length).fill(0));
  await of(1, 2);
  expect(built.filter((length) => length === 1)).toHaveLength(2);
  // A host's transaction has tables of its own, and compiles for itself.
  await sum(tablesOn(db), findDialect(db), { first: 1, others: [2] });
  expect(built.filter((length) => length === 1)).toHaveLength(3);
});

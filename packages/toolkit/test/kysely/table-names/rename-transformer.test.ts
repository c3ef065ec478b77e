import { type QueryExecutorProvider, sql } from 'kysely';
import { expect, test } from 'vitest';
import { recordStatements } from '../../../src/kysely/printed-sql/statement-recorder.ts';
import type { TableNameOptions } from '../../../src/kysely/table-names/table-name-options.ts';
import { createTableNaming } from '../../../src/kysely/table-names/table-naming.ts';

type Row = Readonly<Record<'id' | 'name' | 'cat_id', string | number>>;

const NAMES = { tables: ['cats', 'toys'], others: ['cats_by_name'] };

/** Compiles a statement with the names. */
function on(options: TableNameOptions) {
  const host = recordStatements('postgres').db;
  const naming = createTableNaming(NAMES, host, options, 'postgres');
  const db = naming.on(host).withTables<Readonly<Record<'cats' | 'toys', Row>>>();
  const textOf = (statement: { compile(host: QueryExecutorProvider): { readonly sql: string } }) =>
    statement.compile(db).sql;
  return { db, textOf };
}

const NAMED = on({ tablePrefix: 'a_', schema: 'My-toys' });

test('puts the schema before tables, and the prefix before every name', () => {
  const { db, textOf } = NAMED;
  expect(textOf(db.selectFrom('cats').selectAll('cats').where('cats.id', '=', 1))).toBe(
    'select "a_cats".* from "My-toys"."a_cats" where "a_cats"."id" = $1',
  );
  expect(textOf(db.schema.createIndex('cats_by_name').on('cats').columns(['name']))).toBe(
    'create index "a_cats_by_name" on "My-toys"."a_cats" ("name")',
  );
});

test('renames a subquery once, though Kysely passes it twice', () => {
  const { db, textOf } = NAMED;
  const owners = db.selectFrom('toys').select('toys.cat_id');
  expect(textOf(db.deleteFrom('cats').where('id', 'in', owners))).toBe(
    'delete from "My-toys"."a_cats" where "id" in (select "a_toys"."cat_id" from "My-toys"."a_toys")',
  );
});

test('renames raw SQL that is a name, and nothing else of raw SQL', () => {
  const { textOf } = NAMED;
  expect(
    textOf(sql`select cats from ${sql.raw('cats')}, ${sql.table('toys')} ${sql.raw('cats_by_name')}`),
  ).toBe('select cats from "My-toys".a_cats, "My-toys"."a_toys" a_cats_by_name');
});

test('leaves aliases, columns and values of others alone', () => {
  const { db, textOf } = NAMED;
  expect(
    textOf(db.selectFrom('cats as cat').select('cat.name').where('cat.name', '=', sql.lit('cats'))),
  ).toBe('select "cat"."name" from "My-toys"."a_cats" as "cat" where "cat"."name" = \'cats\'');
});

test('a schema that is called like a table is not renamed', () => {
  const { db, textOf } = on({ tablePrefix: 'a_', schema: 'cats' });
  const raw = sql<{ id: number }>`(select * from ${sql.raw('cats')})`.as('one');
  const nested = db.selectFrom(db.selectFrom(raw).selectAll().as('two')).selectAll();
  expect(textOf(nested)).toContain('from "cats".a_cats');
  expect(textOf(db.selectFrom('cats').selectAll())).toBe('select * from "cats"."a_cats"');
});

test('default names add no plugin', () => {
  const { db } = on({});
  expect(db.getExecutor().plugins).toEqual([]);
  expect(NAMED.db.getExecutor().plugins).toHaveLength(1);
});

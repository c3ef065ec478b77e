import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { recordStatements } from '../../../src/kysely/printed-sql/statement-recorder.ts';

test('records statements in their order, each on one line', async () => {
  const { db, statements } = recordStatements('sqlite');
  await db.schema.createTable('cats').addColumn('id', 'integer').execute();
  await sql`insert into cats\n      values (1)`.execute(db);
  expect(statements).toEqual(['create table "cats" ("id" integer)', 'insert into cats values (1)']);
});

test('answers a question instead of recording it', async () => {
  const { db, statements } = recordStatements('mysql', [{ name: 'x' }]);
  expect((await sql`select name from information_schema.collations`.execute(db)).rows).toEqual([
    { name: 'x' },
  ]);
  expect(statements).toEqual([]);
});

test('refuses a statement with parameters, which cannot be printed', async () => {
  const { db } = recordStatements('postgres');
  await expect(sql`insert into cats values (${1})`.execute(db)).rejects.toThrow('cannot be printed');
});

import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { NewColumn, NewIndex, SchemaDialect } from '../schema-dialect.ts';

/** Definitions where they are part of a transaction and indexes can be partial: as they are, for nothing is half done. */
export const transactionalDefinitions: Pick<
  SchemaDialect,
  'createTable' | 'addColumn' | 'createIndex' | 'dropIndex'
> = {
  createTable: (_db, table) => table.execute(),

  async addColumn<DB>(db: Kysely<DB>, table: string, { name, type, define }: NewColumn) {
    await db.schema.alterTable(table).addColumn(name, type, define).execute();
  },

  async createIndex<DB>(db: Kysely<DB>, { name, table, columns, isUnique, where }: NewIndex) {
    let index = db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns]);
    if (isUnique === true) index = index.unique();
    if (where !== undefined) index = index.where(sql.ref(where[0]), '=', sql.lit(where[1]));
    await index.execute();
  },

  async dropIndex(db, _table, name) {
    await db.schema.dropIndex(name).execute();
  },
};

import { type Kysely, sql } from 'kysely';
import type { NewIndex, SchemaDialect } from './schema-dialect.ts';

/**
 * Definitions for databases in which they are part of a transaction, and indexes can be partial: an
 * interruption undoes them.
 */
export const transactionalDefinitions: Pick<
  SchemaDialect,
  'isTransactional' | 'createTable' | 'createIndex'
> = {
  isTransactional: true,
  createTable: (_db, table) => table.execute(),

  async createIndex<DB>(db: Kysely<DB>, { name, table, columns, isUnique, where = {}, always }: NewIndex) {
    let index = db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns]);
    if (isUnique === true) index = index.unique();
    for (const [column, value] of Object.entries(where)) {
      index = index.where(sql.ref(column), '=', sql.lit(value));
    }
    if (always !== undefined) index = index.where(always);
    await index.execute();
  },
};

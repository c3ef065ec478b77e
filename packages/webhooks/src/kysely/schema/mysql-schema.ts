import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import { memberOf } from '../../../../toolkit/src/kysely/driver-errors.ts';
import { byteCollation } from '../../../../toolkit/src/kysely/migrations/byte-collation.ts';
import { underMysqlLock } from '../../../../toolkit/src/kysely/migrations/migration-lock.ts';
import type { ColumnTypes, NewIndex, SchemaDialect } from './schema-dialect.ts';

const TABLE_EXISTS = 1050;
const INDEX_EXISTS = 1061;

/**
 * MySQL and MariaDB commit every definition by itself, so a migration that was killed is half done.
 * Each definition is therefore idempotent, and a named lock keeps processes from running them at
 * once.
 */
export const mysqlSchema: SchemaDialect = {
  isTransactional: false,
  columnTypes,

  async createTable<DB, Table extends string>(db: Kysely<DB>, table: CreateTableBuilder<Table>) {
    try {
      // The host's default may have no transactions.
      await table.modifyEnd(sql`engine = innodb`).execute();
    } catch (error) {
      // A table of ours, from an interrupted run, has our columns; another one of that name is
      // foreign.
      if (memberOf(error, 'errno') !== TABLE_EXISTS || !(await isThere(db, table))) throw error;
    }
  },

  createIndex<DB>(db: Kysely<DB>, { name, table, columns, isUnique, where = {} }: NewIndex) {
    // There are no partial indexes: rows with those values are contiguous in this one, and the
    // others cost nothing to skip.
    const all = new Set([...Object.keys(where), ...columns]);
    const index = db.schema
      .createIndex(name)
      .on(table)
      .columns([...all]);
    return ignoring(INDEX_EXISTS, () => (isUnique === true ? index.unique() : index).execute());
  },

  // InnoDB updates a row in place.
  prepareForUpdates: async () => {},

  exclusively: (db, lockName, work) =>
    db
      .connection()
      .execute((connection) =>
        underMysqlLock(connection, 'acme_webhooks_', lockName, () => work((migrate) => migrate(connection))),
      ),
};

async function columnTypes<DB>(db: Kysely<DB>): Promise<ColumnTypes> {
  const collation = sql.raw(await byteCollation(db));
  const suffix = sql`character set utf8mb4 collate ${collation}`;
  return {
    bigInteger: sql`bigint`,
    integer: sql`integer`,
    keyText: (maxCharacters) => sql`varchar(${sql.lit(maxCharacters)}) ${suffix}`,
    text: sql`text ${suffix}`,
    longText: sql`mediumtext ${suffix}`,
    // The default of a text column must be an expression, not a literal.
    textDefault: (value) => sql<string>`(${sql.lit(value)})`,
    generatedId: (column) => column.autoIncrement(),
    clusterByKey: (table) => table,
  };
}

/** Whether the table has the columns that it would have been created with, or more. */
async function isThere<DB, Table extends string>(
  db: Kysely<DB>,
  table: CreateTableBuilder<Table>,
): Promise<boolean> {
  const node = table.toOperationNode();
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = database() and table_name = ${node.table.table.identifier.name}`.execute(db);
  const names = new Set(rows.map(({ name }) => name));
  return node.columns.every(({ column }) => names.has(column.column.name));
}

async function ignoring(errno: number, define: () => Promise<unknown>): Promise<void> {
  try {
    await define();
  } catch (error) {
    if (memberOf(error, 'errno') !== errno) throw error;
  }
}

import { type Kysely, sql } from 'kysely';
import { lockPostgres } from '../../../../toolkit/src/kysely/migrations/migration-lock.ts';
import { readCommitted } from './read-committed.ts';
import type { ColumnTypes, MigrationStep, SchemaDialect } from './schema-dialect.ts';
import { transactionalDefinitions } from './transactional-schema.ts';

/** An arbitrary number that no other program is likely to lock: it reads "acmehook" in ASCII. */
const MIGRATION_LOCK = '7017572926969868139';

// "C" compares bytes, and stays the same when the operating system's collations change under an
// index.
const TEXT = sql`text collate "C"`;

const types: ColumnTypes = {
  bigInteger: sql`bigint`,
  integer: sql`integer`,
  keyText: () => TEXT,
  text: TEXT,
  longText: TEXT,
  textDefault: (value) => sql.lit(value),
  generatedId: (column) => column.generatedByDefaultAsIdentity(),
  clusterByKey: (table) => table,
};

export const postgresSchema: SchemaDialect = {
  ...transactionalDefinitions,
  columnTypes: async () => types,
  // https://www.postgresql.org/docs/current/storage-hot.html
  async setFillFactor(db, table, percent) {
    await sql`alter table ${sql.table(table)} set (fillfactor = ${sql.lit(percent)})`.execute(db);
  },
  exclusively: (db, lockName, work) => work(stepOf(db, lockName)),
};

function stepOf<DB>(db: Kysely<DB>, lockName: string): MigrationStep<DB> {
  return (migrate) =>
    readCommitted(db, async (transaction) => {
      await lockPostgres(transaction, MIGRATION_LOCK, lockName);
      return migrate(transaction);
    });
}

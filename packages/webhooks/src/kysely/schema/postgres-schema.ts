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

/**
 * How full new rows make a page where an update writes the whole row again. The lease of a delivery
 * then touches no index; its result, which takes the row out of two of them, always does. Per
 * delivery of 1 KB on PostgreSQL 15: 2,832 bytes of log instead of 5,681, by `pg_current_wal_lsn`
 * after 24,000 deliveries.
 */
const FILL_PERCENT = 50;

/**
 * The share of dead rows at which a vacuum begins. With the server's own, a fifth, claims and purges
 * of a large table step over the entries of millions of deliveries that are gone.
 */
const VACUUM_SHARE = 0.01;

export const postgresSchema: SchemaDialect = {
  ...transactionalDefinitions,
  columnTypes: async () => types,
  // https://www.postgresql.org/docs/current/storage-hot.html
  async prepareForUpdates(db, table) {
    await sql`alter table ${sql.table(table)} set (fillfactor = ${sql.lit(FILL_PERCENT)},
      autovacuum_vacuum_scale_factor = ${sql.lit(VACUUM_SHARE)})`.execute(db);
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

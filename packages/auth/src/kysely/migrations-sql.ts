import { type RawBuilder, sql } from 'kysely';
import type { DatabaseName } from '../../../toolkit/src/database-name.ts';
import {
  type MigrationPrinter,
  migrationPrinter,
} from '../../../toolkit/src/kysely/printed-sql/print-migrations.ts';
import { findDialect } from './dialect.ts';
import { createMigrationRecord } from './migrate.ts';
import { authMigrations } from './migrations.ts';
import { authNaming } from './names.ts';

/** Unix seconds by the clock of the database. */
const NOW: Readonly<Record<DatabaseName, RawBuilder<number>>> = {
  sqlite: sql`cast(strftime('%s', 'now') as integer)`,
  postgres: sql`floor(extract(epoch from statement_timestamp()))::bigint`,
  mysql: sql`unix_timestamp()`,
};

const printer = migrationPrinter({
  migrations: authMigrations,
  listName: 'authMigrations',
  record: 'auth_migrations',
  createRecord: (db) => createMigrationRecord(findDialect(db), db),
  naming: authNaming,
  now: NOW,
});

/** Prints the migrations as a file of SQL. */
export const migrationsSql: MigrationPrinter['migrationsSql'] = printer.migrationsSql;
/** Returns the statements of {@link migrationsSql} one by one. */
export const migrationStatements: MigrationPrinter['migrationStatements'] = printer.migrationStatements;

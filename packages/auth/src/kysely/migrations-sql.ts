import { type RawBuilder, sql } from 'kysely';
import type { DatabaseName } from '../../../toolkit/src/database-name.ts';
import {
  fileOf,
  type MigrationsSqlOptions,
  type PrintedMigrations,
  printMigrations,
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

const PRINTED: PrintedMigrations = {
  migrations: authMigrations,
  listName: 'authMigrations',
  record: 'auth_migrations',
  createRecord: (db) => createMigrationRecord(findDialect(db), db),
  naming: authNaming,
  now: NOW,
};

/**
 * Prints what `migrateAuth` would execute, for an application whose migrations are SQL files. The
 * database is then the same, and `migrateAuth` finds it up to date.
 *
 * Each statement is one line that ends in a semicolon. There is no `begin` and no `commit`: execute
 * the text in one transaction, except on MySQL and MariaDB, which have none for definitions. The
 * text for `mysql` fits both of them.
 *
 * ```ts
 * writeFileSync('migrations/0007_auth.sql', await migrationsSql('postgres', { tablePrefix: 'acme_' }));
 * ```
 *
 * @throws TypeError when the dialect or an option is unknown or out of bounds
 */
export async function migrationsSql(
  dialect: DatabaseName,
  options: MigrationsSqlOptions = {},
): Promise<string> {
  return fileOf(await printMigrations('migrationsSql', PRINTED, dialect, options));
}

/**
 * Returns the statements of {@link migrationsSql} one by one, without semicolons, for a tool or a
 * driver that executes a single statement at a time.
 *
 * ```ts
 * // For drizzle-kit, into the file that `drizzle-kit generate --custom` made:
 * const text = (await migrationStatements('mysql')).join('\n--> statement-breakpoint\n');
 * ```
 *
 * @throws TypeError when the dialect or an option is unknown or out of bounds
 */
export async function migrationStatements(
  dialect: DatabaseName,
  options: MigrationsSqlOptions = {},
): Promise<string[]> {
  return printMigrations('migrationStatements', PRINTED, dialect, options);
}

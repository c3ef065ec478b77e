import { type RawBuilder, sql } from 'kysely';
import type { DatabaseName } from '../../../../toolkit/src/database-name.ts';
import {
  fileOf,
  type MigrationsSqlOptions,
  type PrintedMigrations,
  printMigrations,
} from '../../../../toolkit/src/kysely/printed-sql/print-migrations.ts';
import { timestampAfter as mysqlTimestampAfter } from '../dialects/mysql.ts';
import { timestampAfter as postgresTimestampAfter } from '../dialects/postgres.ts';
import { findDialect } from '../find-dialect.ts';
import { webhookNaming } from '../names.ts';
import { createBookkeeping } from './migrate.ts';
import { webhookMigrations } from './webhook-migrations.ts';

const NOW: Readonly<Record<DatabaseName, RawBuilder<string>>> = {
  sqlite: sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
  postgres: postgresTimestampAfter(sql`0`),
  mysql: mysqlTimestampAfter(sql`0`),
};

const PRINTED: PrintedMigrations = {
  migrations: webhookMigrations,
  listName: 'webhookMigrations',
  record: 'webhook_migrations',
  createRecord: (db) => createBookkeeping(db, findDialect(db).schema),
  naming: webhookNaming,
  now: NOW,
};

/**
 * Prints what `migrateWebhooks` would execute, for an application whose migrations are SQL files.
 * The database is then the same, and `migrateWebhooks` finds it up to date.
 *
 * Each statement is one line that ends in a semicolon. There is no `begin` and no `commit`: execute
 * the text in one transaction, except on MySQL and MariaDB, which have none for definitions. The
 * text for `mysql` fits both of them.
 *
 * ```ts
 * writeFileSync('migrations/0007_webhooks.sql', await migrationsSql('postgres', { tablePrefix: 'acme_' }));
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

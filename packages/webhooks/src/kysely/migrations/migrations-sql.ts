import { type RawBuilder, sql } from 'kysely';
import type { DatabaseName } from '../../../../toolkit/src/database-name.ts';
import {
  type MigrationPrinter,
  migrationPrinter,
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

const printer = migrationPrinter({
  migrations: webhookMigrations,
  listName: 'webhookMigrations',
  record: 'webhook_migrations',
  createRecord: (db) => createBookkeeping(db, findDialect(db).schema),
  naming: webhookNaming,
  now: NOW,
});

/** Prints the migrations as a file of SQL. */
export const migrationsSql: MigrationPrinter['migrationsSql'] = printer.migrationsSql;
/** Returns the statements of {@link migrationsSql} one by one. */
export const migrationStatements: MigrationPrinter['migrationStatements'] = printer.migrationStatements;

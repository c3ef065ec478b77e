import { type Kysely, sql } from 'kysely';
import { assertPrivileges } from '../../../../toolkit/src/kysely/assert-privileges.ts';
import { type TableNaming, tablesOf } from '../../../../toolkit/src/kysely/table-names/table-naming.ts';
import { WebhookError } from '../../errors.ts';
import { webhookMigrations } from '../migrations/webhook-migrations.ts';
import { COLUMNS, type WebhookTables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

/**
 * Fails if a setting of the database, or of the session, would damage what the storage keeps.
 *
 * @throws WebhookError `storage_misconfigured`
 */
export async function assertFit<DB>(
  { findFault }: Pick<WebhookDialect, 'findFault'>,
  db: Kysely<DB>,
): Promise<void> {
  refuse(await findFault(db.withoutPlugins()));
}

/**
 * Fails if the host made the session read-only.
 *
 * @throws WebhookError `storage_misconfigured`
 */
export async function assertWritable<DB>(
  { findReadOnlySetting }: Pick<WebhookDialect, 'findReadOnlySetting'>,
  db: Kysely<DB>,
): Promise<void> {
  refuse(await findReadOnlySetting(db.withoutPlugins()));
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw misconfigured(`The webhook storage cannot use this database: ${fault}`);
}

/**
 * Fails if the tables are not those that this version needs, or the role lacks a privilege on one:
 * if no result can be written, recipients get the same event after each lease. A database that is
 * ahead of it and has all that it needs is ready, so that a host can roll back its code.
 *
 * @throws WebhookError `storage_misconfigured`
 */
export async function assertMigrated<DB>(
  dialect: WebhookDialect,
  naming: TableNaming,
  db: Kysely<DB>,
): Promise<void> {
  const written = Object.entries(COLUMNS).map(([table, [column]]) => [table, column]);
  const tables = { webhook_migrations: '', ...Object.fromEntries(written) };
  await assertPrivileges(db, dialect, naming, tables, misconfigured);
  const named = naming.on(db);
  const applied = await readApplied(dialect, naming, db);
  const absent = Object.keys(webhookMigrations).filter((name) => applied?.has(name) === false);
  if (absent.length > 0) {
    throw misconfigured(`The database lacks ${absent.join(', ')}: run migrateWebhooks(db) before start()`);
  }
  const incomplete = await findIncompleteTable(dialect, named);
  if (incomplete === undefined) return;
  const table = naming.nameOf(incomplete);
  const isAhead = [...(applied ?? [])].some((name) => !(name in webhookMigrations));
  throw misconfigured(
    isAhead
      ? `A later version of @acme/webhooks has changed the table ${table}: run that version`
      : `The database lacks the table ${table}, or a column of it: run migrateWebhooks(db), or webhookMigrations in your Migrator, before start()`,
  );
}

/**
 * The applied migrations; undefined if `migrateWebhooks` has recorded nothing: perhaps Kysely's
 * own `Migrator` has.
 */
export async function readApplied<DB>(
  { isMissing }: WebhookDialect,
  naming: TableNaming,
  db: Kysely<DB>,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const rows = await tablesOf<WebhookTables>(db, naming)
      .selectFrom('webhook_migrations')
      // With the table's name: SQLite reads a quoted name that is no column as a text.
      .select(['webhook_migrations.name', 'webhook_migrations.applied_at'])
      .execute();
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The first table that does not exist with all its columns. */
async function findIncompleteTable<DB>(
  { isMissing }: WebhookDialect,
  db: Kysely<DB>,
): Promise<string | undefined> {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    // With the table's name: SQLite reads a quoted name that is no column as a text.
    const named = sql.join(columns.map((column) => sql.ref(`${table}.${column}`)));
    try {
      await sql`select ${named} from ${sql.table(table)} where 1 = 0`.execute(db);
    } catch (error) {
      if (isMissing(error)) return table;
      throw error;
    }
  }
  return undefined;
}

function misconfigured(message: string): WebhookError {
  return new WebhookError('storage_misconfigured', message);
}

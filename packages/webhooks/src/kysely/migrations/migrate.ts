import type { Kysely } from 'kysely';
import { migrationRefusals } from '../../../../toolkit/src/kysely/migrations/migration-refusal.ts';
import { ownMigrations, WHERE_MISSING } from '../../../../toolkit/src/kysely/migrations/own-tables.ts';
import { createSchema } from '../../../../toolkit/src/kysely/table-names/create-schema.ts';
import {
  TABLE_NAME_OPTIONS,
  type TableNameOptions,
} from '../../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { type TableNaming, tablesOf } from '../../../../toolkit/src/kysely/table-names/table-naming.ts';
import { refuseUnknownOptions } from '../../../../toolkit/src/options.ts';
import { retryContention } from '../../../../toolkit/src/retry-contention.ts';
import { timestampText } from '../../clock.ts';
import { WebhookError } from '../../errors.ts';
import { accessDatabase } from '../database-access.ts';
import { findDialect } from '../find-dialect.ts';
import { webhookNaming } from '../names.ts';
import { assertFit, assertWritable, readApplied } from '../schema/assert-ready.ts';
import type { SchemaDialect } from '../schema/schema-dialect.ts';
import type { Tables, WebhookTables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { writeMissingPatterns } from '../webhooks/missing-patterns.ts';
import { DROP_ORDER } from './create-tables.ts';
import { webhookMigrations } from './webhook-migrations.ts';

const REFUSALS = migrationRefusals(
  {
    packageName: '@acme/webhooks',
    migrate: 'migrateWebhooks',
    stores: 'kyselyStorage',
    number: /^webhooks_\d{4}_/,
    migrations: Object.keys(webhookMigrations),
    tables: DROP_ORDER,
    record: 'webhook_migrations',
  },
  (text, cause) => new WebhookError('storage_misconfigured', text, cause === undefined ? {} : { cause }),
);

/**
 * Creates this package's tables, or brings them up to date, and returns the names of the migrations
 * it applied: none when the database was up to date. Then it writes the patterns of webhooks that
 * have none in `webhook_patterns`, from their `events`, a hundred webhooks at a time: rows that
 * another program wrote.
 *
 * Reads first, and does nothing if nothing is to be done: a role that may not create tables, or
 * a session that only reads, may call it then.
 *
 * Run it at every start, in any number of processes: exactly one applies a migration, and the
 * others wait for it. A database that is ahead of this version is left as it is.
 *
 * With the options that `kyselyStorage` gets: `tablePrefix` goes before the name of each table and
 * index, and of `webhook_migrations`; `schema`, on PostgreSQL, is created if it does not exist.
 * Tables with other names in the same database are not touched, and not waited for.
 *
 * The applied migrations are kept in `webhook_migrations`. A migration that fails, or whose process
 * is killed, is rolled back. On MySQL and MariaDB, which cannot roll back definitions, the next
 * start continues where it ended. If the record was emptied with all tables, tables with all
 * columns of ours are taken for applied, and get the indexes that they lack.
 *
 * @throws TypeError when the database is not supported, or `db` comes from `withSchema`; when an
 *   option is unknown or out of bounds
 * @throws WebhookError `storage_misconfigured` if the encoding of the database, or a setting of
 *   the session, would damage what is kept; if its tables are of a state before the first release;
 *   if another program created a table of one of these names; or if the role may not create tables
 *   and there are migrations to apply. What was there is not changed, and the message says what to
 *   do
 * @throws the database's own error
 */
export async function migrateWebhooks<DB>(
  db: Kysely<DB>,
  options: TableNameOptions = {},
): Promise<readonly string[]> {
  refuseUnknownOptions('migrateWebhooks', options, TABLE_NAME_OPTIONS);
  const dialect = findDialect(db);
  const naming = webhookNaming(db, options, dialect.name);
  await assertFit(dialect, db);
  try {
    const applied = (await readApplied(dialect, naming, db)) ?? new Set();
    REFUSALS.refuseRecord(applied, naming);
    // A role that only reads, or may not create tables, can use those that are there.
    const isUpToDate = Object.keys(webhookMigrations).every((name) => applied.has(name));
    const added = isUpToDate ? [] : await applyAll(dialect, naming, db);
    const isAhead = [...applied].some((name) => !(name in webhookMigrations));
    if (!isAhead) await writeMissingPatterns(accessDatabase(db, options));
    return added;
  } catch (error) {
    const isNameTaken = (cause: unknown) => dialect.isNameTaken(cause) || dialect.isMissing(cause);
    throw REFUSALS.explained(error, dialect.name, isNameTaken);
  }
}

/**
 * In one step: if a name is taken, nothing is left, not even the table of applied migrations.
 */
async function applyAll<DB>(dialect: WebhookDialect, naming: TableNaming, db: Kysely<DB>): Promise<string[]> {
  await assertWritable(dialect, db);
  if (naming.schema !== undefined) await createSchema(db, naming.schema);
  const { schema } = dialect;
  // Where definitions cannot be rolled back, a migration continues with the tables that are there.
  const own = schema.isTransactional
    ? await ownMigrations(naming.on(db), dialect.name, webhookMigrations)
    : new Set<string>();
  return schema.exclusively(naming.on(db), naming.lockName, (step) =>
    retryContention(dialect, () =>
      step(async (on) => {
        if (!schema.isTransactional && (await readApplied(dialect, naming, on)) === undefined) {
          const tables = ['webhook_migrations', ...DROP_ORDER];
          await REFUSALS.assertNoTable(on, tables, naming, dialect.isMissing);
        }
        await createBookkeeping(on, schema);
        const applied: string[] = [];
        for (const [name, { up }] of Object.entries(webhookMigrations)) {
          const change = () => up(own.has(name) ? on.withPlugin(WHERE_MISSING) : on);
          if (await applyOnce(tablesOf<WebhookTables>(on, naming), name, change)) applied.push(name);
        }
        return applied;
      }),
    ),
  );
}

async function applyOnce(tables: Tables, name: string, up: () => Promise<void>): Promise<boolean> {
  // A write first: where writers run one at a time, a process that waited for this one sees what
  // the other did.
  await tables.updateTable('webhook_migrations').set({ name }).where('name', '=', '').execute();
  const entry = await tables
    .selectFrom('webhook_migrations')
    .select('name')
    .where('name', '=', name)
    .executeTakeFirst();
  if (entry !== undefined) return false;
  await up();
  // Last: where definitions cannot be rolled back, what was interrupted is done again.
  await tables
    .insertInto('webhook_migrations')
    .values({ name, applied_at: timestampText(Date.now()) })
    .execute();
  return true;
}

/** Creates the table of applied migrations, unless it exists. */
export async function createBookkeeping<DB>(db: Kysely<DB>, schema: SchemaDialect): Promise<void> {
  const { keyText } = await schema.columnTypes(db);
  const table = db.schema
    .createTable('webhook_migrations')
    .ifNotExists()
    .addColumn('name', keyText(128), (column) => column.primaryKey().notNull())
    .addColumn('applied_at', keyText(32), (column) => column.notNull());
  await schema.createTable(db, table);
}

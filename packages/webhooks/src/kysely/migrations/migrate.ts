import type { Kysely } from 'kysely';
import { retryContention } from '../../../../toolkit/src/retry-contention.ts';
import { timestampText } from '../../clock.ts';
import { WebhookError } from '../../errors.ts';
import { findDialect } from '../find-dialect.ts';
import { assertFit } from '../schema/assert-ready.ts';
import type { SchemaDialect } from '../schema/schema-dialect.ts';
import { tablesOf } from '../tables.ts';
import { type WebhookMigration, webhookMigrations } from './webhook-migrations.ts';

/**
 * Creates this package's tables, or brings them up to date, and returns the names of the migrations
 * it applied: none when the database was up to date.
 *
 * Run it at every start, in any number of processes: exactly one applies a migration, and the
 * others wait for it. A database that is ahead of this version is left as it is.
 *
 * The applied migrations are kept in `webhook_migrations`. A migration that fails, or whose process
 * is killed, is rolled back. On MySQL and MariaDB, which cannot roll back definitions, the next
 * start continues where it ended.
 *
 * @throws TypeError when the database is not supported
 * @throws WebhookError `storage_misconfigured` where the encoding of the database, or a setting of
 *   the session, would damage what is kept, or where its tables are of a state before the first
 *   release; nothing was changed, and the message says what to do
 * @throws the database's own error, also where a table of one of these names exists that this
 *   package did not create
 */
export async function migrateWebhooks<DB>(db: Kysely<DB>): Promise<readonly string[]> {
  const dialect = findDialect(db);
  const { schema } = dialect;
  await assertFit(dialect, db);
  // Names of tables and columns are ours: a plugin of the host's must not rename them.
  return schema.exclusively(db.withoutPlugins(), async (step) => {
    await retryContention(dialect, () => step((on) => createBookkeeping(on, schema)));
    await assertNoEarlierState(db);
    const applied: string[] = [];
    for (const [name, migration] of Object.entries(webhookMigrations)) {
      const isOurs = await retryContention(dialect, () => step((on) => applyOnce(on, name, migration)));
      if (isOurs) applied.push(name);
    }
    return applied;
  });
}

async function applyOnce<DB>(db: Kysely<DB>, name: string, { up }: WebhookMigration): Promise<boolean> {
  const tables = tablesOf(db);
  // A write first: where writers run one at a time, a process that waited for this one sees what
  // the other did.
  await tables.updateTable('webhook_migrations').set({ name }).where('name', '=', '').execute();
  const entry = await tables
    .selectFrom('webhook_migrations')
    .select('name')
    .where('name', '=', name)
    .executeTakeFirst();
  if (entry !== undefined) return false;
  await up(db);
  // Last: where definitions cannot be rolled back, what was interrupted is done again.
  await tables
    .insertInto('webhook_migrations')
    .values({ name, applied_at: timestampText(Date.now()) })
    .execute();
  return true;
}

/**
 * Fails for a state before the first release: a migration is applied with the number, but not the
 * name, of one of ours.
 */
async function assertNoEarlierState<DB>(db: Kysely<DB>): Promise<void> {
  const names = Object.keys(webhookMigrations);
  const numberOf = (name: string) => /^webhooks_\d{4}_/.exec(name)?.[0];
  const applied = await tablesOf(db)
    .selectFrom('webhook_migrations')
    .select('name')
    .orderBy('name')
    .execute();
  const earlier = applied.find(
    ({ name }) => !names.includes(name) && names.some((ours) => numberOf(ours) === numberOf(name)),
  );
  if (earlier === undefined) return;
  throw new WebhookError(
    'storage_misconfigured',
    `The database is of an earlier state, ${earlier.name}, which this version cannot bring up to date: drop the tables ` +
      'webhook_idempotency_keys, webhook_activity, webhook_deliveries, webhook_patterns, webhooks and webhook_migrations, ' +
      'with everything in them, and start again',
  );
}

async function createBookkeeping<DB>(db: Kysely<DB>, schema: SchemaDialect): Promise<void> {
  const { keyText } = await schema.columnTypes(db);
  const table = db.schema
    .createTable('webhook_migrations')
    .ifNotExists()
    .addColumn('name', keyText(128), (column) => column.primaryKey().notNull())
    .addColumn('applied_at', keyText(32), (column) => column.notNull());
  await schema.createTable(db, table);
}

import type { Kysely } from 'kysely';
import { timestampText } from '../clock.ts';
import { dialectOf } from './dialect.ts';
import { webhookMigrations } from './migrations.ts';
import { retryContention } from './table-access.ts';
import { tablesOf } from './tables.ts';

/**
 * Creates this package's tables, or brings them up to date, and returns the names of the migrations it applied:
 * none when everything was there.
 *
 * Run it at every start, in as many processes as there are: each migration runs in one transaction that first
 * claims its name in `webhook_migrations`, so exactly one process applies it and the others wait. A database
 * that is ahead of this version is left as it is: migrations only add, so that an older version keeps running
 * during a deploy.
 *
 * @throws TypeError when the database is not supported
 * @throws the database's own error, a table of one of these names that somebody else created included;
 *   the migration that failed is rolled back
 */
export async function migrateWebhooks<DB>(db: Kysely<DB>): Promise<readonly string[]> {
  const dialect = dialectOf(db);
  // Names of tables and columns are ours: a plugin of the host's that renames them must not.
  const plain = db.withoutPlugins();
  await retryContention(dialect, () => createBookkeeping(plain));
  const applied: string[] = [];
  for (const [name, migration] of Object.entries(webhookMigrations)) {
    const isOurs = await retryContention(dialect, () =>
      plain.transaction().execute(async (transaction) => {
        const claimed = await tablesOf(transaction)
          .insertInto('webhook_migrations')
          .values({ name, applied_at: timestampText(Date.now()) })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .returning('name')
          .execute();
        if (claimed.length === 0) return false;
        await migration.up(transaction);
        return true;
      }),
    );
    if (isOurs) applied.push(name);
  }
  return applied;
}

async function createBookkeeping<DB>(db: Kysely<DB>): Promise<void> {
  await db.schema
    .createTable('webhook_migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('applied_at', 'text', (column) => column.notNull())
    .execute();
}

import type { Kysely } from 'kysely';
import { assertPrivileges } from '../../../toolkit/src/kysely/assert-privileges.ts';
import { findRowFault } from '../../../toolkit/src/kysely/driver-rows.ts';
import { underMysqlLock } from '../../../toolkit/src/kysely/migrations/migration-lock.ts';
import { findTable, migrationRefusals } from '../../../toolkit/src/kysely/migrations/migration-refusal.ts';
import { ownMigrations } from '../../../toolkit/src/kysely/migrations/own-tables.ts';
import { createSchema } from '../../../toolkit/src/kysely/table-names/create-schema.ts';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { type TableNaming, tablesOf } from '../../../toolkit/src/kysely/table-names/table-naming.ts';
import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { retryContention } from '../../../toolkit/src/retry-contention.ts';
import { systemClock, unixSeconds } from '../clock.ts';
import { AuthError } from '../errors.ts';
import { DatabaseLateError, onBoundedConnection } from './bounded-connection.ts';
import { CONTENTION_BOUNDS } from './database-access.ts';
import { type AuthDialect, findDialect } from './dialect.ts';
import { authMigrations } from './migrations.ts';
import { authNaming, DEFAULT_NAMES, TABLE_NAMES } from './names.ts';
import type { AuthTables, Tables } from './tables.ts';

const TABLES_OF_MIGRATIONS = DEFAULT_NAMES.tables.filter((table) => table !== 'auth_migrations');
const REFUSALS = migrationRefusals(
  {
    packageName: '@acme/auth',
    migrate: 'migrateAuth',
    stores: 'every store',
    number: /^auth_\d{4}_/,
    migrations: Object.keys(authMigrations),
    tables: TABLES_OF_MIGRATIONS,
    record: 'auth_migrations',
  },
  misconfigured,
);
/** Each with a column. */
const WRITTEN = {
  refresh_tokens: 'uid',
  api_keys: 'uid',
  login_failures: 'failures',
  one_time_tokens: 'uid',
  auth_audit: 'uid',
};
/** How long a migration may take, once it has a connection. */
const MAX_MIGRATION_MS = 3_600_000;
/** MySQL's ER_TABLE_EXISTS_ERROR. */
const TABLE_EXISTS = 1050;

/**
 * Creates this package's tables, or brings them up to date, and returns the names of the migrations
 * it applied: none when everything was there.
 *
 * Reads first, and changes nothing if nothing is to be done: a role that only reads and writes the
 * tables may call it then. It tries whether that role has the privileges for it, without writing.
 *
 * Run it at every start, in any number of processes: exactly one applies a migration, and the
 * others wait for it. A database that is ahead of this version is left as it is: migrations only
 * add, so that an older version keeps running during a deploy.
 *
 * `auth_migrations` records the applied migrations. If a migration fails, or its process is killed,
 * it is applied completely or not at all, and the next start continues there. That also holds on
 * MySQL and MariaDB, which cannot roll back the creation of a table. If the record was emptied or
 * lost, tables with all columns of ours are taken for applied, and keep their rows.
 *
 * With the options that the stores get: `tablePrefix` goes before the name of each table and index,
 * and of `auth_migrations`; `schema`, on PostgreSQL, is created if it does not exist. Tables
 * with other names in the same database are not touched, and not waited for.
 *
 * @throws TypeError when the database is not supported, or `db` comes from `withSchema`; when an
 *   option is unknown or out of bounds
 * @throws AuthError `storage_misconfigured` when another program created a table of one of these
 *   names, or the database is of a state before the first release, which no version brings up to
 *   date, or the role may not create tables and there are migrations to apply, or lacks a privilege
 *   on one of the tables; what was there is not changed
 * @throws AuthError `unavailable` when the database gives no connection within 5 s; otherwise the
 *   database's own error
 */
export async function migrateAuth<DB>(
  db: Kysely<DB>,
  options: TableNameOptions = {},
): Promise<readonly string[]> {
  refuseUnknownOptions('migrateAuth', options, TABLE_NAMES);
  const dialect = findDialect(db);
  const naming = authNaming(db, options, dialect.name);
  try {
    if (dialect.name === 'mysql') {
      const fault = await onBoundedConnection(db.withoutPlugins(), findRowFault);
      if (fault !== undefined) throw misconfigured(`The stores cannot use this database: ${fault}`);
    }
    const applied = await readApplied(dialect, naming, db);
    REFUSALS.refuseRecord(applied ?? [], naming);
    // A role that may not create tables can start an application on those that are there.
    if (Object.keys(authMigrations).every((name) => applied?.includes(name))) {
      await onBoundedConnection(db, (on) => assertPrivileges(on, dialect, naming, WRITTEN, misconfigured));
      return [];
    }
    if (naming.schema !== undefined) await createSchema(db, naming.schema);
    const named = naming.on(db);
    const own = await onBoundedConnection(named, (connection) =>
      ownMigrations(connection, dialect.name, authMigrations),
    );
    return dialect.hasTransactionalDdl
      ? await migrateInTransactions(dialect, naming, named, own)
      : await retryContention(
          dialect,
          () => migrateUnderLock(dialect, naming, named, own),
          CONTENTION_BOUNDS,
        );
  } catch (error) {
    if (error instanceof DatabaseLateError) {
      throw new AuthError('unavailable', `migrateAuth could not begin ${error.why}`);
    }
    const isForeignTable = (cause: unknown) =>
      dialect.isNameTaken(cause) || (dialect.isMissing(cause) && !dialect.isMissingTable(cause));
    throw REFUSALS.explained(error, dialect.name, isForeignTable);
  }
}

/** The applied migrations; undefined if nothing was recorded yet. */
async function readApplied<DB>(
  dialect: AuthDialect,
  naming: TableNaming,
  db: Kysely<DB>,
): Promise<readonly string[] | undefined> {
  try {
    const rows = await retryContention(
      dialect,
      () =>
        onBoundedConnection(db, (connection) =>
          tablesOf<AuthTables>(connection, naming)
            .selectFrom('auth_migrations')
            .select('name')
            .where('applied_at', 'is not', null)
            .orderBy('name')
            .execute(),
        ),
      CONTENTION_BOUNDS,
    );
    return rows.map(({ name }) => name);
  } catch (error) {
    if (dialect.isMissingTable(error)) return undefined;
    throw error;
  }
}

function misconfigured(text: string, cause?: unknown): AuthError {
  return new AuthError('storage_misconfigured', text, cause === undefined ? {} : { cause });
}

/**
 * All in one transaction, so that nothing is left if a name is taken. The name that it inserts
 * first is its lock: others wait for it, and then find the name taken. Only the wait for the
 * connection is bounded, and a migration takes as long as it needs.
 */
async function migrateInTransactions<DB>(
  dialect: AuthDialect,
  naming: TableNaming,
  db: Kysely<DB>,
  own: ReadonlySet<string>,
): Promise<readonly string[]> {
  const migrate = async (transaction: Kysely<DB>): Promise<readonly string[]> => {
    await createMigrationRecord(dialect, transaction);
    const applied: string[] = [];
    for (const [name, migration] of Object.entries(authMigrations)) {
      const claimed = await tablesOf<AuthTables>(transaction, naming)
        .insertInto('auth_migrations')
        .values({ name, applied_at: unixSeconds(systemClock) })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning('name')
        .execute();
      if (claimed.length === 0) continue;
      if (!own.has(name)) await migration.up(transaction);
      applied.push(name);
    }
    return applied;
  };
  return await retryContention(
    dialect,
    () =>
      onBoundedConnection(db, (connection, conclude) => {
        conclude(MAX_MIGRATION_MS);
        return dialect.transactionOn(connection).execute(async (transaction) => {
          await dialect.lockMigrations(transaction, naming.lockName);
          return await migrate(transaction);
        });
      }),
    CONTENTION_BOUNDS,
  );
}

/** On one connection, which holds a lock meanwhile: MySQL commits when a table is created. */
function migrateUnderLock<DB>(
  dialect: AuthDialect,
  naming: TableNaming,
  db: Kysely<DB>,
  own: ReadonlySet<string>,
): Promise<readonly string[]> {
  return onBoundedConnection(db, (connection, conclude) => {
    conclude(MAX_MIGRATION_MS);
    return underMysqlLock(connection, 'acme_auth_', naming.lockName, async () => {
      const { isMissingTable } = dialect;
      if (own.size === 0 && !(await findTable(connection, ['auth_migrations'], isMissingTable))) {
        await REFUSALS.assertNoTable(connection, TABLES_OF_MIGRATIONS, naming, isMissingTable);
      }
      await createMigrationRecord(dialect, connection);
      const applied: string[] = [];
      for (const [name, migration] of Object.entries(authMigrations)) {
        const up = async () => (own.has(name) ? undefined : await migration.up(connection));
        if (await applyOnce(tablesOf<AuthTables>(connection, naming), name, up)) applied.push(name);
      }
      return applied;
    });
  });
}

/**
 * Records a migration before it begins, so that a table of a killed migration differs from a
 * stranger's table.
 */
async function applyOnce(tables: Tables, name: string, up: () => Promise<void>): Promise<boolean> {
  const entry = await tables
    .selectFrom('auth_migrations')
    .select('applied_at')
    .where('name', '=', name)
    .executeTakeFirst();
  if (entry !== undefined && entry.applied_at !== null) return false;
  const wasBegun = entry !== undefined;
  if (!wasBegun) await tables.insertInto('auth_migrations').values({ name, applied_at: null }).execute();
  try {
    await up();
  } catch (error) {
    if (!(wasBegun && isTableThere(error))) {
      if (!wasBegun) await tables.deleteFrom('auth_migrations').where('name', '=', name).execute();
      throw error;
    }
  }
  await tables
    .updateTable('auth_migrations')
    .set({ applied_at: unixSeconds(systemClock) })
    .where('name', '=', name)
    .execute();
  return true;
}

/** Creates the table of applied migrations, unless it exists. */
export async function createMigrationRecord<DB>(dialect: AuthDialect, db: Kysely<DB>): Promise<void> {
  const keyText = await dialect.keyText(db);
  await db.schema
    .createTable('auth_migrations')
    .ifNotExists()
    .addColumn('name', keyText(128), (column) => column.primaryKey().notNull())
    .addColumn('applied_at', 'bigint')
    .execute();
}

function isTableThere(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errno' in error && error.errno === TABLE_EXISTS;
}

import { type Kysely, type RawBuilder, sql } from 'kysely';
import { POOL_SIGNALS } from '../pool-signals.ts';

/** How long a start waits for another process that is migrating the same MySQL database. */
const LOCK_TIMEOUT_SECONDS = 60;

/**
 * Runs migrations of a MySQL or MariaDB database under a named lock, on the connection that holds
 * it: these databases commit the open transaction when a table is created.
 *
 * @param owner begins the lock's name: at most 24 characters, such as `acme_auth_`
 * @param lockName distinguishes tables of other names; '' for the default names
 * @throws Error when another process holds the lock for 60 s
 */
export async function underMysqlLock<DB, Result>(
  connection: Kysely<DB>,
  owner: string,
  lockName: string,
  migrate: () => Promise<Result>,
): Promise<Result> {
  // A lock's name is the server's, not the database's, and has at most 64 characters.
  const names = lockName === '' ? sql`database()` : sql`concat(database(), '.', ${lockName})`;
  const lock = sql`concat(${owner}, left(sha2(${names}, 256), 40))`;
  await sql.raw(POOL_SIGNALS.wait).execute(connection);
  const { rows } = await sql<{ locked: unknown }>`
    select get_lock(${lock}, ${sql.lit(LOCK_TIMEOUT_SECONDS)}) as locked`.execute(connection);
  if (Number(rows[0]?.locked) !== 1) {
    throw new Error(`Another process has been migrating this database for ${LOCK_TIMEOUT_SECONDS} s`);
  }
  try {
    return await migrate();
  } finally {
    await sql`do release_lock(${lock})`.execute(connection);
  }
}

/**
 * Waits for PostgreSQL's advisory lock of a package's migrations, which the end of the transaction
 * releases: `create table if not exists` races without one.
 *
 * @param number the package's own, a bigint in decimal digits
 * @param lockName distinguishes tables of other names; '' for the default names
 */
export async function lockPostgres<DB>(
  transaction: Kysely<DB>,
  number: string,
  lockName: string,
): Promise<void> {
  const base: RawBuilder<unknown> = sql`${sql.lit(number)}::bigint`;
  const lock = lockName === '' ? base : sql`hashtextextended(${lockName}, ${base})`;
  await sql.raw(POOL_SIGNALS.wait).execute(transaction);
  await sql`select pg_advisory_xact_lock(${lock})`.execute(transaction);
}

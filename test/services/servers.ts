import { randomBytes } from 'node:crypto';
import { createPool } from 'mysql2';
import { Pool } from 'pg';

/** Where the tests find PostgreSQL: a database in which they may create others. */
export const POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test';
/** Where the tests find MySQL or MariaDB. */
export const MYSQL_URL = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test';

/**
 * Why suites that need PostgreSQL are left out here; `undefined` where they run. It is named on the
 * console; with `REQUIRE_SERVICES=1` they run, and fail.
 */
export function postgresSkipped(): Promise<string | undefined> {
  return reasonToSkip('PostgreSQL', 'TEST_POSTGRES_URL', POSTGRES_URL, postgresStatement);
}

/** The same of MySQL or MariaDB. */
export function mysqlSkipped(): Promise<string | undefined> {
  return reasonToSkip('MySQL or MariaDB', 'TEST_MYSQL_URL', MYSQL_URL, mysqlStatement);
}

async function reasonToSkip(
  name: string,
  variable: string,
  url: string,
  execute: (statement: string) => Promise<void>,
): Promise<string | undefined> {
  if (process.env.REQUIRE_SERVICES === '1') return undefined;
  try {
    await execute('select 1');
    return undefined;
  } catch (error) {
    // The address alone: the rest of the URL may hold a password.
    const { host } = new URL(url);
    const reason = `${name} does not answer at ${host} (${variable}): ${error instanceof Error ? error.message : ''}`;
    console.warn(`skipped: ${reason}`);
    return reason;
  }
}

/** Executes one statement on PostgreSQL, on a connection of its own. */
export async function postgresStatement(statement: string): Promise<void> {
  const pool = new Pool({ connectionString: POSTGRES_URL, max: 1, connectionTimeoutMillis: 5_000 });
  try {
    await pool.query(statement);
  } finally {
    await pool.end();
  }
}

/** Executes one statement on MySQL or MariaDB, on a connection of its own. */
export async function mysqlStatement(statement: string): Promise<void> {
  const pool = createPool({ uri: MYSQL_URL, connectionLimit: 1, connectTimeout: 5_000 }).promise();
  try {
    await pool.query(statement);
  } finally {
    await pool.end();
  }
}

/** A name for a schema or a database, under which parallel runs do not meet. */
export function uniqueName(product: string): string {
  return `${product}_test_${randomBytes(8).toString('hex')}`;
}

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

/** Where the tests find PostgreSQL: a database in which they may create others. */
export const POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test';
/** Where the tests find MySQL or MariaDB. */
export const MYSQL_URL = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test';
/** Where the tests find Redis. */
export const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Why suites that need PostgreSQL are left out here; `undefined` where they run. It is named on the
 * console; with `REQUIRE_SERVICES=1` they run, and fail.
 */
export function postgresSkipped(): Promise<string | undefined> {
  return reasonToSkip('PostgreSQL', 'TEST_POSTGRES_URL', POSTGRES_URL, () => postgresStatement('select 1'));
}

/** The same of MySQL or MariaDB. */
export function mysqlSkipped(): Promise<string | undefined> {
  return reasonToSkip('MySQL or MariaDB', 'TEST_MYSQL_URL', MYSQL_URL, () => mysqlStatement('select 1'));
}

/** The same of Redis. */
export function redisSkipped(): Promise<string | undefined> {
  return reasonToSkip('Redis', 'TEST_REDIS_URL', REDIS_URL, pingRedis);
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'postgres:': 5_432,
  'postgresql:': 5_432,
  'mysql:': 3_306,
  'redis:': 6_379,
};

async function reasonToSkip(
  name: string,
  variable: string,
  url: string,
  ask: () => Promise<void>,
): Promise<string | undefined> {
  if (process.env.REQUIRE_SERVICES === '1') return undefined;
  try {
    // Asked before the driver is loaded, which takes most of the time of a small test file.
    await reach(new URL(url));
    await ask();
    return undefined;
  } catch (error) {
    // The address alone: the rest of the URL may hold a password.
    const { host } = new URL(url);
    const reason = `${name} does not answer at ${host} (${variable}): ${error instanceof Error ? error.message : ''}`;
    console.warn(`skipped: ${reason}`);
    return reason;
  }
}

/** Connects to the server of a URL, and says nothing to it. */
async function reach({ hostname, port, protocol }: URL): Promise<void> {
  const defaultPort = DEFAULT_PORTS[protocol] ?? 0;
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || defaultPort });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  } finally {
    socket.destroy();
  }
}

async function pingRedis(): Promise<void> {
  const { Redis } = await import('ioredis');
  const options = { lazyConnect: true, connectTimeout: ANSWER_TIMEOUT_MS, retryStrategy: () => null };
  const redis = new Redis(REDIS_URL, options);
  redis.on('error', () => {});
  try {
    await redis.connect();
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}

/** Executes one statement on PostgreSQL, on a connection of its own. */
export async function postgresStatement(statement: string): Promise<void> {
  const { Pool } = await import('pg');
  const pool = new Pool({
    connectionString: POSTGRES_URL,
    max: 1,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
  });
  try {
    await pool.query(statement);
  } finally {
    await pool.end();
  }
}

/** Executes one statement on MySQL or MariaDB, on a connection of its own. */
export async function mysqlStatement(statement: string): Promise<void> {
  const { createPool } = await import('mysql2');
  const pool = createPool({
    uri: MYSQL_URL,
    connectionLimit: 1,
    connectTimeout: ANSWER_TIMEOUT_MS,
  }).promise();
  try {
    await pool.query(statement);
  } finally {
    await pool.end();
  }
}

/** Names a run of the tests by the second in which it starts, and by chance. */
export function newRun(): string {
  return `${Math.floor(Date.now() / 1_000).toString(36)}${randomBytes(2).toString('hex')}`;
}

/** The run of this process, also where it began without the global set-up. */
const RUN = process.env.TEST_RUN ?? newRun();

/**
 * A name for a schema, a database or a prefix, under which parallel runs do not meet. It says which
 * run made it, see `left-overs.ts`.
 */
export function uniqueName(product: string): string {
  return `${product}_test_${RUN}_${randomBytes(4).toString('hex')}`;
}

/** The second in which the run began that made what has this name; `undefined` if none did. */
export function startOfRun(name: string): number | undefined {
  const start = /_test_([0-9a-z]{6})[0-9a-f]{4}_[0-9a-f]{8}$/.exec(name)?.[1];
  return start === undefined ? undefined : Number.parseInt(start, 36);
}

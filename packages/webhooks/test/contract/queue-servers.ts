import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { bullmqQueue } from '../../src/bullmq/index.ts';
import { pgBossQueue } from '../../src/pg-boss/index.ts';
import type { DeliveryQueue } from '../../src/queue/queue.ts';
import { hasArchive, InstalledPgBoss, rejectsFailedFetch } from './installed-pg-boss.ts';
import { openLink, type SeverableLink } from './severable-link.ts';

const POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test';
const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

/** A backend of its own: a schema in PostgreSQL, a prefix in Redis. */
export interface OpenedBackend {
  /** A queue as one process has it. */
  createQueue(options?: { readonly pollingIntervalMs?: number }): DeliveryQueue;
  /** The data of every job that the backend holds, whatever became of it. */
  jobs(): Promise<unknown[]>;
  /** What every queue reaches the backend by. */
  readonly link: SeverableLink;
  close(): Promise<void>;
}

/** A kind of backend to run a suite on. */
export interface QueueServer {
  readonly name: string;
  /** Why its suites are left out here; `undefined` where they run. */
  readonly skipped: string | undefined;
  /** Whether an idle worker hears of a connection that is lost. */
  readonly reportsLoss: boolean;
  /** Whether an idle worker asks the backend from time to time; otherwise the backend tells it. */
  readonly isPolled: boolean;
  open(): Promise<OpenedBackend>;
}

/**
 * Every backend that there is an adapter for. A server that does not answer is named on the console
 * and its suites are skipped; with `REQUIRE_SERVICES=1` they run, and fail.
 */
export const queueServers: readonly QueueServer[] = [
  {
    name: 'pg-boss',
    skipped: await reasonToSkip('PostgreSQL', 'TEST_POSTGRES_URL', POSTGRES_URL, () => postgres('select 1')),
    reportsLoss: rejectsFailedFetch,
    isPolled: true,
    open: openPgBoss,
  },
  {
    name: 'BullMQ',
    skipped: await reasonToSkip('Redis', 'TEST_REDIS_URL', REDIS_URL, () => redis((client) => client.ping())),
    reportsLoss: true,
    isPolled: false,
    open: openBullmq,
  },
];

async function openPgBoss(): Promise<OpenedBackend> {
  const schema = uniqueName();
  const link = await openLink(POSTGRES_URL, 5_432);
  const boss = new InstalledPgBoss({
    connectionString: link.url,
    schema,
    max: 4,
    schedule: false,
    supervise: false,
  });
  boss.on('error', () => {});
  await boss.start();
  return {
    createQueue: ({ pollingIntervalMs = 500 } = {}) => pgBossQueue({ boss, pollingIntervalMs }),
    async jobs() {
      const archived = hasArchive ? ` union all select data from ${schema}.archive` : '';
      const rows = await postgres(`select data from ${schema}.job${archived}`);
      return rows.map(({ data }) => data);
    },
    link,
    async close() {
      await boss.stop({ graceful: false });
      await link.cut();
      await postgres(`drop schema ${schema} cascade`);
    },
  };
}

async function openBullmq(): Promise<OpenedBackend> {
  const prefix = uniqueName();
  const link = await openLink(REDIS_URL, 6_379);
  const connection = new Redis(link.url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  connection.on('error', () => {});
  return {
    createQueue: () => bullmqQueue({ connection, prefix }),
    jobs: () =>
      redis(async (client) => {
        const keys = await client.keys(`${prefix}:*`);
        const jobs = keys.filter((key) => /:\d+(?:-\d)?$/.test(key));
        return Promise.all(jobs.map(async (key) => JSON.parse((await client.hget(key, 'data')) ?? 'null')));
      }),
    link,
    async close() {
      connection.disconnect();
      await link.cut();
      await redis(async (client) => {
        const keys = await client.keys(`${prefix}:*`);
        if (keys.length > 0) await client.del(...keys);
      });
    },
  };
}

async function reasonToSkip(
  name: string,
  variable: string,
  url: string,
  ask: () => Promise<unknown>,
): Promise<string | undefined> {
  if (process.env.REQUIRE_SERVICES === '1') return undefined;
  try {
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

async function postgres(statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function redis<Result>(work: (client: Redis) => Promise<Result>): Promise<Result> {
  const client = new Redis(REDIS_URL, {
    lazyConnect: true,
    connectTimeout: 5_000,
    retryStrategy: () => null,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    client.disconnect();
  }
}

/** Parallel runs do not meet. */
function uniqueName(): string {
  return `webhooks_test_${randomBytes(8).toString('hex')}`;
}

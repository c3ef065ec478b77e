import { Redis } from 'ioredis';
import { Client } from 'pg';
import {
  POSTGRES_URL,
  postgresSkipped,
  REDIS_URL,
  redisSkipped,
  uniqueName,
} from '../../../../test/services/servers.ts';
import { bullmqQueue } from '../../src/bullmq/index.ts';
import { pgBossQueue } from '../../src/pg-boss/index.ts';
import type { DeliveryQueue } from '../../src/queue/queue.ts';
import { hasArchive, InstalledPgBoss, rejectsFailedFetch } from './installed-pg-boss.ts';
import { openLink, type SeverableLink } from './severable-link.ts';

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
    skipped: await postgresSkipped(),
    reportsLoss: rejectsFailedFetch,
    isPolled: true,
    open: openPgBoss,
  },
  { name: 'BullMQ', skipped: await redisSkipped(), reportsLoss: true, isPolled: false, open: openBullmq },
];

async function openPgBoss(): Promise<OpenedBackend> {
  const schema = uniqueName('webhooks');
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
  const prefix = uniqueName('webhooks');
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

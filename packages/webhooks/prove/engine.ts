import { Redis } from 'ioredis';
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { createPool } from 'mysql2';
import { Pool } from 'pg';
import PgBoss from 'pg-boss';
import { bullmqQueue } from '../src/bullmq/bullmq-queue.ts';
import { kyselyStorage } from '../src/kysely/kysely-storage.ts';
import type { WebhookTables } from '../src/kysely/tables.ts';
import { pgBossQueue } from '../src/pg-boss/pg-boss-queue.ts';
import { inProcessQueue } from '../src/queue/in-process-queue.ts';
import type { DeliveryQueue } from '../src/queue/queue.ts';
import type { WebhookStorage } from '../src/storage/storage.ts';
import { createWebhooks, type Webhooks } from '../src/webhooks.ts';
import { ATTEMPT_TIMEOUT_MS, CONCURRENCY, type WorkerSettings } from './worker-settings.ts';

/** An engine over its own connections, as one process of a host has it. */
export interface Engine {
  readonly webhooks: Webhooks;
  readonly db: Kysely<WebhookTables>;
  close(): Promise<void>;
}

/** @param onClaim called with the token of every claim before it is made */
export async function openEngine(
  settings: WorkerSettings,
  onClaim: (claimToken: string) => void = () => undefined,
): Promise<Engine> {
  const db = openDatabase(settings.storage);
  const queue = await openQueue(settings.queue);
  const webhooks = createWebhooks({
    storage: announcingClaims(kyselyStorage(db), onClaim),
    queue: queue.queue,
    concurrency: CONCURRENCY,
    maxConcurrentPerWebhook: settings.maxConcurrentPerWebhook ?? CONCURRENCY,
    egress: { allowedAddresses: ['127.0.0.1/32'], timeoutMs: ATTEMPT_TIMEOUT_MS },
    // A service that was restarted costs some attempts a second or two, not half a minute.
    retry: { delaysMs: [1_000, 2_000, 4_000, 8_000, 16_000] },
    // Processes on one file have no queue between them.
    sweepIntervalMs: settings.queue.kind === 'p-queue' ? 500 : 5_000,
    schedulePurge: false,
  });
  return {
    webhooks,
    db,
    async close() {
      await webhooks.close();
      await queue.close();
      await db.destroy();
    },
  };
}

export function openDatabase(storage: WorkerSettings['storage']): Kysely<WebhookTables> {
  if (storage.kind === 'postgres') {
    // Idle connections stay: the model check lets timers run ahead of time.
    const pool = new Pool({ connectionString: storage.url, max: 6, idleTimeoutMillis: 0 });
    // A server that goes away ends idle connections, and those between two statements of a
    // transaction: the pool makes new ones, and who was using one is told by its next statement.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    return new Kysely({ dialect: new PostgresDialect({ pool }) });
  }
  if (storage.kind === 'mysql') {
    return new Kysely({
      dialect: new MysqlDialect({ pool: createPool({ uri: storage.url, connectionLimit: 6 }) }),
    });
  }
  const database = new Database(storage.file);
  for (const pragma of ['busy_timeout = 5000', 'journal_mode = WAL', 'synchronous = NORMAL']) {
    database.pragma(pragma);
  }
  return new Kysely({ dialect: new SqliteDialect({ database }) });
}

interface OpenedQueue {
  readonly queue: DeliveryQueue;
  close(): Promise<void>;
}

async function openQueue(queue: WorkerSettings['queue']): Promise<OpenedQueue> {
  if (queue.kind === 'p-queue') return { queue: inProcessQueue(), close: async () => undefined };
  if (queue.kind === 'pg-boss') {
    const boss = new PgBoss({ connectionString: queue.url, max: 4 });
    boss.on('error', () => undefined);
    await boss.start();
    return { queue: pgBossQueue({ boss }), close: () => boss.stop() };
  }
  const connection = new Redis(queue.port, '127.0.0.1', { maxRetriesPerRequest: null });
  connection.on('error', () => undefined);
  return { queue: bullmqQueue({ connection }), close: async () => connection.disconnect() };
}

function announcingClaims<Transaction>(
  storage: WebhookStorage<Transaction>,
  onClaim: (claimToken: string) => void,
): WebhookStorage<Transaction> {
  return {
    ...storage,
    claimDueDeliveries(request) {
      onClaim(request.claimToken);
      return storage.claimDueDeliveries(request);
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnPostgres, type OwnRedis, startPostgres, startRedis } from './services.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** A storage and a queue, on services of their own where they need any. */
export interface Setup {
  readonly settings: WorkerSettings;
  readonly postgres?: OwnPostgres;
  readonly redis?: OwnRedis;
  remove(): Promise<void>;
}

/** What the proofs run on, by name. */
export const SETUPS = {
  'SQLite with p-queue': sqliteWithPQueue,
  'PostgreSQL with pg-boss': postgresWithPgBoss,
  'PostgreSQL with BullMQ': postgresWithBullmq,
} as const satisfies Readonly<Record<string, () => Promise<Setup>>>;

export type SetupName = keyof typeof SETUPS;

async function sqliteWithPQueue(): Promise<Setup> {
  const folder = mkdtempSync(join(tmpdir(), 'prove-sqlite-'));
  return {
    settings: { storage: { kind: 'sqlite', file: join(folder, 'prove.db') }, queue: { kind: 'p-queue' } },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function postgresWithPgBoss(): Promise<Setup> {
  const postgres = await startPostgres();
  const { url } = postgres;
  return {
    settings: { storage: { kind: 'postgres', url }, queue: { kind: 'pg-boss', url } },
    postgres,
    remove: () => postgres.stop(),
  };
}

async function postgresWithBullmq(): Promise<Setup> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const { url } = postgres;
  return {
    settings: { storage: { kind: 'postgres', url }, queue: { kind: 'bullmq', port: redis.port } },
    postgres,
    redis,
    async remove() {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

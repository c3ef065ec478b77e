import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import { openDatabase } from '../engine.ts';
import { startMariadb, startPostgres } from '../services.ts';
import {
  databaseForModel,
  type ModelStorage,
  memoryForModel,
  olderOnMysql,
  olderOnPostgres,
} from './model-storages.ts';

/** Where sequences happen. */
export interface ModelDatabase {
  /** An empty storage, for the next sequence. */
  open(): Promise<ModelStorage>;
  close(): Promise<void>;
}

/** What the model check runs on, by name, and how many sequences it takes. */
export const MODEL_DATABASES: Readonly<
  Record<string, { readonly sequences: number; open(): Promise<ModelDatabase> }>
> = {
  memory: {
    sequences: 10_000,
    open: async () => ({ open: async () => memoryForModel(), close: async () => undefined }),
  },
  SQLite: {
    sequences: 2_000,
    async open() {
      const folder = mkdtempSync(join(tmpdir(), 'prove-model-'));
      const db = openDatabase({ kind: 'sqlite', file: join(folder, 'model.db') });
      // Two connections of one process to one file wait for each other where nobody else can run.
      return openAll([db, db], async () => rmSync(folder, { recursive: true, force: true }));
    },
  },
  PostgreSQL: {
    sequences: 300,
    async open() {
      const { url, stop } = await startPostgres();
      return openAll(
        [openDatabase({ kind: 'postgres', url }), openDatabase({ kind: 'postgres', url })],
        stop,
        olderOnPostgres,
      );
    },
  },
  MariaDB: {
    sequences: 300,
    async open() {
      const { url, stop } = await startMariadb();
      return openAll(
        [openDatabase({ kind: 'mysql', url }), openDatabase({ kind: 'mysql', url })],
        stop,
        olderOnMysql,
      );
    },
  },
};

async function openAll(
  processes: readonly [Kysely<WebhookTables>, Kysely<WebhookTables>],
  remove: () => Promise<void>,
  older?: typeof olderOnPostgres,
): Promise<ModelDatabase> {
  await migrateWebhooks(processes[0]);
  return {
    open: () => databaseForModel(processes, older),
    async close() {
      for (const process of new Set(processes)) await process.destroy();
      await remove();
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import { openDatabase } from '../engine.ts';
import { startMariadb, startPostgres } from '../services.ts';

/** A database with the tables in it. */
interface TenantDatabase {
  readonly db: Kysely<WebhookTables>;
  close(): Promise<void>;
}

/** What the proof of tenants runs on, by name: a server of its own each. */
export const TENANT_DATABASES: Readonly<Record<string, () => Promise<TenantDatabase>>> = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'prove-tenants-'));
    const remove = async () => rmSync(folder, { recursive: true, force: true });
    return opened({ kind: 'sqlite', file: join(folder, 'tenants.db') }, remove);
  },
  async PostgreSQL() {
    const { url, stop } = await startPostgres();
    return opened({ kind: 'postgres', url }, stop);
  },
  async MariaDB() {
    const { url, stop } = await startMariadb();
    return opened({ kind: 'mysql', url }, stop);
  },
};

async function opened(
  storage: Parameters<typeof openDatabase>[0],
  remove: () => Promise<void>,
): Promise<TenantDatabase> {
  const db = openDatabase(storage);
  await migrateWebhooks(db);
  return {
    db,
    async close() {
      await db.destroy();
      await remove();
    },
  };
}

import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../../src/kysely/migrate.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { sqliteFile } from '../kysely/sqlite-database.ts';

/** A storage, and how to end it. */
export interface OpenedStorage {
  readonly storage: WebhookStorage<never>;
  close(): Promise<void>;
}

/** The storages that every test of the engine runs on. */
export const STORAGES: readonly { readonly name: string; open(): Promise<OpenedStorage> }[] = [
  {
    name: 'memory',
    open: async () => ({ storage: memoryStorage(), close: async () => {} }),
  },
  {
    name: 'a SQLite file',
    async open() {
      const file = sqliteFile();
      const db = file.open();
      await migrateWebhooks(db);
      return { storage: kyselyStorage(db), close: () => file.remove() };
    },
  },
];

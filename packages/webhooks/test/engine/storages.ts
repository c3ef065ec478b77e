import type { LogEvent } from 'kysely';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { type DatabaseServer, databaseServers } from '../kysely/database-servers.ts';

/** A storage, and how to end it. */
export interface OpenedStorage {
  readonly storage: WebhookStorage<never>;
  close(): Promise<void>;
}

interface NamedStorage {
  readonly name: string;
  /** @param log receives each statement; memory has none */
  open(log?: (event: LogEvent) => void): Promise<OpenedStorage>;
}

/** The storages that use the clock of their caller: tests move it. */
export const STORAGES: readonly NamedStorage[] = [
  { name: 'memory', open: async () => ({ storage: memoryStorage(), close: async () => {} }) },
  ...databaseServers.filter(({ clock }) => clock === 'caller').map(onServer),
];

/** Every storage, for tests in real time; a server that does not answer is named on the console. */
export const ALL_STORAGES: readonly NamedStorage[] = [
  ...STORAGES,
  ...databaseServers
    .filter(({ clock, skipped }) => clock === 'database' && skipped === undefined)
    .map(onServer),
];

export function onServer({ name, create }: DatabaseServer): NamedStorage {
  return {
    name,
    async open(log) {
      const database = await create();
      const db = database.open(log && { log });
      await migrateWebhooks(db);
      return { storage: kyselyStorage(db), close: () => database.remove() };
    },
  };
}

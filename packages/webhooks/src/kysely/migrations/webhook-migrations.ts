import type { Kysely } from 'kysely';
import { createTables, dropTables } from './create-tables.ts';

/** One step of the schema, in the shape of Kysely's own `Migration`. */
export interface WebhookMigration {
  up<DB>(db: Kysely<DB>): Promise<void>;
  down<DB>(db: Kysely<DB>): Promise<void>;
}

/**
 * The schema's history by name, in order; entries are only ever added.
 *
 * For applications that keep one history in Kysely's own `Migrator`: `new Migrator({ db, provider:
 * { getMigrations: async () => webhookMigrations }, migrationTableName: … })`. Use either that or
 * {@link migrateWebhooks}, not both: each records what it applied in a table of its own.
 */
export const webhookMigrations: Readonly<Record<string, WebhookMigration>> = Object.freeze({
  webhooks_0001_tables: { up: createTables, down: dropTables },
});

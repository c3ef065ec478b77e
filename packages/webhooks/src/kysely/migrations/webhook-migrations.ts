import type { Kysely } from 'kysely';
import { hasSchema, SCHEMA_IS_AN_OPTION } from '../../../../toolkit/src/kysely/table-names/table-naming.ts';
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
 * {@link migrateWebhooks}, not both: each records what it applied in a table of its own. The names
 * are the default ones: with `tablePrefix` or `schema`, call `migrateWebhooks` or print the SQL.
 */
export const webhookMigrations: Readonly<Record<string, WebhookMigration>> = Object.freeze({
  webhooks_0001_tables: { up: inDefaultSchema(createTables), down: inDefaultSchema(dropTables) },
});

/** A part of the statements would ignore the schema of an instance that comes from `withSchema`. */
function inDefaultSchema(change: WebhookMigration['up']): WebhookMigration['up'] {
  return async (db) => {
    if (hasSchema(db)) throw new TypeError(`db ${SCHEMA_IS_AN_OPTION}`);
    await change(db);
  };
}

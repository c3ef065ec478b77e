import type { Kysely } from 'kysely';
import { addTurnsAndActivity, dropTurnsAndActivity } from './migrations/add-turns-and-activity.ts';
import { createTables, dropTables } from './migrations/create-tables.ts';
import { fillPagesAgain, leaveRoomForUpdates } from './migrations/leave-room-for-updates.ts';
import { forgetDispatchesOfKeys, nameDispatchesOfKeys } from './migrations/name-dispatches-of-keys.ts';

/** One step of the schema, in the shape of Kysely's own `Migration`. */
export interface WebhookMigration {
  up<DB>(db: Kysely<DB>): Promise<void>;
  down<DB>(db: Kysely<DB>): Promise<void>;
}

/**
 * The schema's history by name, in order; entries are only ever added.
 *
 * For applications that keep one history in Kysely's own `Migrator`:
 * `new Migrator({ db, provider: { getMigrations: async () => webhookMigrations }, migrationTableName: … })`.
 * Use either that or {@link migrateWebhooks}, not both: each keeps its own books.
 */
export const webhookMigrations: Readonly<Record<string, WebhookMigration>> = Object.freeze({
  webhooks_0001_create_tables: { up: createTables, down: dropTables },
  webhooks_0002_add_turns_and_activity: { up: addTurnsAndActivity, down: dropTurnsAndActivity },
  webhooks_0003_leave_room_for_updates: { up: leaveRoomForUpdates, down: fillPagesAgain },
  webhooks_0004_name_dispatches_of_keys: { up: nameDispatchesOfKeys, down: forgetDispatchesOfKeys },
});

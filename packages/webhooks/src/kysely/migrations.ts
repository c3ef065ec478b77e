import { type Kysely, sql } from 'kysely';
import { dialectOf } from './dialect.ts';

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
});

async function createTables<DB>(db: Kysely<DB>): Promise<void> {
  await createWebhooks(db);
  await createPatterns(db);
  await createDeliveries(db);
  await createIdempotencyKeys(db);
}

async function createWebhooks<DB>(db: Kysely<DB>): Promise<void> {
  const dialect = dialectOf(db);
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'integer', (column) => dialect.generatedId(column.primaryKey()))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('events', 'text', (column) => column.notNull().defaultTo('["*"]'))
    .addColumn('is_active', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('created_by', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('is_removed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // Hardly ever a row is in it, and every claim asks for them.
  await db.schema
    .createIndex('webhooks_removed')
    .on('webhooks')
    .column('is_removed')
    .where(sql.ref('is_removed'), '=', sql.lit(1))
    .execute();
}

async function createPatterns<DB>(db: Kysely<DB>): Promise<void> {
  const table = db.schema
    .createTable('webhook_patterns')
    .addColumn('pattern', 'text', (column) => column.notNull())
    .addColumn('webhook_id', 'integer', (column) =>
      column.notNull().references('webhooks.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('webhook_patterns_key', ['pattern', 'webhook_id']);
  await dialectOf(db).clusterByKey(table).execute();
  await db.schema
    .createIndex('webhook_patterns_by_webhook')
    .on('webhook_patterns')
    .column('webhook_id')
    .execute();
}

async function createDeliveries<DB>(db: Kysely<DB>): Promise<void> {
  const dialect = dialectOf(db);
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'integer', (column) => dialect.generatedId(column.primaryKey()))
    .addColumn('webhook_id', 'integer', (column) =>
      column.notNull().references('webhooks.id').onDelete('cascade'),
    )
    .addColumn('delivery_id', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull().defaultTo('{}'))
    .addColumn('status', 'text', (column) => column.notNull().defaultTo('pending'))
    .addColumn('status_code', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('response_body', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('error', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('series_start', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('attempt_log', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('completed_at', 'text')
    .addColumn('next_attempt_at', 'text')
    .addColumn('locked_until', 'text')
    .addColumn('claim_token', 'text')
    .addColumn('lost_attempt', 'integer')
    .execute();
  await createDeliveryIndexes(db);
}

async function createDeliveryIndexes<DB>(db: Kysely<DB>): Promise<void> {
  const index = (name: string) => db.schema.createIndex(name).on('webhook_deliveries');
  // Only pending rows are in it: a claim costs the same with a thousand ended deliveries and with a million.
  await index('webhook_deliveries_due')
    .columns(['next_attempt_at', 'id'])
    .where(sql.ref('status'), '=', sql.lit('pending'))
    .execute();
  await index('webhook_deliveries_history').columns(['webhook_id', 'id']).execute();
  await index('webhook_deliveries_by_status').columns(['webhook_id', 'status', 'id']).execute();
  // A sixth of what writing a delivery costs; without it, a page of a rare event reads the webhook's whole history.
  await index('webhook_deliveries_by_event').columns(['webhook_id', 'event', 'id']).execute();
  await index('webhook_deliveries_by_delivery_id').column('delivery_id').unique().execute();
  await index('webhook_deliveries_by_age').columns(['created_at', 'id']).execute();
}

async function createIdempotencyKeys<DB>(db: Kysely<DB>): Promise<void> {
  const table = db.schema
    .createTable('webhook_idempotency_keys')
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_idempotency_keys_key', ['event', 'key']);
  await dialectOf(db).clusterByKey(table).execute();
  await db.schema
    .createIndex('webhook_idempotency_keys_by_age')
    .on('webhook_idempotency_keys')
    .column('created_at')
    .execute();
}

async function dropTables<DB>(db: Kysely<DB>): Promise<void> {
  await db.schema.dropTable('webhook_idempotency_keys').execute();
  await db.schema.dropTable('webhook_deliveries').execute();
  await db.schema.dropTable('webhook_patterns').execute();
  await db.schema.dropTable('webhooks').execute();
}

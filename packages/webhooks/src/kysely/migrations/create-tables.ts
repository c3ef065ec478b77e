import type { Kysely } from 'kysely';
import { dialectOf } from '../dialect-of.ts';
import type { ColumnTypes, SchemaDialect } from '../schema-dialect.ts';

/** Lengths of the texts that are looked up; what is longer is refused before it comes here. */
export const MAX_EVENT_CHARACTERS = 128;
const MAX_KEY_CHARACTERS = 255;
export const MAX_TOKEN_CHARACTERS = 64;
/** A timestamp has 24. */
export const MAX_TIME_CHARACTERS = 32;

/** The state that the first version began with: do not change it, add a migration. */
export async function createTables<DB>(db: Kysely<DB>): Promise<void> {
  const { schema } = dialectOf(db);
  const types = await schema.columnTypes(db);
  await createWebhooks(db, schema, types);
  await createPatterns(db, schema, types);
  await createDeliveries(db, schema, types);
  await createDeliveryIndexes(db, schema);
  await createIdempotencyKeys(db, schema, types);
}

export async function dropTables<DB>(db: Kysely<DB>): Promise<void> {
  for (const table of ['webhook_idempotency_keys', 'webhook_deliveries', 'webhook_patterns', 'webhooks']) {
    await db.schema.dropTable(table).ifExists().execute();
  }
}

async function createWebhooks<DB>(db: Kysely<DB>, schema: SchemaDialect, types: ColumnTypes): Promise<void> {
  const { bigInteger, integer, text, textDefault, keyText } = types;
  const table = db.schema
    .createTable('webhooks')
    .addColumn('id', bigInteger, (column) => types.generatedId(column.primaryKey()))
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('secret', text, (column) => column.notNull())
    .addColumn('description', text, (column) => column.notNull().defaultTo(textDefault('')))
    .addColumn('events', text, (column) => column.notNull().defaultTo(textDefault('["*"]')))
    .addColumn('is_active', integer, (column) => column.notNull().defaultTo(1))
    .addColumn('created_by', bigInteger, (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', keyText(MAX_TIME_CHARACTERS), (column) => column.notNull())
    .addColumn('updated_at', keyText(MAX_TIME_CHARACTERS), (column) => column.notNull())
    .addColumn('is_removed', integer, (column) => column.notNull().defaultTo(0));
  await schema.createTable(db, table);
  // Hardly ever a row is in it, and every claim asks for them.
  await schema.createIndex(db, {
    ...{ name: 'webhooks_removed', table: 'webhooks', columns: ['is_removed'], where: ['is_removed', 1] },
  });
}

async function createPatterns<DB>(db: Kysely<DB>, schema: SchemaDialect, types: ColumnTypes): Promise<void> {
  const table = db.schema
    .createTable('webhook_patterns')
    .addColumn('pattern', types.keyText(MAX_EVENT_CHARACTERS), (column) => column.notNull())
    .addColumn('webhook_id', types.bigInteger, (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_patterns_key', ['pattern', 'webhook_id'])
    .addForeignKeyConstraint('webhook_patterns_webhook', ['webhook_id'], 'webhooks', ['id'], (key) =>
      key.onDelete('cascade'),
    );
  await schema.createTable(db, types.clusterByKey(table));
  await schema.createIndex(db, {
    ...{ name: 'webhook_patterns_by_webhook', table: 'webhook_patterns', columns: ['webhook_id'] },
  });
}

async function createDeliveries<DB>(
  db: Kysely<DB>,
  schema: SchemaDialect,
  types: ColumnTypes,
): Promise<void> {
  const { bigInteger, integer, text, longText, textDefault, keyText } = types;
  const table = db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', bigInteger, (column) => types.generatedId(column.primaryKey()))
    .addColumn('webhook_id', bigInteger, (column) => column.notNull())
    .addColumn('delivery_id', keyText(32), (column) => column.notNull().defaultTo(''))
    .addColumn('event', keyText(MAX_EVENT_CHARACTERS), (column) => column.notNull())
    .addColumn('payload', longText, (column) => column.notNull().defaultTo(textDefault('{}')))
    .addColumn('status', keyText(16), (column) => column.notNull().defaultTo('pending'))
    .addColumn('status_code', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('response_body', text, (column) => column.notNull().defaultTo(textDefault('')))
    .addColumn('error', keyText(255), (column) => column.notNull().defaultTo(''))
    .addColumn('attempts', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('series_start', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('attempt_log', longText, (column) => column.notNull().defaultTo(textDefault('[]')))
    .addColumn('created_at', keyText(MAX_TIME_CHARACTERS), (column) => column.notNull())
    .addColumn('completed_at', keyText(MAX_TIME_CHARACTERS))
    .addColumn('next_attempt_at', keyText(MAX_TIME_CHARACTERS))
    .addColumn('locked_until', keyText(MAX_TIME_CHARACTERS))
    .addColumn('claim_token', keyText(MAX_TOKEN_CHARACTERS))
    .addForeignKeyConstraint('webhook_deliveries_webhook', ['webhook_id'], 'webhooks', ['id'], (key) =>
      key.onDelete('cascade'),
    );
  await schema.createTable(db, table);
}

async function createDeliveryIndexes<DB>(db: Kysely<DB>, schema: SchemaDialect): Promise<void> {
  const index = (name: string, columns: readonly string[], isUnique = false) =>
    schema.createIndex(db, { name, table: 'webhook_deliveries', columns, isUnique });
  // Only pending rows are in it: a claim costs the same with a thousand ended deliveries and with a million.
  await schema.createIndex(db, {
    ...{ name: 'webhook_deliveries_due', table: 'webhook_deliveries', columns: ['next_attempt_at', 'id'] },
    where: ['status', 'pending'],
  });
  await index('webhook_deliveries_history', ['webhook_id', 'id']);
  await index('webhook_deliveries_by_status', ['webhook_id', 'status', 'id']);
  // A sixth of what writing a delivery costs; without it, a page of a rare event reads the webhook's whole history.
  await index('webhook_deliveries_by_event', ['webhook_id', 'event', 'id']);
  await index('webhook_deliveries_by_delivery_id', ['delivery_id'], true);
  await index('webhook_deliveries_by_age', ['created_at', 'id']);
}

async function createIdempotencyKeys<DB>(
  db: Kysely<DB>,
  schema: SchemaDialect,
  types: ColumnTypes,
): Promise<void> {
  const table = db.schema
    .createTable('webhook_idempotency_keys')
    .addColumn('event', types.keyText(MAX_EVENT_CHARACTERS), (column) => column.notNull())
    .addColumn('key', types.keyText(MAX_KEY_CHARACTERS), (column) => column.notNull())
    .addColumn('created_at', types.keyText(MAX_TIME_CHARACTERS), (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_idempotency_keys_key', ['event', 'key']);
  await schema.createTable(db, types.clusterByKey(table));
  await schema.createIndex(db, {
    name: 'webhook_idempotency_keys_by_age',
    table: 'webhook_idempotency_keys',
    columns: ['created_at'],
  });
}

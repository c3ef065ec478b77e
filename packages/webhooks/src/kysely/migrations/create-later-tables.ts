import type { Kysely } from 'kysely';
import type { ColumnTypes, SchemaDialect } from '../schema/schema-dialect.ts';
import {
  MAX_EVENT_CHARACTERS,
  MAX_ID_CHARACTERS,
  MAX_TENANT_CHARACTERS,
  MAX_TIME_CHARACTERS,
  MAX_TOKEN_CHARACTERS,
  MAX_UID_CHARACTERS,
} from './text-lengths.ts';

/** Creates the tables of leases, and those that nothing uses yet. */
export async function createLaterTables<DB>(
  db: Kysely<DB>,
  schema: SchemaDialect,
  types: ColumnTypes,
): Promise<void> {
  await createLeases(db, schema, types);
  await createEvents(db, schema, types);
  await createAudit(db, schema, types);
  await createTickets(db, schema, types);
}

/** What one process does at a time, and what processes keep together. */
async function createLeases<DB>(db: Kysely<DB>, schema: SchemaDialect, types: ColumnTypes): Promise<void> {
  const table = db.schema
    .createTable('webhook_leases')
    .addColumn('name', types.keyText(64), (column) => column.primaryKey().notNull())
    .addColumn('holder', types.keyText(MAX_TOKEN_CHARACTERS), (column) => column.notNull().defaultTo(''))
    .addColumn('until', types.keyText(MAX_TIME_CHARACTERS), (column) => column.notNull().defaultTo(''))
    .addColumn('state', types.text);
  await schema.createTable(db, table);
}

/** Events as they were dispatched, in the order of each tenant. Unused. */
async function createEvents<DB>(db: Kysely<DB>, schema: SchemaDialect, types: ColumnTypes): Promise<void> {
  const { bigInteger, longText, textDefault, keyText } = types;
  const events = db.schema
    .createTable('webhook_events')
    .addColumn('id', keyText(MAX_ID_CHARACTERS), (column) => column.primaryKey().notNull())
    .addColumn('tenant', keyText(MAX_TENANT_CHARACTERS), (column) => column.notNull().defaultTo(''))
    .addColumn('event', keyText(MAX_EVENT_CHARACTERS), (column) => column.notNull())
    .addColumn('payload', longText, (column) => column.notNull().defaultTo(textDefault('{}')))
    .addColumn('created_at', keyText(MAX_TIME_CHARACTERS), (column) => column.notNull())
    // Given after the event is committed.
    .addColumn('position', bigInteger);
  await schema.createTable(db, events);
  await schema.createIndex(db, {
    name: 'webhook_events_by_position',
    table: 'webhook_events',
    columns: ['tenant', 'position', 'id'],
  });
  const positions = db.schema
    .createTable('webhook_event_positions')
    .addColumn('tenant', keyText(MAX_TENANT_CHARACTERS), (column) => column.primaryKey().notNull())
    .addColumn('last', bigInteger, (column) => column.notNull().defaultTo(0));
  await schema.createTable(db, positions);
}

/** Who changed what. Unused. */
async function createAudit<DB>(db: Kysely<DB>, schema: SchemaDialect, types: ColumnTypes): Promise<void> {
  const { bigInteger, text, keyText } = types;
  const table = db.schema
    .createTable('webhook_audit')
    .addColumn('id', bigInteger, (column) => types.generatedId(column.primaryKey()))
    .addColumn('tenant', keyText(MAX_TENANT_CHARACTERS), (column) => column.notNull().defaultTo(''))
    .addColumn('webhook_id', bigInteger)
    .addColumn('actor', keyText(MAX_UID_CHARACTERS))
    .addColumn('action', keyText(64), (column) => column.notNull())
    .addColumn('details', text)
    .addColumn('created_at', keyText(MAX_TIME_CHARACTERS), (column) => column.notNull());
  await schema.createTable(db, table);
  await schema.createIndex(db, {
    name: 'webhook_audit_by_tenant',
    table: 'webhook_audit',
    columns: ['tenant', 'id'],
  });
  await schema.createIndex(db, {
    name: 'webhook_audit_by_age',
    table: 'webhook_audit',
    columns: ['created_at', 'id'],
  });
}

/** Tickets that were used. Unused. */
async function createTickets<DB>(db: Kysely<DB>, schema: SchemaDialect, types: ColumnTypes): Promise<void> {
  const table = db.schema
    .createTable('webhook_tickets')
    .addColumn('id', types.keyText(MAX_ID_CHARACTERS), (column) => column.primaryKey().notNull())
    .addColumn('expires_at', types.keyText(MAX_TIME_CHARACTERS), (column) => column.notNull());
  await schema.createTable(db, table);
  await schema.createIndex(db, {
    name: 'webhook_tickets_by_expiry',
    table: 'webhook_tickets',
    columns: ['expires_at'],
  });
}

import {
  type AliasedRawBuilder,
  type QueryExecutorProvider,
  type RawBuilder,
  type Selectable,
  sql,
} from 'kysely';
import type { DatabaseName } from '../../../toolkit/src/database-name.ts';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { createTableNaming, type TableNaming } from '../../../toolkit/src/kysely/table-names/table-naming.ts';
import type { DeliveryTable, WebhookTables } from './tables.ts';

type TableName = keyof WebhookTables;

const TABLES: readonly TableName[] = [
  'webhooks',
  'webhook_patterns',
  'webhook_deliveries',
  'webhook_activity',
  'webhook_pauses',
  'webhook_failures',
  'webhook_idempotency_keys',
  'webhook_leases',
  'webhook_events',
  'webhook_event_positions',
  'webhook_audit',
  'webhook_tickets',
  'webhook_migrations',
];

const INDEXES = [
  'webhooks_removed',
  'webhooks_by_tenant',
  'webhook_patterns_by_webhook',
  'webhook_deliveries_ready',
  'webhook_deliveries_ready_by_webhook',
  'webhook_deliveries_failed',
  'webhook_deliveries_failed_by_webhook',
  'webhook_deliveries_history',
  'webhook_deliveries_by_delivery_id',
  'webhook_deliveries_by_age',
  'webhook_idempotency_keys_by_age',
  'webhook_events_by_position',
  'webhook_audit_by_tenant',
  'webhook_audit_by_age',
  'webhook_tickets_by_expiry',
] as const;

export type IndexName = (typeof INDEXES)[number];

const CONSTRAINTS = [
  'webhook_patterns_key',
  'webhook_patterns_webhook',
  'webhook_activity_key',
  'webhook_idempotency_keys_key',
] as const;

/** Every name of this package in a database, by default. */
export const DEFAULT_NAMES = { tables: TABLES, others: [...INDEXES, ...CONSTRAINTS] } as const;

/** The names of the tables in the host's database. */
export function webhookNaming(
  db: QueryExecutorProvider,
  options: TableNameOptions,
  dialect: DatabaseName,
): TableNaming {
  return createTableNaming(DEFAULT_NAMES, db, options, dialect);
}

/** A table or an index of ours in raw SQL: there, too, it gets the name of the database. */
export function nameInSql<Row = unknown>(name: TableName | IndexName): RawBuilder<Row> {
  return sql.raw<Row>(name);
}

/** The table of deliveries, without an index hint: the database chooses the index. */
export function unhintedDeliveries(): AliasedRawBuilder<Selectable<DeliveryTable>, 'webhook_deliveries'> {
  return nameInSql<Selectable<DeliveryTable>>('webhook_deliveries').as('webhook_deliveries');
}

import { type AliasedRawBuilder, type Selectable, sql } from 'kysely';
import type { DeliveryTable } from '../tables.ts';

/** The table of deliveries, without an index hint: the database chooses the index. */
export function unhintedDeliveriesTable(): AliasedRawBuilder<
  Selectable<DeliveryTable>,
  'webhook_deliveries'
> {
  return sql<Selectable<DeliveryTable>>`webhook_deliveries`.as('webhook_deliveries');
}

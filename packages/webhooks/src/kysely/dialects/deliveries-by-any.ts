import { type AliasedRawBuilder, type Selectable, sql } from 'kysely';
import type { DeliveryTable } from '../tables.ts';

/** The deliveries, where the database alone decides through which index it reads them. */
export function deliveriesByAny(): AliasedRawBuilder<Selectable<DeliveryTable>, 'webhook_deliveries'> {
  return sql<Selectable<DeliveryTable>>`webhook_deliveries`.as('webhook_deliveries');
}

import { type AliasedRawBuilder, type Selectable, sql } from 'kysely';
import type { DeliveryTable } from '../tables.ts';

/** The deliveries, read through an index of the database's choice. */
export function deliveriesWithoutHint(): AliasedRawBuilder<Selectable<DeliveryTable>, 'webhook_deliveries'> {
  return sql<Selectable<DeliveryTable>>`webhook_deliveries`.as('webhook_deliveries');
}

import type { AliasedRawBuilder, Selectable } from 'kysely';
import { nameInSql } from '../names.ts';
import type { DeliveryTable } from '../tables.ts';

/** The table of deliveries, without an index hint: the database chooses the index. */
export function unhintedDeliveriesTable(): AliasedRawBuilder<
  Selectable<DeliveryTable>,
  'webhook_deliveries'
> {
  return nameInSql<Selectable<DeliveryTable>>('webhook_deliveries').as('webhook_deliveries');
}

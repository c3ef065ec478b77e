import { sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** The webhooks that are gone for everybody while some of their deliveries are still to be removed. */
export function removedWebhooks(tables: Tables) {
  // Written as text: a plan made before parameters are known can use the index on these rows alone.
  return tables.selectFrom('webhooks').select('webhooks.id').where('webhooks.is_removed', '=', sql.lit(1));
}

import { sql } from 'kysely';
import type { Tables } from '../tables.ts';

/**
 * The webhooks that no query finds any more, while some of their deliveries are still to be
 * removed.
 */
export function removedWebhooks(tables: Tables) {
  // A literal: a plan made before parameters are known can use the index on these rows only.
  return tables.selectFrom('webhooks').select('webhooks.id').where('webhooks.is_removed', '=', sql.lit(1));
}

import { type RawBuilder, sql } from 'kysely';
import { nameInSql } from '../names.ts';
import type { Tables } from '../tables.ts';

/**
 * The webhooks that no query finds any more, while some of their deliveries are still to be
 * removed.
 */
export function removedWebhooks(tables: Tables) {
  // A literal: a plan made before parameters are known can use the index on these rows only.
  return tables.selectFrom('webhooks').select('webhooks.id').where('webhooks.is_removed', '=', sql.lit(1));
}

/**
 * Whether a delivery's webhook is not removed. One step for each delivery: a list of all removed
 * webhooks would cost every claim and every result as much as there are (40,000 of them: 60 ms on
 * SQLite, 90 ms on PostgreSQL). True without a row, which a host deleted itself.
 */
export const OF_NO_REMOVED_WEBHOOK: RawBuilder<boolean> = sql`coalesce(
  (select recipient.is_removed from ${nameInSql('webhooks')} as recipient
    where recipient.id = webhook_id), 0) = 0`;

/** The ids of the webhooks that queries find: all, or a tenant's. */
export function webhooksOf(tables: Tables, tenant?: string) {
  return tables
    .selectFrom('webhooks')
    .select('webhooks.id')
    .where('webhooks.is_removed', '=', sql.lit(0))
    .$if(tenant !== undefined, (all) => all.where('webhooks.tenant', '=', tenant ?? ''));
}

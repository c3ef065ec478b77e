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

/** Whether a delivery's webhook is of that tenant. One step for each delivery, likewise. */
export function isOfTenant(tenant: string): RawBuilder<boolean> {
  return sql`(select recipient.tenant from ${nameInSql('webhooks')} as recipient
    where recipient.id = webhook_id) = ${tenant}`;
}

/**
 * Whether what a row counts is of a webhook of that tenant that is not removed, or of any. Not of
 * one in a list of all webhooks: SQLite would look for each of them in each hour.
 */
export function isOf(tables: Tables, tenant?: string): RawBuilder<boolean> {
  if (tenant === undefined) return sql`webhook_id not in ${removedWebhooks(tables)}`;
  return sql`webhook_id in ${tables
    .selectFrom('webhooks')
    .select('webhooks.id')
    .where('webhooks.is_removed', '=', sql.lit(0))
    .where('webhooks.tenant', '=', tenant)}`;
}

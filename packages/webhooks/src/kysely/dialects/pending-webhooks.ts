import { type RawBuilder, sql } from 'kysely';
import { nameInSql } from '../names.ts';
import { PENDING } from '../status-literals.ts';
import type { WebhookRange } from '../webhook-dialect.ts';

/**
 * Steps from webhook to webhook over the index of pending rows, where a recursive step may depend
 * on the one before.
 */
export function pendingWebhooks(
  { after, until }: WebhookRange,
  limit: number,
): RawBuilder<{ webhook_id: number }> {
  const nextAfter = (webhookId: RawBuilder<number>) => sql`(
    select webhook_id from ${nameInSql('webhook_deliveries')}
    where status = ${PENDING} and webhook_id > ${webhookId} and webhook_id <= ${until}
    order by webhook_id limit 1)`;
  return sql<{ webhook_id: number }>`(
    with recursive steps(webhook_id, seen) as (
      select ${nextAfter(sql`${after}`)}, 1
      union all
      select ${nextAfter(sql`steps.webhook_id`)}, seen + 1 from steps
      where webhook_id is not null and seen < ${limit})
    select webhook_id from steps where webhook_id is not null)`;
}

/** The same over the index of histories, for all deliveries. */
export function recipients(): RawBuilder<{ webhook_id: number }> {
  const deliveries = nameInSql('webhook_deliveries');
  return sql<{ webhook_id: number }>`(
    with recursive steps(webhook_id) as (
      select min(webhook_id) from ${deliveries}
      union all
      select (select min(webhook_id) from ${deliveries} where webhook_id > steps.webhook_id) from steps
      where webhook_id is not null)
    select webhook_id from steps where webhook_id is not null)`;
}

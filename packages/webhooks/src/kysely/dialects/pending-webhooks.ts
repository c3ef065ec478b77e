import { type RawBuilder, sql } from 'kysely';
import { PENDING } from '../pending.ts';

/** Steps from webhook to webhook over the index of pending rows, where a step may depend on the one before. */
export function pendingWebhooks(afterId: number, limit: number): RawBuilder<{ webhook_id: number }> {
  const first = stepsFrom(sql.lit(afterId), sql``);
  const others = stepsFrom(sql.lit(0), sql`and webhook_id <= ${sql.lit(afterId)}`);
  const all = afterId === 0 ? first : sql`${first} union all ${others}`;
  return sql`(select webhook_id from (${all}) as pending limit ${sql.lit(limit)})`;
}

function stepsFrom(afterId: RawBuilder<number>, isInRange: RawBuilder<unknown>): RawBuilder<unknown> {
  const nextAfter = (webhookId: RawBuilder<number>) => sql`(
    select webhook_id from webhook_deliveries where status = ${PENDING} and webhook_id > ${webhookId} ${isInRange}
    order by webhook_id limit 1)`;
  return sql`select webhook_id from (
    with recursive steps(webhook_id) as (
      select ${nextAfter(afterId)}
      union all
      select ${nextAfter(sql`steps.webhook_id`)} from steps where webhook_id is not null)
    select webhook_id from steps where webhook_id is not null) as steps`;
}

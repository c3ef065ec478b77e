import { type RawBuilder, sql } from 'kysely';
import { nameInSql } from '../names.ts';

/**
 * Steps from webhook to webhook over the index of histories, where a recursive step may depend on
 * the one before.
 */
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

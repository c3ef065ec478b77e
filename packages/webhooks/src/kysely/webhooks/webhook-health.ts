import { type RawBuilder, sql } from 'kysely';
import type { WebhookHealth } from '../../storage/records.ts';
import type { HealthQuery } from '../../storage/webhook-requests.ts';
import { hourOf, TOTAL } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { nameInSql } from '../names.ts';

/** Sums up the counters of each webhook, whatever the number of deliveries. */
export async function readHealth(
  { read }: DatabaseAccess,
  { webhookIds, from }: HealthQuery,
): Promise<WebhookHealth[]> {
  if (webhookIds.length === 0) return [];
  const rows = await read((tables) =>
    tables
      .selectFrom('webhook_activity')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_activity.webhook_id')
      .select(['webhook_id', 'hour'])
      .select(({ fn }) => [
        fn.sum<number>('success').as('success'),
        fn.sum<number>('failed').as('failed'),
        fn.max('last_success_at').as('last_success_at'),
        fn.max('last_failure_at').as('last_failure_at'),
      ])
      .where('webhook_id', 'in', webhookIds)
      .where('is_removed', '=', 0)
      .where((row) => row.or([row('hour', '=', TOTAL), row('hour', '>=', hourOf(from))]))
      .groupBy(['webhook_id', 'hour'])
      .execute(),
  );
  return rows
    .filter(({ hour }) => hour === TOTAL)
    .map((total) => {
      const hours = rows.filter(({ hour, webhook_id }) => hour !== TOTAL && webhook_id === total.webhook_id);
      return {
        webhookId: Number(total.webhook_id),
        // Drivers differ in the type of a number.
        success: hours.reduce((sum, { success }) => sum + Number(success), 0),
        failed: hours.reduce((sum, { failed }) => sum + Number(failed), 0),
        lastSuccessAt: total.last_success_at === '' ? null : total.last_success_at,
        lastFailureAt: total.last_failure_at === '' ? null : total.last_failure_at,
      };
    });
}

/** 1 if the webhook's last delivery that ended failed, and 0 otherwise: its totals are read. */
export function isFailing(): RawBuilder<number> {
  return sql<number>`coalesce((
    select case when max(total.last_failure_at) > max(total.last_success_at) then 1 else 0 end
    from ${ACTIVITY} as total
    where total.webhook_id = ${WEBHOOKS}.id and total.hour = ${sql.lit(TOTAL)}), 0)`;
}

const ACTIVITY = nameInSql('webhook_activity');
const WEBHOOKS = nameInSql('webhooks');

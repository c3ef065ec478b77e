import { type RawBuilder, sql } from 'kysely';
import type { WebhookHealth } from '../../storage/records.ts';
import type { HealthQuery } from '../../storage/webhook-requests.ts';
import { hourOf, TOTAL } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { nameInSql } from '../names.ts';

/**
 * Reads one counter per webhook and hour, whatever the number of deliveries: at most 26 rows for
 * each of a hundred webhooks.
 */
export async function readHealth(
  { read }: DatabaseAccess,
  { webhookIds, from }: HealthQuery,
): Promise<WebhookHealth[]> {
  if (webhookIds.length === 0) return [];
  const rows = await read((tables) =>
    tables
      .selectFrom('webhook_activity')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_activity.webhook_id')
      .select(['webhook_id', 'hour', 'success', 'failed', 'last_success_at', 'last_failure_at'])
      .where('webhook_id', 'in', webhookIds)
      .where('is_removed', '=', 0)
      .where((row) => row.or([row('hour', '=', TOTAL), row('hour', '>=', hourOf(from))]))
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

/** 1 if the webhook's last delivery that ended failed, and 0 otherwise: one counter is read. */
export function isFailing(): RawBuilder<number> {
  return sql<number>`case when exists (
    select 1 from ${ACTIVITY} as total where total.webhook_id = ${WEBHOOKS}.id and total.hour = ${sql.lit(TOTAL)}
      and total.last_failure_at > total.last_success_at) then 1 else 0 end`;
}

const ACTIVITY = nameInSql('webhook_activity');
const WEBHOOKS = nameInSql('webhooks');

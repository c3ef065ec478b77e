import { type RawBuilder, sql } from 'kysely';
import { MIN_FAILURES, SUCCESSES_PER_FAILURE } from '../../storage/failure-run.ts';
import type { UnwellQuery } from '../../storage/webhook-requests.ts';
import { hourOf, TOTAL } from '../counters/count-changes.ts';
import { isOngoing } from '../counters/failure-runs.ts';
import { nameInSql } from '../names.ts';
import { FAILED, OF_A_WEBHOOK, PENDING } from '../status-literals.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

/** The failures of a webhook that is down. */
const DOWN_RUN = sql`from ${nameInSql('webhook_failures')} as run
  where run.webhook_id = ${nameInSql('webhooks')}.id and run.failed >= ${sql.lit(MIN_FAILURES)}
    and ${isOngoing(sql`${nameInSql('webhooks')}.activations`)}`;

/** Whether something may be wrong with the webhook, as `UnwellQuery` says: steps in indexes. */
export function isUnwell(
  dialect: WebhookDialect,
  { since, now, overdueMs, retries }: UnwellQuery,
  healthSince: string | undefined,
): RawBuilder<boolean> {
  // Two searches: what is on its way is not read.
  return sql<boolean>`((is_active = 1 and (exists (select 1 ${DOWN_RUN} and run.last_at > ${since})
      or ${hasFailed(dialect, healthSince)}
      or ${isPending(dialect, sql`and priority_at < ${dialect.timestamp(now, -overdueMs)}`)}
      ${retries ? sql`or ${isPending(dialect, sql`and priority_at > ${dialect.timestamp(now)}`)}` : sql``}))
    or (is_active = 0 and inactive_reason <> '' and inactive_since > ${since}))`;
}

/** Whether a delivery of the webhook is pending, and fulfils the condition. */
function isPending(dialect: WebhookDialect, condition: RawBuilder<unknown> = sql``): RawBuilder<boolean> {
  return sql`exists (select 1 from ${dialect.deliveriesBy('webhook_deliveries_ready_by_webhook')}
    where webhook_id = ${nameInSql('webhooks')}.id and ${OF_A_WEBHOOK} and status = ${PENDING} ${condition})`;
}

/** Whether a delivery of the webhook has failed that was created since that hour. */
function hasFailed(dialect: WebhookDialect, since = ''): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from ${dialect.deliveriesBy('webhook_deliveries_failed_by_webhook')}
    where webhook_id = ${nameInSql('webhooks')}.id and status = ${FAILED} and created_at >= ${hourOf(since)})`;
}

/**
 * The level of a webhook by its index, as `levelOf` has it. Its counters of a day are read if one
 * has failed: of most webhooks, a step in an index is all (5,000 of them with a delivery every
 * third hour: 430 ms on PostgreSQL with the counters of all).
 */
export function levelIndex(dialect: WebhookDialect, since = ''): RawBuilder<number> {
  return byLevel(dialect, since, [sql`0`, sql`1`, sql`2`]);
}

/** A number for each level, and a greater one where something waits at an unhealthy webhook. */
export function levelOrder(dialect: WebhookDialect, since = ''): RawBuilder<number> {
  const waits = sql`case when ${isPending(dialect)} then 1 else 0 end`;
  return byLevel(dialect, since, [sql`0`, sql`2 + ${waits}`, sql`4 + ${waits}`]);
}

function byLevel(
  dialect: WebhookDialect,
  since: string,
  [healthy, degraded, down]: readonly [RawBuilder<unknown>, RawBuilder<unknown>, RawBuilder<unknown>],
): RawBuilder<number> {
  return sql<number>`case
    when exists (select 1 ${DOWN_RUN}) then ${down}
    when not ${hasFailed(dialect, since)} then ${healthy}
    when (select sum(day.success) - ${sql.lit(SUCCESSES_PER_FAILURE)} * sum(day.failed)
      from ${nameInSql('webhook_activity')} as day where day.webhook_id = ${nameInSql('webhooks')}.id
      and day.hour > ${sql.lit(TOTAL)} and day.hour >= ${hourOf(since)}) < 0 then ${degraded}
    else ${healthy} end`;
}

/** Since when a webhook is down; '' for one that is not. */
export const DOWN_SINCE: RawBuilder<string> = sql<string>`coalesce((select run.since ${DOWN_RUN}), '')`;

import { type RawBuilder, sql } from 'kysely';
import { timestampText } from '../../clock.ts';
import {
  BUSY_DEGRADED_MS,
  BUSY_DOWN_MS,
  type HealthLevel,
  MIN_FAILURES,
  SUCCESSES_PER_FAILURE,
} from '../../storage/failure-run.ts';
import type { UnwellQuery, WebhookQuery } from '../../storage/webhook-requests.ts';
import { hourOf, TOTAL } from '../counters/count-changes.ts';
import { hoursSince } from '../counters/hours.ts';
import { LAST_SUCCESS } from '../failures/run-rows.ts';
import { nameInSql } from '../names.ts';
import { FAILED, OF_A_WEBHOOK, PENDING } from '../status-literals.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

const WEBHOOKS = nameInSql('webhooks');
/** The failures of a webhook that is down. */
const IS_FAILING = sql`(run.ended_at = '' and run.failed >= ${sql.lit(MIN_FAILURES)}
  and run.since > ${LAST_SUCCESS})`;

/** Whether the recipient of a run has been busy for so long; of none without a time. */
function isBusy(ms: number, now: number | undefined): RawBuilder<unknown> {
  if (now === undefined) return sql`1 = 0`;
  return sql`(run.busy_since <> '' and run.busy_since <= ${timestampText(now - ms)}
    and run.busy_since > ${LAST_SUCCESS})`;
}

function isBusyDown(now: number | undefined): RawBuilder<unknown> {
  return sql`(run.busy_again_at <> '' and ${isBusy(BUSY_DOWN_MS, now)})`;
}

/**
 * Whether the webhook's present activation has such a run. The runs are read once, and not one by
 * one for every webhook.
 */
function hasRun(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  // `is true`: PostgreSQL would join them with all webhooks, row by row, as it expects one of them.
  return sql<boolean>`((${WEBHOOKS}.id, ${WEBHOOKS}.activations) in (select run.webhook_id, run.activation
    from ${nameInSql('webhook_failures')} as run where ${condition}) is true)`;
}

/** What the level depends on beside the webhook. */
export type LevelQuery = Pick<WebhookQuery, 'healthSince' | 'now'>;

/** Whether something may be wrong with the webhook, as `UnwellQuery` says: steps in indexes. */
export function isUnwell(
  dialect: WebhookDialect,
  { since, now, overdueMs, retries }: UnwellQuery,
  healthSince: string | undefined,
): RawBuilder<boolean> {
  // Two searches: what is on its way is not read.
  return sql<boolean>`((is_active = 1 and (${hasRun(sql`run.last_at > ${since} and ${IS_FAILING}`)}
      or ${hasRun(isBusy(BUSY_DEGRADED_MS, now))}
      or ${hasFailed(dialect, healthSince)}
      or ${isPending(dialect, sql`and priority_at < ${dialect.timestamp(now, -overdueMs)}`)}
      ${retries ? sql`or ${isPending(dialect, sql`and priority_at > ${dialect.timestamp(now)}`)}` : sql``}))
    or (is_active = 0 and inactive_reason <> '' and inactive_since > ${since}))`;
}

/** Whether a delivery of the webhook is pending, and fulfils the condition. */
function isPending(dialect: WebhookDialect, condition: RawBuilder<unknown> = sql``): RawBuilder<boolean> {
  return sql`exists (select 1 from ${dialect.deliveriesBy('webhook_deliveries_ready_by_webhook')}
    where webhook_id = ${WEBHOOKS}.id and ${OF_A_WEBHOOK} and status = ${PENDING} ${condition})`;
}

/** Whether a delivery of the webhook has failed that was created since that hour. */
function hasFailed(dialect: WebhookDialect, since = ''): RawBuilder<boolean> {
  return sql<boolean>`${WEBHOOKS}.id in (select webhook_id from ${dialect.deliveriesBy('webhook_deliveries_failed')}
    where status = ${FAILED} and created_at >= ${hourOf(since)})`;
}

/** Whether the webhook has that level, as `levelOf` has it. */
export function hasLevel(
  dialect: WebhookDialect,
  level: HealthLevel,
  query: LevelQuery,
): RawBuilder<boolean> {
  const isDown = hasRun(sql`(${IS_FAILING} or ${isBusyDown(query.now)})`);
  if (level === 'down') return isDown;
  const isDegraded = isDegradedUnlessDown(dialect, query);
  return level === 'degraded'
    ? sql`(${isDegraded} and not ${isDown})`
    : sql`not (${isDegraded} or ${isDown})`;
}

/** The counters of a day are read if one of some webhook has failed. */
function isDegradedUnlessDown(
  dialect: WebhookDialect,
  { healthSince: since = '', now }: LevelQuery,
): RawBuilder<boolean> {
  return sql<boolean>`(${hasRun(isBusy(BUSY_DEGRADED_MS, now))}
    or (${hasFailed(dialect, since)} and ${WEBHOOKS}.id in ${failingOften(since)}))`;
}

/** A number for each level, and a greater one where something waits at an unhealthy webhook. */
export function levelOrder(dialect: WebhookDialect, query: LevelQuery): RawBuilder<number> {
  const waits = sql`case when ${isPending(dialect)} then 1 else 0 end`;
  return sql<number>`case when ${hasLevel(dialect, 'down', query)} then 4 + ${waits}
    when ${isDegradedUnlessDown(dialect, query)} then 2 + ${waits} else 0 end`;
}

/** The webhooks with too few successes since that hour: their counters are read once, hour by hour. */
function failingOften(since: string): RawBuilder<unknown> {
  const hours =
    since === '' ? sql`day.hour > ${sql.lit(TOTAL)}` : sql`day.hour in (${sql.join(hoursSince(since))})`;
  return sql`(select day.webhook_id from ${nameInSql('webhook_activity')} as day where ${hours}
    group by day.webhook_id having sum(day.success) < ${sql.lit(SUCCESSES_PER_FAILURE)} * sum(day.failed))`;
}

/** Since when a webhook is down; '' for one that is not. */
export function downSince({ now }: LevelQuery): RawBuilder<string> {
  const busy = isBusyDown(now);
  return sql<string>`coalesce((select case
      when ${IS_FAILING} and not (${busy} and run.busy_since < run.since) then run.since
      when ${busy} then run.busy_since else '' end
    from ${nameInSql('webhook_failures')} as run
    where run.webhook_id = ${WEBHOOKS}.id and run.activation = ${WEBHOOKS}.activations), '')`;
}

import { type RawBuilder, sql } from 'kysely';
import { timestampText } from '../../clock.ts';
import {
  BUSY_DEGRADED_MS,
  BUSY_DOWN_MS,
  MIN_FAILURES,
  SUCCESSES_PER_FAILURE,
} from '../../storage/failure-run.ts';
import type { UnwellQuery, WebhookQuery } from '../../storage/webhook-requests.ts';
import { hourOf, TOTAL } from '../counters/count-changes.ts';
import { hoursSince } from '../counters/hours.ts';
import { hasBegun } from '../failures/run-rows.ts';
import { nameInSql } from '../names.ts';
import { FAILED, OF_A_WEBHOOK, PENDING } from '../status-literals.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

const ACTIVATIONS = sql`${nameInSql('webhooks')}.activations`;
const RUN = sql`from ${nameInSql('webhook_failures')} as run where run.webhook_id = ${nameInSql('webhooks')}.id`;
/** The failures of a webhook that is down. */
const FAILING_RUN = sql`${RUN} and run.failed >= ${sql.lit(MIN_FAILURES)} and ${hasBegun('since', ACTIVATIONS)}`;

/** The run of a webhook whose recipient has been busy for so long; none without a time. */
function busyRun(ms: number, now: number | undefined): RawBuilder<unknown> {
  if (now === undefined) return sql`${RUN} and 1 = 0`;
  return sql`${RUN} and run.busy_since <> '' and run.busy_since <= ${timestampText(now - ms)}
    and ${hasBegun('busy_since', ACTIVATIONS)}`;
}

function busyDownRun(now: number | undefined): RawBuilder<unknown> {
  return sql`${busyRun(BUSY_DOWN_MS, now)} and run.busy_again_at <> ''`;
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
  return sql<boolean>`((is_active = 1 and (exists (select 1 ${FAILING_RUN} and run.last_at > ${since})
      or exists (select 1 ${busyRun(BUSY_DEGRADED_MS, now)})
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
 * The level of a webhook by its index, as `levelOf` has it. The counters of a day are read if one
 * of some webhook has failed: of most webhooks, a step in an index is all.
 */
export function levelIndex(dialect: WebhookDialect, query: LevelQuery): RawBuilder<number> {
  return byLevel(dialect, query, [sql`0`, sql`1`, sql`2`]);
}

/** A number for each level, and a greater one where something waits at an unhealthy webhook. */
export function levelOrder(dialect: WebhookDialect, query: LevelQuery): RawBuilder<number> {
  const waits = sql`case when ${isPending(dialect)} then 1 else 0 end`;
  return byLevel(dialect, query, [sql`0`, sql`2 + ${waits}`, sql`4 + ${waits}`]);
}

function byLevel(
  dialect: WebhookDialect,
  { healthSince: since = '', now }: LevelQuery,
  [healthy, degraded, down]: readonly [RawBuilder<unknown>, RawBuilder<unknown>, RawBuilder<unknown>],
): RawBuilder<number> {
  return sql<number>`case
    when exists (select 1 ${FAILING_RUN}) or exists (select 1 ${busyDownRun(now)}) then ${down}
    when exists (select 1 ${busyRun(BUSY_DEGRADED_MS, now)}) then ${degraded}
    when not ${hasFailed(dialect, since)} then ${healthy}
    when ${nameInSql('webhooks')}.id in ${failingOften(since)} then ${degraded}
    else ${healthy} end`;
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
  const failing = sql`(select run.since ${FAILING_RUN})`;
  const busy = sql`(select run.busy_since ${busyDownRun(now)})`;
  return sql<string>`case when coalesce(${failing}, ${busy}) < coalesce(${busy}, ${failing})
    then coalesce(${failing}, ${busy}, '') else coalesce(${busy}, ${failing}, '') end`;
}

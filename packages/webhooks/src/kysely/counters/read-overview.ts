import { type RawBuilder, sql } from 'kysely';
import type { DeliverySummary } from '../../storage/delivery-record.ts';
import {
  type ActivityBucket,
  MAX_PENDING_COUNTED,
  type OverviewRecord,
  type StatusCounts,
  type WebhookHealth,
} from '../../storage/overview-record.ts';
import type { OverviewQuery } from '../../storage/webhook-requests.ts';
import { pauses } from '../claim/paused-webhooks.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { SUMMARY_COLUMNS, summaryOf } from '../deliveries/delivery-rows.ts';
import { readFailureRuns } from '../failures/run-rows.ts';
import { nameInSql } from '../names.ts';
import { OF_A_WEBHOOK, PENDING } from '../status-literals.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { hourOf, TOTAL } from './count-changes.ts';
import { hoursBetween, hoursSince } from './hours.ts';
import { NOTHING_WAITS, readTogether, readWaiting } from './read-together.ts';

/** The pending deliveries whose hours an activity tells: the newest of a webhook. */
const MAX_PENDING_BY_HOUR = 10_000;

/**
 * One statement reads every number, and therefore in one snapshot; others the last deliveries,
 * pauses and runs of failures.
 */
export async function readOverview(
  { run, readUncompiled, dialect }: Pick<DatabaseAccess, 'run' | 'readUncompiled' | 'dialect'>,
  query: OverviewQuery,
): Promise<OverviewRecord[]> {
  const { webhookIds } = query;
  if (webhookIds === undefined) return [await readTogether({ run, dialect }, query)];
  if (webhookIds.length === 0) return [];
  return (query.waiting ? readUncompiled : run)(async (tables) => {
    const rows = await readNumbers(tables, dialect, { ...query, webhookIds });
    const waiting = query.waiting ? await readWaiting(tables, dialect, webhookIds) : undefined;
    const last = query.lastDelivery ? await lastDeliveries(tables, webhookIds) : undefined;
    const ends =
      query.pausedAt === undefined
        ? undefined
        : await endsOfPauses(tables, dialect, { ...query, webhookIds });
    const runs = query.failureRun && (await readFailureRuns(tables, webhookIds, query.failureRun));
    const byWebhook = new Map<number, NumberRow[]>();
    for (const row of rows) byWebhook.set(row.webhookId, [...(byWebhook.get(row.webhookId) ?? []), row]);
    return rows
      .filter(({ part }) => part === 'webhook')
      .map(({ webhookId }) => ({
        ...numbersOf(webhookId, byWebhook.get(webhookId) ?? [], query),
        ...(waiting && { waiting: waiting.get(webhookId) ?? NOTHING_WAITS }),
        ...(last && { lastDelivery: last.get(webhookId) ?? null }),
        ...(runs && { failureRun: runs.get(webhookId) ?? null }),
        ...(ends && { pausedUntil: ends.get(webhookId) ?? null }),
      }));
  });
}

interface NumberRow {
  /** What `number` counts. Of `ended`, it is the successes. */
  readonly part: 'webhook' | 'ended' | 'pending';
  readonly webhookId: number;
  /** {@link TOTAL} outside of an activity and of a health. */
  readonly hour: string;
  readonly number: number;
  readonly failed: number;
  readonly lastSuccessAt: string;
  readonly lastFailureAt: string;
}

/** The columns of a part that has a number alone. Without a row, its webhook is null. */
const NUMBER = sql`count(*) as number, 0 as failed, '' as last_success_at, '' as last_failure_at`;

type QueryOfSome = OverviewQuery & { readonly webhookIds: readonly number[] };

async function readNumbers(
  tables: Tables,
  dialect: WebhookDialect,
  query: QueryOfSome,
): Promise<NumberRow[]> {
  const { webhookIds, counts, activity } = query;
  const parts = [
    sql`select 'webhook' as part, id as webhook_id, '' as hour, 0 as number, 0 as failed,
      '' as last_success_at, '' as last_failure_at
      from ${WEBHOOKS} where id in (${sql.join(webhookIds)}) and is_removed = 0`,
    ...endedParts(query),
  ];
  for (const id of webhookIds) {
    if (counts) parts.push(pendingPart(dialect, id));
    if (activity) parts.push(pendingByHourPart(dialect, id, hourOf(activity.from), hourOf(activity.to)));
  }
  const rows = await tables
    .selectFrom(sql<NumberColumns>`(${sql.join(parts, sql` union all `)})`.as('parts'))
    .selectAll()
    .execute();
  return rows.map((row) => ({
    part: row.part,
    // Drivers differ in the type of a number and of a sum.
    webhookId: Number(row.webhook_id),
    hour: row.hour,
    number: Number(row.number),
    failed: Number(row.failed),
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
  }));
}

interface NumberColumns extends Pick<NumberRow, 'part' | 'hour' | 'number' | 'failed'> {
  readonly webhook_id: number;
  readonly last_success_at: string;
  readonly last_failure_at: string;
}

/**
 * The counters of results, whatever the number of deliveries. A health alone needs no hours: their
 * sum is a 25th of the rows.
 */
function endedParts({ webhookIds, healthSince, activity }: QueryOfSome): RawBuilder<unknown>[] {
  const ended = (hour: RawBuilder<unknown>, hours: readonly string[], group: RawBuilder<unknown>) =>
    sql`select 'ended' as part, webhook_id, ${hour} as hour, sum(success) as number, sum(failed) as failed,
      max(last_success_at) as last_success_at, max(last_failure_at) as last_failure_at
      from ${ACTIVITY} where hour in (${sql.join(hours)}) and webhook_id in (${sql.join(webhookIds)})
      group by ${group}`;
  const [hour, byHour] = [sql.ref('hour'), sql`webhook_id, hour`];
  const since = healthSince === undefined ? [] : hoursSince(healthSince);
  if (activity) {
    const within = hoursBetween(activity.from, activity.to);
    return [ended(hour, [...new Set([TOTAL, ...within, ...since])], byHour)];
  }
  const totals = ended(hour, [TOTAL], byHour);
  const [first] = since;
  return first === undefined ? [totals] : [totals, ended(sql`${first}`, since, sql`webhook_id`)];
}

/** A webhook's pending deliveries, through their own index. */
function pendingOf(dialect: WebhookDialect, webhookId: number): RawBuilder<unknown> {
  return sql`from ${dialect.deliveriesBy('webhook_deliveries_ready_by_webhook')}
    where webhook_id = ${webhookId} and ${OF_A_WEBHOOK} and status = ${PENDING}`;
}

function pendingPart(dialect: WebhookDialect, webhookId: number): RawBuilder<unknown> {
  return sql`select 'pending' as part, max(webhook_id) as webhook_id, '' as hour, ${NUMBER}
    from (select webhook_id ${pendingOf(dialect, webhookId)} limit ${MAX_PENDING_COUNTED + 1}) as waiting`;
}

function pendingByHourPart(dialect: WebhookDialect, webhookId: number, first: string, last: string) {
  return sql`select 'pending' as part, webhook_id, hour, ${NUMBER}
    from (select webhook_id, substr(created_at, 1, 13) as hour ${pendingOf(dialect, webhookId)}
      order by priority_at desc, id desc limit ${MAX_PENDING_BY_HOUR}) as waiting
    where hour between ${first} and ${last}
    group by webhook_id, hour`;
}

const WEBHOOKS = nameInSql('webhooks');
const ACTIVITY = nameInSql('webhook_activity');

function numbersOf(
  webhookId: number,
  rows: readonly NumberRow[],
  { counts, healthSince, activity }: OverviewQuery,
): OverviewRecord {
  return {
    webhookId,
    ...(counts && { counts: countsOf(rows.filter(({ hour }) => hour === TOTAL)) }),
    ...(healthSince !== undefined && { health: healthOf(rows, hourOf(healthSince)) }),
    ...(activity && { activity: activityOf(rows, hourOf(activity.from), hourOf(activity.to)) }),
  };
}

function countsOf(rows: readonly NumberRow[]): StatusCounts {
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  return { success: sumOf(rows, 'ended'), failed, pending: sumOf(rows, 'pending') };
}

function sumOf(rows: readonly NumberRow[], part: NumberRow['part']): number {
  return rows.reduce((sum, row) => (row.part === part ? sum + row.number : sum), 0);
}

function healthOf(rows: readonly NumberRow[], since: string): WebhookHealth {
  const { success, failed } = countsOf(rows.filter(({ hour }) => hour >= since));
  const total = rows.find(({ part, hour }) => part === 'ended' && hour === TOTAL);
  return {
    success,
    failed,
    lastSuccessAt: total?.lastSuccessAt || null,
    lastFailureAt: total?.lastFailureAt || null,
  };
}

function activityOf(rows: readonly NumberRow[], first: string, last: string): ActivityBucket[] {
  const hours = [...new Set(rows.map(({ hour }) => hour))];
  return hours
    .filter((hour) => hour >= first && hour <= last)
    .sort()
    .map((hour) => ({
      hour: `${hour}:00:00.000Z`,
      ...countsOf(rows.filter((row) => row.hour === hour)),
    }))
    .filter(({ success, failed, pending }) => success + failed + pending > 0);
}

async function endsOfPauses(
  tables: Tables,
  dialect: WebhookDialect,
  { webhookIds, pausedAt = 0 }: QueryOfSome,
): Promise<ReadonlyMap<number, string>> {
  const rows = await pauses(tables, dialect, pausedAt)
    .where('webhook_pauses.webhook_id', 'in', webhookIds)
    .execute();
  return new Map(rows.map(({ webhook_id, paused_until }) => [Number(webhook_id), paused_until]));
}

/** One step in the history of each webhook. */
async function lastDeliveries(
  tables: Tables,
  webhookIds: readonly number[],
): Promise<ReadonlyMap<number, DeliverySummary>> {
  const rows = await tables
    .selectFrom('webhooks')
    .innerJoin('webhook_deliveries', (join) =>
      join.on('webhook_deliveries.id', '=', (webhook) =>
        webhook
          .selectFrom('webhook_deliveries as newest')
          .select('newest.id')
          .whereRef('newest.webhook_id', '=', 'webhooks.id')
          .orderBy('newest.id', 'desc')
          .limit(1),
      ),
    )
    .select(SUMMARY_COLUMNS.map((column) => `webhook_deliveries.${column}` as const))
    .where('webhooks.id', 'in', webhookIds)
    .execute();
  return new Map(rows.map((row) => [Number(row.webhook_id), summaryOf(row)]));
}

import { sql } from 'kysely';
import { type ActivityBucket, MAX_PENDING_COUNTED } from '../../storage/overview-record.ts';
import type { OverviewQuery } from '../../storage/webhook-requests.ts';
import { nameInSql } from '../names.ts';
import { OF_A_WEBHOOK, OF_THE_QUEUE, PENDING } from '../status-literals.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { isOf, OF_NO_REMOVED_WEBHOOK } from '../webhooks/removed-webhooks.ts';
import { hourOf } from './count-changes.ts';
import { hoursBetween } from './hours.ts';

/**
 * The activity of all webhooks together, or of a tenant's, in one statement and so in one snapshot.
 * The database adds up the counters: of 5,000 webhooks there are hundreds of thousands.
 */
export async function readActivityOfAll(
  tables: Tables,
  dialect: WebhookDialect,
  { from, to }: NonNullable<OverviewQuery['activity']>,
  tenant?: string,
): Promise<ActivityBucket[]> {
  const within = sql`hour between ${hourOf(from)} and ${hourOf(to)}`;
  const ended = sql`select hour, sum(success) as success, sum(failed) as failed, 0 as pending
    from ${nameInSql('webhook_activity')} where hour in (${sql.join(hoursBetween(from, to))}) and ${isOf(tables, tenant)}
    group by hour`;
  // The newest of all, in the order of the queue. Of a tenant, no index has an order over webhooks:
  // to find its newest, all would be read.
  const pendingOfThese =
    tenant === undefined
      ? sql`from ${dialect.deliveriesBy('webhook_deliveries_ready')}
          where status = ${PENDING} and ${OF_THE_QUEUE} and ${OF_NO_REMOVED_WEBHOOK}
          order by priority_at desc, id desc`
      : sql`from ${dialect.deliveriesBy('webhook_deliveries_ready_by_webhook')}
          where status = ${PENDING} and ${OF_A_WEBHOOK} and ${isOf(tables, tenant)}`;
  const waiting = sql`select substr(created_at, 1, 13) as hour ${pendingOfThese} limit ${MAX_PENDING_COUNTED}`;
  const pending = sql`select hour, 0 as success, 0 as failed, count(*) as pending
    from (${waiting}) as waiting where ${within} group by hour`;
  const rows = await tables
    .selectFrom(sql<ActivityBucket>`(${ended} union all ${pending})`.as('parts'))
    .select(({ fn }) => [
      'hour',
      fn.sum('success').as('success'),
      fn.sum('failed').as('failed'),
      fn.sum('pending').as('pending'),
    ])
    .groupBy('hour')
    .orderBy('hour')
    .execute();
  return (
    rows
      // Drivers differ in the type of a sum.
      .map(({ hour, success, failed, pending }) => ({
        hour: `${hour}:00:00.000Z`,
        ...{ success: Number(success), failed: Number(failed), pending: Number(pending) },
      }))
      .filter(({ success, failed, pending }) => success + failed + pending > 0)
  );
}

import { type RawBuilder, sql } from 'kysely';
import {
  MAX_PENDING_COUNTED,
  MAX_WAITING_COUNTED,
  type OverviewRecord,
  type WaitingDeliveries,
} from '../../storage/overview-record.ts';
import type { OverviewQuery } from '../../storage/webhook-requests.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { nameInSql } from '../names.ts';
import { OF_A_WEBHOOK, PENDING } from '../status-literals.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { isOf } from '../webhooks/removed-webhooks.ts';
import { readActivityOfAll } from './activity-of-all.ts';

export const NOTHING_WAITS: WaitingDeliveries = { count: 0, oldestAt: null, dueAt: null };

/** What an overview tells of all webhooks together, or of a tenant's. */
export function readTogether(
  { run, dialect }: Pick<DatabaseAccess, 'run' | 'dialect'>,
  { tenant, waiting, activity }: OverviewQuery,
): Promise<OverviewRecord> {
  return run(async (tables) => ({
    webhookId: 0,
    ...(activity && { activity: await readActivityOfAll(tables, dialect, activity, tenant) }),
    ...(waiting && { waiting: (await readWaitingOfAll(tables, dialect, tenant)).get(0) ?? NOTHING_WAITS }),
  }));
}

interface WaitingRow {
  readonly webhook_id: number;
  readonly number: number;
  readonly oldest_at: string | null;
  readonly due_at: string | null;
}

/** What is pending of all together, or of a tenant's, as webhook 0, from an index alone. */
function readWaitingOfAll(tables: Tables, dialect: WebhookDialect, tenant?: string) {
  return readParts(tables, [waitingPart(dialect, 0, isOf(tables, tenant), MAX_PENDING_COUNTED + 1)]);
}

/** What is pending of each of these webhooks, from an index alone. */
export function readWaiting(tables: Tables, dialect: WebhookDialect, webhookIds: readonly number[]) {
  // One part for each: a bound for all would be used up by one of them.
  const parts = webhookIds.map((id) =>
    waitingPart(dialect, id, sql`webhook_id = ${sql.lit(id)}`, MAX_WAITING_COUNTED + 1),
  );
  return readParts(tables, parts);
}

function waitingPart(dialect: WebhookDialect, id: number, whose: RawBuilder<unknown>, limit: number) {
  return sql`select ${sql.lit(id)} as webhook_id, count(*) as number, min(id) as first_id, min(priority_at) as due_at
    from (select id, priority_at from ${dialect.deliveriesBy('webhook_deliveries_ready_by_webhook')}
      where ${whose} and ${OF_A_WEBHOOK} and status = ${PENDING} ${id > 0 ? sql`order by priority_at` : sql``}
      limit ${sql.lit(limit)}) as counted`;
}

async function readParts(
  tables: Tables,
  parts: readonly RawBuilder<unknown>[],
): Promise<ReadonlyMap<number, WaitingDeliveries>> {
  const waiting = sql<WaitingRow>`(select pending.webhook_id, pending.number, pending.due_at,
      (select oldest.created_at from ${nameInSql('webhook_deliveries')} as oldest
        where oldest.id = pending.first_id) as oldest_at
    from (${sql.join(parts, sql` union all `)}) as pending)`;
  const rows = await tables.selectFrom(waiting.as('waiting')).selectAll().execute();
  return new Map(
    rows.map(({ webhook_id, number, oldest_at, due_at }) => [
      Number(webhook_id),
      { count: Number(number), oldestAt: oldest_at, dueAt: due_at },
    ]),
  );
}

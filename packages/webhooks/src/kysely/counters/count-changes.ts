import type { DeliveryStatus } from '../../storage/records.ts';
import type { ActivityTable, Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

/** The row with this hour counts all of a webhook's deliveries. */
export const TOTAL = '';

/** The most counters that one statement writes. */
const MAX_ROWS_PER_STATEMENT = 500;

/** A change of one delivery's status: without `from` it was added, without `to` it was removed. */
export interface StatusChange {
  readonly webhookId: number;
  readonly createdAt: string;
  readonly from?: DeliveryStatus | undefined;
  readonly to?: DeliveryStatus;
  /** When it ended, where it has just ended after an attempt. */
  readonly completedAt?: string | null;
}

type Counters = { -readonly [Column in keyof ActivityTable]: ActivityTable[Column] };

/**
 * Counts changes of status, in the transaction that makes them and after everything else in it:
 * other transactions wait for the counters of a busy webhook. Rows are written in ascending order
 * of their key, so that two transactions wait for one another in one direction only.
 */
export async function countChanges(
  tables: Tables,
  dialect: WebhookDialect,
  changes: readonly StatusChange[],
): Promise<void> {
  const rows = [...sumOf(changes).values()]
    .filter(({ success, failed, pending }) => success !== 0 || failed !== 0 || pending !== 0)
    .sort((a, b) => a.webhook_id - b.webhook_id || (a.hour < b.hour ? -1 : 1));
  for (let start = 0; start < rows.length; start += MAX_ROWS_PER_STATEMENT) {
    await dialect.addToCounters(tables, rows.slice(start, start + MAX_ROWS_PER_STATEMENT));
  }
}

function sumOf(changes: readonly StatusChange[]): ReadonlyMap<string, Counters> {
  const sums = new Map<string, Counters>();
  for (const { webhookId, createdAt, from, to, completedAt } of changes) {
    const endedAt = completedAt ?? '';
    for (const hour of [TOTAL, hourOf(createdAt)]) {
      const key = `${webhookId} ${hour}`;
      const sum = sums.get(key) ?? noChange(webhookId, hour);
      sums.set(key, sum);
      if (from !== undefined) sum[from]--;
      if (to !== undefined) sum[to]++;
      if (hour !== TOTAL) continue;
      if (to === 'success' && endedAt > sum.last_success_at) sum.last_success_at = endedAt;
      if (to === 'failed' && endedAt > sum.last_failure_at) sum.last_failure_at = endedAt;
    }
  }
  return sums;
}

function noChange(webhookId: number, hour: string): Counters {
  const times = { last_success_at: '', last_failure_at: '' };
  const revision = hour === TOTAL ? 1 : 0;
  return { webhook_id: webhookId, hour, success: 0, failed: 0, pending: 0, ...times, revision };
}

/** Removes the counters of these hours that are zero since a purge removed their deliveries. */
export async function dropEmptyHours(tables: Tables, removed: readonly StatusChange[]): Promise<void> {
  if (removed.length === 0) return;
  await tables
    .deleteFrom('webhook_activity')
    .where('webhook_id', 'in', [...new Set(removed.map(({ webhookId }) => webhookId))])
    .where('hour', 'in', [...new Set(removed.map(({ createdAt }) => hourOf(createdAt)))])
    .where('success', '=', 0)
    .where('failed', '=', 0)
    .where('pending', '=', 0)
    .execute();
}

export function hourOf(timestamp: string): string {
  return timestamp.slice(0, 13);
}

import { randomInt } from 'node:crypto';
import type { DeliveryStatus } from '../../storage/delivery-record.ts';
import type { ActivityTable, Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { addToCounters } from './insert-counters.ts';

/** The row with this hour counts all of a webhook's deliveries that have ended. */
export const TOTAL = '';

/**
 * Into how many rows each counter is divided. Each process writes one of them: eight workers that
 * shared a counter waited for one another four fifths of the time.
 */
const SHARDS = 64;

/** The shard of this process, where others write at the same time. */
const OWN_SHARD = randomInt(SHARDS);

export function ownShard({ hasOneWriter }: Pick<WebhookDialect, 'hasOneWriter'>): number {
  return hasOneWriter ? 0 : OWN_SHARD;
}

/** The shard of totals that purges alone write: no result waits for it. */
export const PURGE_SHARD = SHARDS;

/** The most counters that one statement writes. */
const MAX_ROWS_PER_STATEMENT = 500;

/**
 * A change of one delivery's status: without `from` it was pending or not there, without `to` it is
 * pending. Only deliveries that have ended are counted. One that a purge removes takes nothing back:
 * `subtractHours` does, for all of its hour.
 */
export interface StatusChange {
  readonly webhookId: number;
  readonly createdAt: string;
  readonly from?: DeliveryStatus | undefined;
  readonly to?: DeliveryStatus;
  /** When it ended, where it has just ended after an attempt. */
  readonly completedAt?: string | null;
}

export type CounterRow = { -readonly [Column in keyof ActivityTable]: ActivityTable[Column] };

/**
 * Counts changes of status, in the transaction that makes them and after everything else in it.
 * Rows are written in ascending order of their key, so that two transactions wait for one another
 * in one direction only.
 */
export async function countChanges(
  tables: Tables,
  dialect: WebhookDialect,
  changes: readonly StatusChange[],
  shard: number = ownShard(dialect),
): Promise<void> {
  const rows = [...sumOf(changes, shard).values()]
    .filter(({ success, failed, revision }) => success !== 0 || failed !== 0 || revision !== 0)
    .sort(byKey);
  for (let start = 0; start < rows.length; start += MAX_ROWS_PER_STATEMENT) {
    await addToCounters(tables, dialect, { rows: rows.slice(start, start + MAX_ROWS_PER_STATEMENT) });
  }
}

function byKey(a: ActivityTable, b: ActivityTable): number {
  return a.hour === b.hour ? a.webhook_id - b.webhook_id : a.hour < b.hour ? -1 : 1;
}

function sumOf(changes: readonly StatusChange[], shard: number): ReadonlyMap<string, CounterRow> {
  const sums = new Map<string, CounterRow>();
  for (const { webhookId, createdAt, from, to, completedAt } of changes) {
    const endedAt = completedAt ?? '';
    for (const hour of [TOTAL, hourOf(createdAt)]) {
      const key = `${webhookId} ${hour}`;
      const sum = sums.get(key) ?? noChange(webhookId, hour, shard);
      sums.set(key, sum);
      if (from === 'success' || from === 'failed') sum[from]--;
      if (to === 'success' || to === 'failed') sum[to]++;
      if (hour !== TOTAL) continue;
      if (to === 'success' && endedAt > sum.last_success_at) sum.last_success_at = endedAt;
      if (to === 'failed' && endedAt > sum.last_failure_at) sum.last_failure_at = endedAt;
    }
  }
  return sums;
}

export function noChange(webhookId: number, hour: string, shard: number): CounterRow {
  const times = { last_success_at: '', last_failure_at: '' };
  const revision = hour === TOTAL ? 1 : 0;
  return { hour, webhook_id: webhookId, shard, success: 0, failed: 0, ...times, revision };
}

/**
 * Counts a change of a webhook, as of webhook 0, which no webhook is: in the transaction that makes
 * it, and as its last statement.
 */
export async function countWebhookChange(tables: Tables, dialect: WebhookDialect): Promise<void> {
  await addToCounters(tables, dialect, { rows: [noChange(0, TOTAL, ownShard(dialect))] });
}

export function hourOf(timestamp: string): string {
  return timestamp.slice(0, 13);
}

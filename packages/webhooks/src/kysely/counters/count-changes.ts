import { randomInt } from 'node:crypto';
import type { DeliveryStatus } from '../../storage/delivery-record.ts';
import type { ActivityTable, Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

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

/** The most counters that one statement writes. */
const MAX_ROWS_PER_STATEMENT = 500;

/** The most hours that one purge folds. */
const MAX_HOURS_FOLDED = 5_000;

/**
 * A change of one delivery's status: without `from` it was pending or not there, without `to` it is
 * pending or removed. Only deliveries that have ended are counted.
 */
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
    await dialect.addToCounters(tables, rows.slice(start, start + MAX_ROWS_PER_STATEMENT));
  }
}

function byKey(a: ActivityTable, b: ActivityTable): number {
  return a.webhook_id - b.webhook_id || (a.hour < b.hour ? -1 : 1);
}

function sumOf(changes: readonly StatusChange[], shard: number): ReadonlyMap<string, Counters> {
  const sums = new Map<string, Counters>();
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

function noChange(webhookId: number, hour: string, shard: number): Counters {
  const times = { last_success_at: '', last_failure_at: '' };
  const revision = hour === TOTAL ? 1 : 0;
  return { webhook_id: webhookId, hour, shard, success: 0, failed: 0, ...times, revision };
}

/**
 * Counts a change of a webhook, as of webhook 0, which no webhook is: in the transaction that makes
 * it, and as its last statement.
 */
export async function countWebhookChange(tables: Tables, dialect: WebhookDialect): Promise<void> {
  await dialect.addToCounters(tables, [noChange(0, TOTAL, ownShard(dialect))]);
}

/**
 * Folds the shards of these hours into one row each, and removes the hours that are zero since a
 * purge removed their deliveries.
 */
export async function foldHours(
  tables: Tables,
  dialect: WebhookDialect,
  changes: readonly Pick<StatusChange, 'webhookId' | 'createdAt'>[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = await tables
    .selectFrom('webhook_activity')
    .select(['webhook_id', 'hour', 'shard', 'success', 'failed'])
    .where('webhook_id', 'in', [...new Set(changes.map(({ webhookId }) => webhookId))])
    .where('hour', 'in', [...new Set(changes.map(({ createdAt }) => hourOf(createdAt)))])
    .orderBy('webhook_id')
    .orderBy('hour')
    .orderBy('shard')
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  const sums = new Map<string, Counters & { shards: number }>();
  for (const { webhook_id, hour, success, failed } of rows) {
    const sum = sums.get(`${webhook_id} ${hour}`) ?? {
      ...noChange(Number(webhook_id), hour, ownShard(dialect)),
      shards: 0,
    };
    sums.set(`${webhook_id} ${hour}`, sum);
    // Drivers differ in the type of a number.
    sum.success += Number(success);
    sum.failed += Number(failed);
    sum.shards += 1;
  }
  const isFolded = ({ success, failed, shards }: Counters & { shards: number }) =>
    shards > 1 || (success === 0 && failed === 0);
  // By their keys: another process may have added a shard meanwhile.
  const gone = rows.filter(({ webhook_id, hour }) => {
    const sum = sums.get(`${webhook_id} ${hour}`);
    return sum !== undefined && isFolded(sum);
  });
  for (let start = 0; start < gone.length; start += MAX_ROWS_PER_STATEMENT) {
    const keys = gone.slice(start, start + MAX_ROWS_PER_STATEMENT);
    await tables
      .deleteFrom('webhook_activity')
      .where((row) => row.or(keys.map(({ webhook_id, hour, shard }) => row.and({ webhook_id, hour, shard }))))
      .execute();
  }
  const folded = [...sums.values()]
    .filter((sum) => isFolded(sum) && (sum.success !== 0 || sum.failed !== 0))
    .map(({ shards, ...counters }) => counters);
  if (folded.length > 0) await dialect.addToCounters(tables, folded);
}

/** Folds hours that have passed and still have several shards. */
export async function foldPastHours(tables: Tables, dialect: WebhookDialect, now: string): Promise<void> {
  if (dialect.hasOneWriter) return;
  const divided = await tables
    .selectFrom('webhook_activity')
    .select(['webhook_id', 'hour'])
    .where('hour', '>', TOTAL)
    .where('hour', '<', hourOf(now))
    .groupBy(['webhook_id', 'hour'])
    .having((row) => row.fn.countAll(), '>', 1)
    .limit(MAX_HOURS_FOLDED)
    .execute();
  const hours = divided.map(({ webhook_id, hour }) => ({ webhookId: Number(webhook_id), createdAt: hour }));
  await foldHours(tables, dialect, hours);
}

export function hourOf(timestamp: string): string {
  return timestamp.slice(0, 13);
}

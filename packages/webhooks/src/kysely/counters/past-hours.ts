import type { DatabaseAccess } from '../database-access.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { webhooksOf } from '../webhooks/removed-webhooks.ts';
import { type CounterRow, noChange, ownShard, PURGE_SHARD, TOTAL } from './count-changes.ts';
import { pastHours } from './hours.ts';

/** How many counters one transaction takes. */
const ROWS_AT_ONCE = 2_000;
/** The most transactions of one call; the next purge goes on. */
const MAX_STEPS = 10_000;
/** How many past hours are folded: those of two purges. */
const FOLDED_HOURS = 48;

/**
 * Takes the counters of the hours before that one away, and out of the totals. Results of other
 * hours wait for none of it: it locks expired hours, and a shard of its own.
 */
export async function subtractHours(
  { write, dialect }: Pick<DatabaseAccess, 'write' | 'dialect'>,
  before: string,
): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const count = await write(async (tables) => {
      const rows = await inOrder(tables)
        .where('hour', '>', TOTAL)
        .where('hour', '<', before)
        .limit(ROWS_AT_ONCE)
        .modifyEnd(dialect.locks.forUpdate)
        .execute();
      await removeRows(tables, rows);
      // Totals go with a webhook that is removed: a row for one would stay for ever.
      const kept = await webhooksOf(tables)
        .where('webhooks.id', 'in', [...new Set(rows.map(({ webhook_id }) => webhook_id)), 0])
        .execute();
      const ids = new Set(kept.map(({ id }) => Number(id)));
      const totals = sumsOf(
        rows.filter(({ webhook_id }) => ids.has(Number(webhook_id))),
        ({ webhook_id }) => noChange(Number(webhook_id), TOTAL, PURGE_SHARD),
      );
      const less = totals.map((sum) => ({ ...sum, success: -sum.success, failed: -sum.failed }));
      if (less.length > 0) await dialect.addToCounters(tables, less);
      return rows.length;
    });
    if (count < ROWS_AT_ONCE) return;
  }
}

/** Folds the shards of hours that have passed into one row for each webhook. */
export async function foldHours(
  { run, write, dialect }: Pick<DatabaseAccess, 'run' | 'write' | 'dialect'>,
  now: number,
): Promise<void> {
  if (dialect.hasOneWriter) return;
  const dividedOf = (hour: string) =>
    run((tables) =>
      tables
        .selectFrom('webhook_activity')
        .select('webhook_id')
        .where('hour', '=', hour)
        .groupBy('webhook_id')
        .having((row) => row.fn.countAll(), '>', 1)
        .orderBy('webhook_id')
        .limit(ROWS_AT_ONCE)
        .execute(),
    );
  for (const hour of pastHours(now, FOLDED_HOURS)) {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const divided = await dividedOf(hour);
      if (divided.length === 0) break;
      const ids = divided.map(({ webhook_id }) => webhook_id);
      await write((tables) => foldHour(tables, dialect, hour, ids));
    }
  }
}

async function foldHour(
  tables: Tables,
  dialect: WebhookDialect,
  hour: string,
  webhookIds: readonly number[],
): Promise<void> {
  const rows = await inOrder(tables)
    .where('hour', '=', hour)
    .where('webhook_id', 'in', webhookIds)
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  await removeRows(tables, rows);
  const folded = sumsOf(rows, ({ webhook_id }) => noChange(Number(webhook_id), hour, ownShard(dialect)));
  if (folded.length > 0) await dialect.addToCounters(tables, folded);
}

type HourRow = Pick<CounterRow, 'hour' | 'webhook_id' | 'shard' | 'success' | 'failed'>;

/** In the order in which every transaction locks counters. */
function inOrder(tables: Tables) {
  return tables
    .selectFrom('webhook_activity')
    .select(['hour', 'webhook_id', 'shard', 'success', 'failed'])
    .orderBy('hour')
    .orderBy('webhook_id')
    .orderBy('shard');
}

/** By their keys: another process may have added a shard meanwhile. */
async function removeRows(tables: Tables, rows: readonly HourRow[]): Promise<void> {
  const parts = new Map<string, HourRow[]>();
  for (const row of rows) {
    const key = `${row.hour} ${row.shard}`;
    const part = parts.get(key);
    if (part) part.push(row);
    else parts.set(key, [row]);
  }
  if (parts.size === 0) return;
  await tables
    .deleteFrom('webhook_activity')
    .where(({ or, and, eb }) =>
      or(
        [...parts.values()].flatMap((part) => {
          const [first] = part;
          const ids = part.map(({ webhook_id }) => webhook_id);
          if (first === undefined) return [];
          return [
            and([eb('hour', '=', first.hour), eb('shard', '=', first.shard), eb('webhook_id', 'in', ids)]),
          ];
        }),
      ),
    )
    .execute();
}

/** The sums of each webhook, in ascending order. */
function sumsOf(rows: readonly HourRow[], zeroOf: (row: HourRow) => CounterRow): CounterRow[] {
  const sums = new Map<number, CounterRow>();
  for (const row of rows) {
    const id = Number(row.webhook_id);
    const sum = sums.get(id) ?? zeroOf(row);
    sums.set(id, sum);
    // Drivers differ in the type of a number.
    sum.success += Number(row.success);
    sum.failed += Number(row.failed);
  }
  return [...sums.values()].sort((a, b) => a.webhook_id - b.webhook_id);
}

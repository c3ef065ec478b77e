import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';
import type { DatabaseAccess } from '../database-access.ts';
import { nameInSql } from '../names.ts';
import type { ActivityTable, Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { type CounterRow, noChange, ownShard, PURGE_SHARD, TOTAL } from './count-changes.ts';
import { pastHours } from './hours.ts';
import { addingCounters, addToCounters, COUNTERS } from './insert-counters.ts';

/** How many counters one transaction takes. Where there is one writer, others wait for it. */
const ROWS_AT_ONCE = 2_000;
const ROWS_BESIDE_OTHERS = 10_000;
/** The most transactions of one call; the next purge goes on. */
const MAX_STEPS = 10_000;
/** How many past hours are folded: those of two purges. */
const FOLDED_HOURS = 48;

/**
 * Takes the counters of the hours before that one away, and out of the totals. Results of other
 * hours wait for none of it: it locks expired hours, whose deliveries are gone, and a shard of its
 * own.
 *
 * @param isHeld asked before each transaction: it ends once another process has the lease
 */
export async function subtractHours(
  { run, write, dialect }: Pick<DatabaseAccess, 'run' | 'write' | 'dialect'>,
  before: string,
  isHeld: () => Promise<boolean>,
): Promise<void> {
  const limit = dialect.hasOneWriter ? ROWS_AT_ONCE : ROWS_BESIDE_OTHERS;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const last = await run((tables) =>
      tables
        .selectFrom('webhook_activity')
        .select(['hour', 'webhook_id', 'shard'])
        .where('hour', '>', TOTAL)
        .where('hour', '<', before)
        .orderBy('hour')
        .orderBy('webhook_id')
        .orderBy('shard')
        .limit(1)
        .offset(limit - 1)
        .executeTakeFirst(),
    );
    if (!(await isHeld())) return;
    await write((tables) => subtractUntil(tables, dialect, before, last));
    if (last === undefined) return;
  }
}

/** Takes away the counters up to that one, or all of the hours before. */
async function subtractUntil(
  tables: Tables,
  dialect: WebhookDialect,
  before: string,
  last: Pick<CounterRow, 'hour' | 'webhook_id' | 'shard'> | undefined,
): Promise<void> {
  const { hour, webhook_id, shard } = last ?? { hour: before, webhook_id: 0, shard: 0 };
  const isTaken = sql<boolean>`hour > ${TOTAL} and hour <= ${hour} and (hour < ${hour}
    or webhook_id < ${webhook_id} or (webhook_id = ${webhook_id} and shard <= ${shard}))`;
  const taken = tables.deleteFrom('webhook_activity').where(isTaken);
  if (dialect.writesInWith) {
    const gone = tables.with('gone', () => taken.returning(['webhook_id', 'success', 'failed']));
    await addingCounters(gone, dialect, negativeSums(sql`gone`)).execute();
    return;
  }
  // Locked before they are summed: another process, whose purge took too long for its lease, would
  // take them out of the totals a second time.
  await tables
    .selectFrom('webhook_activity')
    .select('shard')
    .where(isTaken)
    .orderBy('hour')
    .orderBy('webhook_id')
    .orderBy('shard')
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  await addingCounters(tables, dialect, negativeSums(sql`${COUNTERS} where ${isTaken}`)).execute();
  await taken.execute();
}

/** What goes out of the totals. They go with a webhook that is removed: a row for one would stay for ever. */
function negativeSums(counters: RawBuilder<unknown>): AliasedRawBuilder<ActivityTable, 'more'> {
  return sql<ActivityTable>`(select ${sql.lit(TOTAL)} as hour, webhook_id, ${sql.lit(PURGE_SHARD)} as shard,
      -sum(success) as success, -sum(failed) as failed, '' as last_success_at, '' as last_failure_at,
      1 as revision
    from (select * from ${counters}) as taken where exists (
      select 1 from ${nameInSql('webhooks')} as recipient where recipient.id = webhook_id and is_removed = 0)
    group by webhook_id order by webhook_id)`.as('more');
}

/** Folds the shards of hours that have passed into one row for each webhook, while the lease is held. */
export async function foldHours(
  { run, write, dialect }: Pick<DatabaseAccess, 'run' | 'write' | 'dialect'>,
  now: number,
  isHeld: () => Promise<boolean>,
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
      if (!(await isHeld())) return;
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
  // In the order in which every transaction locks counters.
  const rows = await tables
    .selectFrom('webhook_activity')
    .select(['webhook_id', 'shard', 'success', 'failed'])
    .where('hour', '=', hour)
    .where('webhook_id', 'in', webhookIds)
    .orderBy('webhook_id')
    .orderBy('shard')
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  await removeRows(tables, hour, rows);
  const folded = sumsOf(rows, ({ webhook_id }) => noChange(Number(webhook_id), hour, ownShard(dialect)));
  if (folded.length > 0) await addToCounters(tables, dialect, { rows: folded });
}

type HourRow = Pick<CounterRow, 'webhook_id' | 'shard' | 'success' | 'failed'>;

/** Of the shards that were read: another process may have added one meanwhile. */
async function removeRows(tables: Tables, hour: string, rows: readonly HourRow[]): Promise<void> {
  const shards = new Map<number, number[]>();
  for (const { shard, webhook_id } of rows) shards.set(shard, [...(shards.get(shard) ?? []), webhook_id]);
  for (const [shard, ids] of shards) {
    await tables
      .deleteFrom('webhook_activity')
      .where('hour', '=', hour)
      .where('shard', '=', shard)
      .where('webhook_id', 'in', ids)
      .execute();
  }
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

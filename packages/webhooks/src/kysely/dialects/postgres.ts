import { type RawBuilder, sql } from 'kysely';
import { DRIVER_ERRORS } from '../../../../toolkit/src/kysely/driver-errors.ts';
import { NO_ACTIVATION } from '../../storage/delivery-requests.ts';
import { lowerCaseAscii } from '../../storage/lower-case-ascii.ts';
import { RETRY_PRIORITY_DELAY_MS } from '../../storage/retry-priority.ts';
import { compiledOnce } from '../compiled-statement.ts';
import { ownShard, TOTAL } from '../counters/count-changes.ts';
import { ADDING } from '../counters/insert-counters.ts';
import { insertKeys, KEY_WAIT } from '../dispatch/idempotency-keys.ts';
import { unhintedDeliveries } from '../names.ts';
import { derived, type Given } from '../places.ts';
import {
  isFailing,
  RESULT_VALUES,
  resultRows,
  type WrittenRow,
  writtenResults,
} from '../results/result-rows.ts';
import { findPostgresFault, findPostgresReadOnlySetting } from '../schema/postgres-requirements.ts';
import { postgresSchema } from '../schema/postgres-schema.ts';
import { readCommitted } from '../schema/read-committed.ts';
import { COLUMNS } from '../tables.ts';
import type { WebhookDialect, WritableResult } from '../webhook-dialect.ts';
import { OF_NO_REMOVED_WEBHOOK } from '../webhooks/removed-webhooks.ts';
import { ignoringWritten, overwriting } from './on-conflict.ts';
import { recipients } from './recipients.ts';

const SET_BY_RESULT = {
  ...RESULT_VALUES,
  next_attempt_at: ifPending(timestampAfter(sql`retry_in_ms`)),
  priority_at: ifPending(timestampAfter(sql`retry_in_ms + ${sql.lit(RETRY_PRIORITY_DELAY_MS)}`)),
  completed_at: sql<string | null>`case when new_status <> 'pending' then ${timestampAfter(sql`0`)} end`,
};

export const postgres: WebhookDialect = {
  ...DRIVER_ERRORS.postgres,
  name: 'postgres',
  clock: 'database',
  hasOneWriter: false,
  isInProcess: false,
  locksIdsOfSelect: false,
  joinsAsWritten: false,
  schema: postgresSchema,
  locks: {
    forUpdate: sql`for update`,
    forUpdateSkipLocked: sql`for update skip locked`,
    forNoKeyUpdate: sql`for no key update`,
  },
  inTransaction: readCommitted,
  // By estimates that take one step in an index for each webhook for many: 4.2 s instead of 36 ms
  // for the webhooks of an overview. The setting ends with the transaction.
  withoutCompiling: (db, work) =>
    readCommitted(db, async (transaction) => {
      await sql`select set_config('jit', 'off', true)`.execute(transaction);
      return work(transaction);
    }),
  findFault: findPostgresFault,
  findReadOnlySetting: findPostgresReadOnlySetting,
  // A subquery is evaluated once, the expression for every row.
  timestamp: (_nowMs, offsetMs = 0) => sql<string>`(select ${timestampAfter(sql`${offsetMs}::float8`)})`,
  // "C" folds ASCII alone.
  containsText: (text, part) => sql<boolean>`strpos(lower(${text} collate "C"), ${lowerCaseAscii(part)}) > 0`,
  // Statistics show which index serves better.
  withoutIndex: (column) => column,

  async preferIndexOrder(tables) {
    // Pending rows are few when statistics are taken, and thousands a minute later: the planner
    // would sort them all for the first fifty (25 ms instead of 0.3 with 10,000 rows). The settings
    // end with the transaction.
    await tables
      .selectNoFrom([setLocally('enable_sort').as('a'), setLocally('enable_bitmapscan').as('b')])
      .execute();
  },
  deliveriesBy: unhintedDeliveries,
  recipients,
  // The planner takes a limit that it cannot see for a tenth of the rows, and reads them in order.
  limitInIndexOrder: (count) => sql<number>`(select ${count}::bigint)`,
  returnsJoinedRows: true,
  writesInWith: true,
  membersOf: () => 1,
  firstOfEach(counts, _members, columns, queueOf) {
    const wanted = postgres.rowsOf(counts, 'wanted', { webhookId: 'integer', count: 'integer' });
    const queue = queueOf(sql.ref('wanted.webhookId'), sql.ref('wanted.count'), columns);
    return sql`(select queue.*, wanted."webhookId" as webhook_id
      from ${wanted} cross join lateral (${queue}) as queue)`;
  },

  async insertWebhook(tables, webhook) {
    const { id } = await tables
      .insertInto('webhooks')
      .values(webhook)
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(id);
  },

  selectedDeliveryId: sql<string>`dispatch.prefix || lpad(to_hex(((subscriber.webhook_id & 4294967295)
    * dispatch.factor + dispatch.shift) & 4294967295), 8, '0')`,
  ignoringWritten,
  overwriting,
  async insertKeys(tables, keys, failsWhenLocked) {
    if (failsWhenLocked) await tables.selectNoFrom(KEY_WAIT.as('now')).execute();
    return insertKeys(postgres, tables, keys);
  },

  addsToCounters: ADDING,

  rowsOf: <Row extends object, Name extends string>(
    rows: Given<readonly Row[]>,
    name: Name,
    columns: { readonly [Column in keyof Row]: 'integer' | 'text' },
  ) => {
    const definitions = Object.entries(columns).map(
      ([column, type]) => sql`${sql.ref(column)} ${sql.raw(type === 'integer' ? 'bigint' : 'text')}`,
    );
    return sql<Row>`json_to_recordset(${derived([rows], JSON.stringify)}::json)`.as(
      sql`${sql.ref(name)}(${sql.join(definitions)})`,
    );
  },

  async writeResults(tables, results, endsRuns) {
    const rows = await writeRows(tables, postgres, { results, endsRuns });
    return writtenResults(results, rows, (_, { at }) => at);
  },
};

/** Writes results, ends runs of failures where asked to, and counts what ended. */
const writeRows = compiledOnce<
  { readonly results: readonly WritableResult[]; readonly endsRuns: boolean },
  WrittenRow & { readonly at: string }
>(
  (tables, dialect, { results }, { endsRuns }) => {
    const successes = firstSuccesses(endsRuns);
    return (
      tables
        .with('written', (db) =>
          db
            .updateTable('webhook_deliveries')
            .from(resultRows(dialect, results))
            .set(SET_BY_RESULT)
            .whereRef('webhook_deliveries.id', '=', 'result.delivery')
            .whereRef('webhook_deliveries.claim_token', '=', 'result.token')
            // A row with a token is pending; a condition on the status would suggest an index of all
            // pending rows.
            .where(OF_NO_REMOVED_WEBHOOK)
            .returning(['webhook_deliveries.id', 'webhook_id', 'created_at'])
            .returning(['status', 'completed_at', 'series_since', 'new_activation']),
        )
        // Locked in ascending order, as failures are added.
        .with('failing', (db) =>
          db
            .selectFrom('webhook_failures')
            .select('webhook_id')
            .where('webhook_id', 'in', db.selectFrom(successes).select('first.webhook_id'))
            .where('failed', '>', 0)
            .where('ended_at', '=', '')
            .orderBy('webhook_id')
            .forUpdate(),
        )
        .with('recovered', (db) =>
          db
            .updateTable('webhook_failures')
            .from(successes)
            .set((row) => ({ ended_at: row.ref('first.completed_at') }))
            .whereRef('webhook_failures.webhook_id', '=', 'first.webhook_id')
            .where(
              'webhook_failures.webhook_id',
              'in',
              db.selectFrom('failing').select('failing.webhook_id'),
            ),
        )
        .with('counted', (db) =>
          db
            .insertInto('webhook_activity')
            .columns(COLUMNS.webhook_activity)
            // In one expression: what ends the statement would come after the brackets of the `with`.
            .expression(sql`${countsOfWritten(ownShard(dialect))} ${ADDING}`),
        )
        .selectFrom('written')
        .select(['written.id', 'written.webhook_id', 'written.series_since', timestampAfter(sql`0`).as('at')])
        .select(endsRuns ? sql<number>`0`.as('is_failing') : isFailing(sql`written.webhook_id`))
    );
  },
  ({ endsRuns }) => endsRuns,
);

/** When the first success of each webhook ended among those written; none if they end no runs. */
function firstSuccesses(endsRuns: boolean) {
  return sql<{ webhook_id: number; completed_at: string }>`(
    select webhook_id, min(completed_at) as completed_at from written
    where ${endsRuns ? sql`1 = 1` : sql`1 = 0`} and status = 'success' and new_activation <> ${sql.lit(NO_ACTIVATION)}
    group by webhook_id)`.as('first');
}

/** The counters of the results that ended a delivery, in the order of their keys. */
function countsOfWritten(shard: number) {
  const succeeded = sql`case when status = 'success' then 1 else 0 end`;
  const failed = sql`case when status = 'failed' then 1 else 0 end`;
  // A result without a request says nothing of the recipient.
  const endedAs = (status: RawBuilder<string>) =>
    sql`case when status = ${status} and new_activation <> ${sql.lit(NO_ACTIVATION)} then completed_at else '' end`;
  return sql`select hour, webhook_id, ${shard}::integer, sum(success), sum(failed),
      max(last_success_at), max(last_failure_at), max(revision)
    from (
      select webhook_id, ${sql.lit(TOTAL)} as hour, ${succeeded} as success, ${failed} as failed,
        ${endedAs(sql.lit('success'))} as last_success_at, ${endedAs(sql.lit('failed'))} as last_failure_at,
        1 as revision
      from written where status <> 'pending'
      union all
      select webhook_id, substr(created_at, 1, 13), ${succeeded}, ${failed}, '', '', 0
      from written where status <> 'pending') as change
    group by hour, webhook_id order by hour, webhook_id`;
}

function ifPending(time: RawBuilder<string>): RawBuilder<string | null> {
  return sql<string | null>`case when new_status = 'pending' then ${time} end`;
}

function setLocally(setting: string) {
  return sql<string>`set_config(${sql.lit(setting)}, 'off', true)`;
}

/**
 * `ms` from now, by the server's clock and not the transaction's: a host's transaction may have
 * begun long ago.
 */
export function timestampAfter(ms: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char((statement_timestamp() + (${ms}) * interval '1 millisecond') at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

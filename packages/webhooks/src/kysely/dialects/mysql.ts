import { type RawBuilder, type Selectable, sql } from 'kysely';
import { DRIVER_ERRORS } from '../../../../toolkit/src/kysely/driver-errors.ts';
import { lowerCaseAscii } from '../../storage/lower-case-ascii.ts';
import { RETRY_PRIORITY_DELAY_MS } from '../../storage/retry-priority.ts';
import { COUNTERS } from '../counters/insert-counters.ts';
import { insertMysqlKeys } from '../dispatch/idempotency-keys.ts';
import { nameInSql } from '../names.ts';
import { derived, type Given, membersFor } from '../places.ts';
import { countResults } from '../results/count-results.ts';
import { IS_FAILING, RESULT_VALUES, resultRows, writtenResults } from '../results/result-rows.ts';
import { findMysqlFault, findMysqlReadOnlySetting } from '../schema/mysql-requirements.ts';
import { mysqlSchema } from '../schema/mysql-schema.ts';
import { readCommitted } from '../schema/read-committed.ts';
import type { DeliveryTable } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { OF_NO_REMOVED_WEBHOOK } from '../webhooks/removed-webhooks.ts';

/**
 * With a character set: without, MariaDB takes that of the database, and MySQL that of the
 * connection.
 */
const JSON_TEXT = sql`mediumtext character set utf8mb4 collate utf8mb4_bin`;

const DELIVERIES = nameInSql<Selectable<DeliveryTable>>('webhook_deliveries');

/** The server's clock, as {@link timestampAfter} writes it, in less text: it stands twice in each row. */
const PRESENT = sql<string>`concat(insert(utc_timestamp(3), 11, 1, 'T'), 'Z')`;

/** MySQL 8 and MariaDB 10.6: neither has `returning` for an update. */
export const mysql: WebhookDialect = {
  ...DRIVER_ERRORS.mysql,
  name: 'mysql',
  clock: 'database',
  hasOneWriter: false,
  isInProcess: false,
  locksIdsOfSelect: true,
  joinsAsWritten: false,
  schema: mysqlSchema,
  locks: {
    forUpdate: sql`for update`,
    forUpdateSkipLocked: sql`for update skip locked`,
    forNoKeyUpdate: sql`for update`,
  },
  inTransaction: readCommitted,
  findFault: findMysqlFault,
  findReadOnlySetting: findMysqlReadOnlySetting,
  timestamp: (_nowMs, offsetMs = 0) => (offsetMs === 0 ? PRESENT : timestampAfter(sql`${offsetMs}`)),

  // `lower` folds every script, and collations fold more: only the ASCII letters of the search are
  // folded.
  containsText: (text, part) => {
    const letters = new Set(part.toLowerCase().match(/[a-z]/g));
    let folded = sql<string>`${text}`;
    for (const letter of letters) {
      folded = sql<string>`replace(${folded}, ${sql.lit(letter.toUpperCase())}, ${sql.lit(letter)})`;
    }
    return sql<boolean>`instr(${folded}, ${lowerCaseAscii(part)}) > 0`;
  },
  withoutIndex: (column) => column,

  preferIndexOrder: async () => {},
  // Several indexes begin with the status, and statistics of pending rows are outdated at once.
  deliveriesBy: (index) =>
    DELIVERIES.as<'webhook_deliveries'>(sql`${DELIVERIES} force index (${nameInSql(index)})`),
  recipients: () => sql<{ webhook_id: number }>`(
    select distinct webhook_id from ${DELIVERIES} force index (${nameInSql('webhook_deliveries_history')}))`,
  limitInIndexOrder: (count) => sql<number>`${count}`,
  returnsJoinedRows: false,
  writesInWith: false,
  // One member of the union for each webhook: MariaDB has no `lateral`.
  membersOf: (counts) => membersFor(counts.length),
  firstOfEach(counts, members, columns, queueOf) {
    const queues = Array.from({ length: members }, (_, index) => {
      const webhookId = sql<number>`${derived([counts], (all) => all[index]?.webhookId ?? 0)}`;
      const queue = queueOf(webhookId, sql`${derived([counts], (all) => all[index]?.count ?? 0)}`, columns);
      return sql`select queue.*, ${webhookId} as webhook_id from (${queue}) as queue`;
    });
    return sql`(${sql.join(queues, sql` union all `)})`;
  },

  async insertWebhook(tables, webhook) {
    const { insertId } = await tables.insertInto('webhooks').values(webhook).executeTakeFirstOrThrow();
    return Number(insertId);
  },

  // It would lock the webhooks that it reads.
  selectedDeliveryId: undefined,
  // `ignore` would also cut texts that are too long.
  ignoringWritten: (insertion, common = 'event') =>
    insertion.onDuplicateKeyUpdate({ [common]: sql`values(${sql.ref(common)})` } as never),
  overwriting: (insertion, columns) =>
    insertion.onDuplicateKeyUpdate(
      Object.fromEntries(columns.map((column) => [column, sql`values(${sql.ref(column)})`])) as never,
    ),
  insertKeys: (tables, keys, failsWhenLocked) => insertMysqlKeys(mysql, tables, keys, failsWhenLocked),

  addsToCounters: sql`on duplicate key update
    last_success_at = greatest(${COUNTERS}.last_success_at, values(last_success_at)),
    last_failure_at = greatest(${COUNTERS}.last_failure_at, values(last_failure_at)),
    revision = ${COUNTERS}.revision + values(revision),
    success = ${COUNTERS}.success + values(success),
    failed = ${COUNTERS}.failed + values(failed)`,

  rowsOf: <Row extends object, Name extends string>(
    rows: Given<readonly Row[]>,
    name: Name,
    columns: { readonly [Column in keyof Row]: 'integer' | 'text' },
  ) => {
    const definitions = Object.entries(columns).map(
      ([column, type]) =>
        sql`${sql.ref(column)} ${type === 'integer' ? sql`bigint` : JSON_TEXT} path ${sql.lit(`$.${column}`)}`,
    );
    return sql<Row>`json_table(${derived([rows], JSON.stringify)}, '$[*]' columns (${sql.join(definitions)}))`.as(
      name,
    );
  },

  async writeResults(tables, results, endsRuns) {
    const tokens = new Set(results.map(({ id, claimToken }) => `${id} ${claimToken}`));
    const rows = await tables
      .selectFrom('webhook_deliveries')
      .select(['id', 'claim_token', 'webhook_id', 'created_at', 'series_since', IS_FAILING])
      .select(timestampAfter(sql`0`).as('completed_at'))
      .where(
        'id',
        'in',
        results.map(({ id }) => id),
      )
      // A row with a token is pending; a condition on the status would suggest an index of all
      // pending rows.
      .where('claim_token', 'is not', null)
      .where(OF_NO_REMOVED_WEBHOOK)
      .orderBy('id')
      .modifyEnd(sql`for update`)
      .execute();
    const written = rows.filter(({ id, claim_token }) => tokens.has(`${Number(id)} ${claim_token}`));
    const [first] = written;
    if (first === undefined) return [];
    await tables
      .updateTable(['webhook_deliveries', resultRows(mysql, results)])
      .set({
        ...RESULT_VALUES,
        next_attempt_at: sql`case when new_status = 'pending' then ${timestampAfter(sql`retry_in_ms`)} end`,
        priority_at: sql`case when new_status = 'pending'
          then ${timestampAfter(sql`(retry_in_ms + ${sql.lit(RETRY_PRIORITY_DELAY_MS)})`)} end`,
        completed_at: sql`case when new_status <> 'pending' then ${first.completed_at} end`,
      })
      .whereRef('webhook_deliveries.id', '=', 'result.delivery')
      // As bytes: a value from the JSON has a collation of its own.
      .where(sql<boolean>`binary result.token = binary ${DELIVERIES}.claim_token`)
      .where(
        'webhook_deliveries.id',
        'in',
        written.map(({ id }) => id),
      )
      .execute();
    const counted = writtenResults(results, written, (_, { completed_at }) => completed_at);
    await countResults(tables, mysql, counted, endsRuns);
    return counted;
  },
};

/** The server's clock, in the one format of all timestamps. */
export function timestampAfter(ms: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`concat(left(date_format(
    date_add(utc_timestamp(3), interval ${ms} * 1000 microsecond), '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`;
}

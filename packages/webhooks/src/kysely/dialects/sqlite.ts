import { type Expression, type Kysely, type Selectable, sql } from 'kysely';
import { DRIVER_ERRORS } from '../../../../toolkit/src/kysely/driver-errors.ts';
import { timestampText } from '../../clock.ts';
import { lowerCaseAscii } from '../../storage/lower-case-ascii.ts';
import { compiledOnce } from '../compiled-statement.ts';
import { ADDING } from '../counters/insert-counters.ts';
import { insertKeys } from '../dispatch/idempotency-keys.ts';
import { nameInSql } from '../names.ts';
import { derived, type Given } from '../places.ts';
import { countResults } from '../results/count-results.ts';
import {
  IS_FAILING,
  RESULT_VALUES,
  timedResultRows,
  type WrittenRow,
  writtenResults,
} from '../results/result-rows.ts';
import { sqliteSchema } from '../schema/sqlite-schema.ts';
import { PENDING } from '../status-literals.ts';
import type { DeliveryTable } from '../tables.ts';
import type { QueueCount, WebhookDialect, WritableResult } from '../webhook-dialect.ts';
import { OF_NO_REMOVED_WEBHOOK } from '../webhooks/removed-webhooks.ts';
import { ignoringWritten, overwriting } from './on-conflict.ts';
import { recipients } from './recipients.ts';

const NOTHING = sql``;

const DELIVERIES = nameInSql<Selectable<DeliveryTable>>('webhook_deliveries');

const SET_BY_RESULT = {
  ...RESULT_VALUES,
  next_attempt_at: sql<string | null>`new_next_attempt_at`,
  priority_at: sql<string | null>`new_priority_at`,
  completed_at: sql<string | null>`new_completed_at`,
};

export const sqlite: WebhookDialect = {
  ...DRIVER_ERRORS.sqlite,
  name: 'sqlite',
  clock: 'caller',
  hasOneWriter: true,
  isInProcess: true,
  locksIdsOfSelect: false,
  joinsAsWritten: true,
  schema: sqliteSchema,
  locks: {
    forUpdate: NOTHING,
    forUpdateSkipLocked: NOTHING,
    forNoKeyUpdate: NOTHING,
  },
  inTransaction: (db, work) => db.connection().execute((connection) => inWriter(connection, work)),
  // Both of SQLite's encodings can represent every text.
  findFault: async () => undefined,
  // SQLite has no such setting: a connection is opened read-only, and its errors say so.
  findReadOnlySetting: async () => undefined,

  timestamp: (nowMs, offsetMs = 0) =>
    sql<string>`${derived([nowMs, offsetMs], (now, offset) => timestampText(now + offset))}`,
  // `lower` folds ASCII only; `like` would interpret `%` and `_`, and obeys a pragma of the host's.
  containsText: (text, part) => sql<boolean>`instr(lower(${text}), ${lowerCaseAscii(part)}) > 0`,
  // https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_
  withoutIndex: <Type>(column: Expression<Type>) => sql<Type>`+${column}`,

  preferIndexOrder: async () => {},
  // Most databases have no statistics: two indexes that begin with the same column are equal then.
  deliveriesBy: (index) =>
    DELIVERIES.as<'webhook_deliveries'>(sql`${DELIVERIES} indexed by ${nameInSql(index)}`),
  recipients,
  limitInIndexOrder: (count) => sql<number>`${count}`,
  returnsJoinedRows: false,
  writesInWith: false,
  // One member of the union for each count: a limit cannot be a column, and SQLite has no
  // `lateral`.
  membersOf: (counts) => differentCounts(counts).length,
  firstOfEach(counts, members, columns, queueOf) {
    const selects = Array.from({ length: members }, (_, index) => {
      const countIn = (all: readonly QueueCount[]) => differentCounts(all)[index];
      const rows = derived([counts], (all) =>
        all.filter(({ count }) => count === countIn(all)).map(({ webhookId }) => ({ webhookId })),
      );
      const wanted = sqlite.rowsOf(rows, 'wanted', { webhookId: 'integer' });
      const queue = queueOf(sql.ref('wanted.webhookId'), sql`${derived([counts], countIn)}`, ['id']);
      const selected = sql.join(columns.map((column) => sql.ref(`delivery.${column}`)));
      return sql`select ${selected}, ${sql.ref('wanted.webhookId')} as webhook_id
        from ${wanted} cross join ${nameInSql('webhook_deliveries')} as delivery on delivery.id in ${queue}`;
    });
    return sql`(${sql.join(selects, sql` union all `)})`;
  },

  async insertWebhook(tables, webhook) {
    const { id } = await tables
      .insertInto('webhooks')
      .values(webhook)
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(id);
  },

  // A driver may bind numbers as floating point, which a product of 63 bits does not fit.
  selectedDeliveryId: sql<string>`dispatch.prefix || printf('%08x', ((subscriber.webhook_id & 0xffffffff)
    * cast(dispatch.factor as integer) + cast(dispatch.shift as integer)) & 0xffffffff)`,
  ignoringWritten,
  overwriting,
  insertKeys: (tables, keys) => insertKeys(sqlite, tables, keys),

  addsToCounters: ADDING,

  rowsOf: <Row extends object, Name extends string>(
    rows: Given<readonly Row[]>,
    name: Name,
    columns: { readonly [Column in keyof Row]: 'integer' | 'text' },
  ) => {
    const names = Object.keys(columns) as (keyof Row & string)[];
    const members = names.map(
      (column, index) => sql`json_extract(value, ${sql.lit(`$[${index}]`)}) as ${sql.ref(column)}`,
    );
    // Arrays: an object is searched again for each member, which takes half as long again.
    const json = derived([rows], (all) => JSON.stringify(all.map((row) => names.map((name) => row[name]))));
    return sql<Row>`(select ${sql.join(members)} from json_each(${json}))`.as(name);
  },

  async writeResults(tables, results, endsRuns) {
    const rows = await writeRows(tables, sqlite, { results });
    const written = writtenResults(results, rows, ({ now }) => timestampText(now));
    await countResults(tables, sqlite, written, endsRuns);
    return written;
  },
};

const writeRows = compiledOnce<
  { readonly results: readonly WritableResult[] },
  WrittenRow & Pick<DeliveryTable, 'created_at'>
>((tables, dialect, { results }) =>
  tables
    .updateTable('webhook_deliveries')
    .from(timedResultRows(dialect, results))
    .set(SET_BY_RESULT)
    .whereRef('webhook_deliveries.id', '=', 'result.delivery')
    .whereRef('webhook_deliveries.claim_token', '=', 'result.token')
    .where('webhook_deliveries.status', '=', PENDING)
    .where(OF_NO_REMOVED_WEBHOOK)
    .returning(['webhook_deliveries.id', 'webhook_id', 'created_at', 'series_since', IS_FAILING]),
);

/** The different counts, in the order in which they come first. */
function differentCounts(counts: readonly QueueCount[]): number[] {
  return [...new Set(counts.map(({ count }) => count))];
}

/**
 * Begins as a writer: a transaction that reads first, and writes after others wrote, fails whatever
 * the busy timeout. It therefore meets contention before it has read anything, and is tried again
 * as a whole, between which tries the process is free. Only migrations use Kysely's own
 * transactions: their first statements write.
 */
async function inWriter<DB, Result>(
  connection: Kysely<DB>,
  work: (transaction: Kysely<DB>) => Promise<Result>,
): Promise<Result> {
  // A plugin of the host's may refuse statements that it does not know.
  const plain = connection.withoutPlugins();
  // Kysely begins as a reader (https://www.sqlite.org/isolation.html, SQLITE_BUSY_SNAPSHOT).
  await sql`begin immediate`.execute(plain);
  try {
    const result = await work(connection);
    await sql`commit`.execute(plain);
    return result;
  } catch (error) {
    // Fails where SQLite has rolled back by itself, as on a full disk: the first error is the
    // cause.
    await sql`rollback`.execute(plain).catch(() => undefined);
    throw error;
  }
}

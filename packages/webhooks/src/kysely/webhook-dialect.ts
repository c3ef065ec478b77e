import type {
  AliasedRawBuilder,
  Expression,
  Insertable,
  InsertQueryBuilder,
  Kysely,
  QueryExecutorProvider,
  RawBuilder,
  Selectable,
} from 'kysely';
import type { DatabaseName } from '../../../toolkit/src/database-name.ts';
import type { DriverErrors } from '../../../toolkit/src/kysely/driver-errors.ts';
import type { AttemptRecord } from '../storage/delivery-requests.ts';
import type { IndexName } from './names.ts';
import type { Given } from './places.ts';
import type { SchemaDialect } from './schema/schema-dialect.ts';
import type { DeliveryTable, IdempotencyKeyTable, Tables, WebhookTable, WebhookTables } from './tables.ts';

/**
 * The differences between databases, each in one place; no other part of the storage knows which
 * one it is.
 */
export interface WebhookDialect extends DriverErrors {
  /** As transactions of other drivers name their database. */
  readonly name: DatabaseName;

  /** Whose clock says what is due and which lease has ended: one that all processes share, or each its own. */
  readonly clock: 'database' | 'caller';

  /** Whether transactions that write run one at a time. Elsewhere rows are locked one by one. */
  readonly hasOneWriter: boolean;

  /** Whether a statement is a call that blocks this process while it runs. Elsewhere it is a round trip. */
  readonly isInProcess: boolean;

  /** Whether tables are joined in the order in which a statement names them, if it says so. */
  readonly joinsAsWritten: boolean;

  /** How tables are defined. */
  readonly schema: SchemaDialect;

  /**
   * Appended to a `select` from one table in a transaction; empty if only one transaction writes
   * at a time.
   */
  readonly locks: RowLocks;

  /**
   * Runs `work` in a transaction in which each statement sees what others committed before it
   * began. Where the database distinguishes readers from writers, and fails a reader that begins to
   * write, the transaction is a writer from its start.
   */
  inTransaction<DB, Result>(
    db: Kysely<DB>,
    work: (transaction: Kysely<DB>) => Promise<Result>,
  ): Promise<Result>;

  /**
   * Runs `work`, which only reads, where the database would otherwise compile a statement for
   * longer than it runs. Absent: it compiles none.
   */
  withoutCompiling?<DB, Result>(db: Kysely<DB>, work: (db: Kysely<DB>) => Promise<Result>): Promise<Result>;

  /**
   * The setting of the database or of the session that would damage what is kept, and what to set;
   * undefined if there is none.
   */
  findFault(connection: QueryExecutorProvider): Promise<string | undefined>;

  /**
   * The setting with which the host made the session read-only, and what to set; undefined if
   * there is none. A server that only reads for a while has none.
   */
  findReadOnlySetting(connection: QueryExecutorProvider): Promise<string | undefined>;

  /**
   * A timestamp `offsetMs` from now: by the clock that all processes share, or by the caller's
   * `nowMs`.
   */
  timestamp(nowMs: Given<number>, offsetMs?: Given<number>): RawBuilder<string>;

  /**
   * Whether the text contains `part`: ASCII letters compare without case, every other character by
   * itself.
   */
  containsText(text: Expression<string>, part: string): RawBuilder<boolean>;

  /**
   * Rows as one parameter, which the database reads as a table, in their order: the statement's
   * text is the same whatever their number.
   */
  rowsOf<Row extends object, Name extends string>(
    rows: Given<readonly Row[]>,
    name: Name,
    columns: { readonly [Column in keyof Row]: 'integer' | 'text' },
  ): AliasedRawBuilder<Row, Name>;

  /**
   * A column to compare with, without its indexes where a statement can say so: another index
   * serves better.
   */
  withoutIndex<Type>(column: Expression<Type>): Expression<Type>;

  /** The deliveries, read through that index where a statement can name one. */
  deliveriesBy(index: IndexName): AliasedRawBuilder<Selectable<DeliveryTable>, 'webhook_deliveries'>;

  /**
   * Makes the transaction read rows in the order of a suitable index, where statistics may lead to
   * a sort.
   */
  preferIndexOrder(tables: Tables): Promise<void>;

  /**
   * A limit under which rows are read in the order of a suitable index, where statistics may lead
   * to a sort.
   */
  limitInIndexOrder(count: Given<number>): RawBuilder<number>;

  /** The webhooks of all deliveries, also those without a row. The cost grows with the webhooks. */
  recipients(): RawBuilder<{ webhook_id: number }>;

  /**
   * Columns of the first deliveries of each of these webhooks' queues, as many as its count says.
   *
   * @param members of {@link membersOf} these counts
   */
  firstOfEach<Column extends keyof DeliveryTable>(
    counts: Given<readonly QueueCount[]>,
    members: number,
    columns: readonly Column[],
    queueOf: QueueOf,
  ): RawBuilder<QueuedDelivery<Column>>;

  /** Of how many members the text of {@link firstOfEach} consists. */
  membersOf(counts: readonly QueueCount[]): number;

  /**
   * Whether an update returns columns of the rows that it joins: a claim is one statement then, and
   * otherwise a transaction.
   */
  readonly returnsJoinedRows: boolean;

  /**
   * Whether an insertion from a `select` locks the numbering of ids until its end, for it does not
   * know how many it takes: beside others, a list of values is 1.4 times as fast.
   */
  readonly locksIdsOfSelect: boolean;

  /** Adds a webhook and returns its id. */
  insertWebhook(tables: Tables, webhook: Insertable<WebhookTable>): Promise<number>;

  /**
   * The id of a delivery in an `insert … select`, over the columns `dispatch.prefix`, `factor` and
   * `shift` and `subscriber.webhook_id`; undefined if such a statement would lock webhooks.
   */
  readonly selectedDeliveryId: RawBuilder<string> | undefined;

  /**
   * The insertion without the rows that are there already, with which a new one has that column in
   * common. Default: `event`.
   */
  ignoringWritten<Table extends keyof WebhookTables, Output>(
    insertion: InsertQueryBuilder<WebhookTables, Table, Output>,
    common?: string,
  ): InsertQueryBuilder<WebhookTables, Table, Output>;

  /** The insertion that overwrites these columns of the rows that are there. */
  overwriting<Table extends OfOneWebhook, Output>(
    insertion: InsertQueryBuilder<WebhookTables, Table, Output>,
    columns: readonly string[],
  ): InsertQueryBuilder<WebhookTables, Table, Output>;

  /**
   * Writes the keys that are not there yet in the given order, which therefore is the order in
   * which they are locked. Returns the dispatches whose key is new.
   *
   * Of two concurrent calls that write one key, one waits for the other. With `failsWhenLocked`, on
   * a database with row locks, it soon fails instead, as {@link isLocked} tells.
   */
  insertKeys(
    tables: Tables,
    keys: readonly IdempotencyKeyTable[],
    failsWhenLocked: boolean,
  ): Promise<readonly string[]>;

  /** The end of an insertion of counters that adds to those that exist, and keeps the later of two times. */
  readonly addsToCounters: RawBuilder<unknown>;

  /**
   * Writes each result whose claim is still current, counts those that end a delivery, and returns
   * what was written. No delivery comes twice. With `endsRuns` it also ends the run of failures of
   * each webhook with a success, when the first one ended.
   */
  writeResults(
    tables: Tables,
    results: readonly WritableResult[],
    endsRuns: boolean,
  ): Promise<readonly WrittenResult[]>;

  /**
   * Whether a `with` may write, and what follows read what it wrote: results are one statement then,
   * without a transaction, and so is what a purge removes.
   */
  readonly writesInWith: boolean;
}

/** The tables with at most one row for each webhook, by its id. */
export type OfOneWebhook = 'webhook_failures' | 'webhook_pauses';

/** How many rows of a webhook's queue to read. */
export interface QueueCount {
  readonly webhookId: number;
  readonly count: number;
}

/** A select of these columns of a webhook's first deliveries. */
export type QueueOf = (
  webhookId: RawBuilder<number>,
  count: RawBuilder<number>,
  columns: readonly (keyof DeliveryTable)[],
) => Expression<unknown>;

export type QueuedDelivery<Column extends keyof DeliveryTable> = Pick<Selectable<DeliveryTable>, Column> & {
  readonly webhook_id: number;
};

/** Row locks, as SQL to be appended to a `select`. The names are PostgreSQL's. */
export interface RowLocks {
  /** Locks the rows, and waits for those that another transaction has locked. */
  readonly forUpdate: RawBuilder<unknown>;
  /** Locks the rows, and skips those that another transaction has locked. */
  readonly forUpdateSkipLocked: RawBuilder<unknown>;
  /** Locks the rows for a change that keeps their ids, as an update of other columns does. */
  readonly forNoKeyUpdate: RawBuilder<unknown>;
}

/** An attempt's result in the form of a row. */
export interface WritableResult extends Omit<AttemptRecord, 'attemptLog'> {
  /** JSON text. */
  readonly attemptLog: string;
}

/** A result that was accepted, with what the database knows of its delivery. */
export interface WrittenResult {
  readonly id: number;
  readonly webhookId: number;
  readonly result: WritableResult;
  /** When it was written, by the clock that gives deliveries the time of their end. */
  readonly at: string;
  /** Whether it ended before, and was reopened. */
  readonly isReopened: boolean;
  /** Whether a run of failures is kept of its webhook that no success has ended. */
  readonly isFailing: boolean;
}

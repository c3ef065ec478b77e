import type {
  AliasedRawBuilder,
  Expression,
  Kysely,
  QueryExecutorProvider,
  RawBuilder,
  Selectable,
} from 'kysely';
import type { DeliveryStatus } from '../storage/records.ts';
import type { SchemaDialect } from './schema/schema-dialect.ts';
import type { ActivityTable, DeliveryTable, IdempotencyKeyTable, Tables } from './tables.ts';

/** What the storage needs to know of a database, each difference named once; nothing else knows which one it is. */
export interface WebhookDialect {
  /**
   * Whether a statement is a call into this process and transactions that write take turns. Elsewhere a statement is
   * a round trip, rows are locked one by one, and the clocks of processes differ.
   */
  readonly isEmbedded: boolean;

  /** How tables are defined. */
  readonly schema: SchemaDialect;

  /** Ends of a `select` from one table, for a transaction; empty where a writer is alone anyway. */
  readonly locks: RowLocks;

  /**
   * Runs `work` in a transaction in which each statement sees what others committed before it began, and which may
   * write from its start, where the database tells readers and writers apart and fails those that change over.
   */
  inTransaction<DB, Result>(
    db: Kysely<DB>,
    work: (transaction: Kysely<DB>) => Promise<Result>,
  ): Promise<Result>;

  /** Whether the error says that another connection was in the way: the same transaction may succeed in a moment. */
  isContention(error: unknown): boolean;

  /** Whether the error says that a unique index holds the value already, which another connection may have just committed. */
  isDuplicate(error: unknown): boolean;

  /** Whether the error says that a statement took longer than the database lets it. */
  isStatementTimeout(error: unknown): boolean;

  /** Whether the error says that a table or a column is not there. */
  isMissing(error: unknown): boolean;

  /** Which setting of the database or of the session would damage what is kept, and what to set; undefined where none does. */
  findFault(connection: QueryExecutorProvider): Promise<string | undefined>;

  /** A timestamp so many ms from the present: by the clock that all processes share, or by the caller's `nowMs`. */
  timestamp(nowMs: number, offsetMs?: number): RawBuilder<string>;

  /** Whether the text contains `part`: ASCII letters compare without case, every other character by itself. */
  containsText(text: Expression<string>, part: string): RawBuilder<boolean>;

  /**
   * Rows as one parameter, which the database takes for a table, in their order: the statement's text is the same
   * however many there are.
   */
  rowsOf<Row extends object, Name extends string>(
    rows: readonly Row[],
    name: Name,
    columns: { readonly [Column in keyof Row]: 'integer' | 'text' },
  ): AliasedRawBuilder<Row, Name>;

  /** A column to compare with, past its indexes where the database lets a statement say so: another one serves better. */
  pastIndexes<Type>(column: Expression<Type>): Expression<Type>;

  /** The deliveries, read through that index where the database can be told to. */
  deliveriesBy(index: string): AliasedRawBuilder<Selectable<DeliveryTable>, 'webhook_deliveries'>;

  /** Makes the transaction read rows in the order of an index that fits, where statistics may lead to a sort. */
  readInOrder(tables: Tables): Promise<void>;

  /**
   * The first webhooks with pending deliveries in that range of ids, in ascending order. Costs grow with the webhooks, not
   * with their deliveries.
   */
  pendingWebhooks(range: WebhookRange, limit: number): RawBuilder<{ webhook_id: number }>;

  /** The first deliveries of each of these webhooks' queues, as many as its count says. */
  firstOfEach(counts: readonly QueueCount[], queueOf: QueueOf): RawBuilder<QueuedDelivery>;

  /** Adds a webhook and answers its id. */
  insertWebhook(tables: Tables, webhook: NewWebhookRow): Promise<number>;

  /**
   * Writes keys in the order given, which so is the order in which they are locked, and answers those that were not there.
   * Of two that write one at once, one waits for the other, about `maxWaitMs` at most, where it is given and the database has
   * locks of single rows; then it fails with contention.
   */
  insertKeys(
    tables: Tables,
    keys: readonly IdempotencyKeyTable[],
    maxWaitMs?: number,
  ): Promise<readonly Pick<IdempotencyKeyTable, 'event' | 'key'>[]>;

  /** Adds to counters, which begin at zero, and keeps the later of two times, in the order given: so are they locked. */
  addToCounters(tables: Tables, rows: readonly ActivityTable[]): Promise<void>;

  /** Writes each result whose claim still holds, and answers which were written. No id comes twice. */
  writeResults(tables: Tables, results: readonly AttemptResult[]): Promise<WrittenResult[]>;
}

/** Ids of webhooks, from the one after `after` to `until`. */
export interface WebhookRange {
  readonly after: number;
  readonly until: number;
}

/** How many rows of a webhook's queue to read. */
export interface QueueCount {
  readonly webhookId: number;
  readonly count: number;
}

/** A select of the ids of a webhook's first deliveries. */
export type QueueOf = (
  webhookId: RawBuilder<number>,
  count: RawBuilder<number>,
) => Expression<{ readonly id: number }>;

export interface QueuedDelivery {
  readonly id: number;
  readonly webhook_id: number;
}

/** SQL to be appended to a `select`. */
export interface RowLocks {
  /** Locks the rows, and waits for those that somebody else has locked. */
  readonly rows: RawBuilder<unknown>;
  /** Locks the rows, and leaves out those that somebody else has locked. */
  readonly freeRows: RawBuilder<unknown>;
  /** Locks the rows for a change that keeps their ids: as an update of other columns does, and no more. */
  readonly changed: RawBuilder<unknown>;
  /** Keeps the rows from being deleted, and lets others do the same. */
  readonly kept: RawBuilder<unknown>;
  /** The same, but fails with contention, where it would wait for somebody else's lock. */
  readonly keptNow: RawBuilder<unknown>;
}

export interface NewWebhookRow {
  readonly url: string;
  readonly secret: string;
  readonly description: string;
  readonly events: string;
  readonly is_active: number;
  readonly created_by: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** An attempt's result as a row takes it. */
export interface AttemptResult {
  readonly id: number;
  readonly claimToken: string;
  readonly status: DeliveryStatus;
  readonly statusCode: number;
  readonly responseBody: string;
  readonly error: string;
  /** JSON text. */
  readonly attemptLog: string;
  readonly activation: number;
  readonly now: number;
  readonly retryInMs: number;
}

/** A result that was accepted, and what the counters need to know of its row. */
export interface WrittenResult {
  readonly id: number;
  readonly webhookId: number;
  readonly createdAt: string;
  /** When it ended; says nothing where more attempts are to come. */
  readonly completedAt: string | null;
  /** Whether the counters knew of the row while it was pending. */
  readonly wasCounted: boolean;
}

import type { Kysely, QueryExecutorProvider } from 'kysely';
import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { memberOf } from '../../../toolkit/src/kysely/driver-errors.ts';
import { acceptTransactions, type HostTransactions } from '../../../toolkit/src/kysely/host-transactions.ts';
import { connectionDestroyer } from '../../../toolkit/src/kysely/pool-signals.ts';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import {
  type StatementTexts,
  type TableNaming,
  tablesOf,
} from '../../../toolkit/src/kysely/table-names/table-naming.ts';
import { retryContention } from '../../../toolkit/src/retry-contention.ts';
import { WebhookError } from '../errors.ts';
import { redactedError } from '../logging/redacted-error.ts';
import { findDialect } from './find-dialect.ts';
import { webhookNaming } from './names.ts';
import type { Tables, WebhookTables } from './tables.ts';
import type { WebhookDialect } from './webhook-dialect.ts';

/** The host's database as the storage uses it. */
export interface DatabaseAccess extends Pick<HostTransactions, 'learnDatabase'> {
  readonly dialect: WebhookDialect;
  readonly naming: TableNaming;

  /**
   * Runs statements, each in a transaction of its own: those that read, and one that writes by
   * itself. Tries again after contention.
   */
  run<Result>(work: (tables: Tables) => Promise<Result>, options?: WaitOptions<Result>): Promise<Result>;

  /** Runs statements that read, as {@link WebhookDialect.withoutCompiling} does. */
  readUncompiled<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;

  /**
   * Runs `work` in a transaction that may write from its start. After contention it runs `work`
   * again from its start, so `work` must have no effect outside of it.
   */
  write<Result>(work: (tables: Tables) => Promise<Result>, options?: WaitOptions<Result>): Promise<Result>;

  /**
   * Runs `work`, of which one statement writes, outside of a transaction. After contention it runs
   * as `write` does: where a host's sessions are stricter than `read committed`, single statements
   * fail beside one another.
   */
  writeAtOnce<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;

  /**
   * Runs `work` once in a transaction of the host's, who decides how long it waits for locks.
   *
   * @throws WebhookError `invalid_options` as {@link HostTransactions.within} says
   */
  within<Result>(transaction: object, work: (tables: Tables) => Promise<Result>): Promise<Result>;
}

/** What contention is waited for. */
export interface WaitOptions<Result> {
  /** The answer, at once, where another transaction keeps a row locked. Default: tried again. */
  readonly ifLocked?: () => Result;
}

/** What a dispatch reads and writes in a host's transaction. */
const HOST_TABLES = [
  'webhooks',
  'webhook_patterns',
  'webhook_deliveries',
  'webhook_idempotency_keys',
] as const;

/**
 * @throws TypeError when `db` is no supported database, or a transaction; for an option that is out
 *   of bounds, and for `withSchema` without the option `schema`
 */
export function accessDatabase<DB>(db: Kysely<DB>, options: TableNameOptions = {}): DatabaseAccess {
  const dialect = findDialect(db);
  if (db.isTransaction) throw new TypeError('db must be a Kysely instance, not a transaction of one');
  const naming = webhookNaming(db, options, dialect.name);
  const texts: StatementTexts = new Map();
  const tablesOn = (host: QueryExecutorProvider) => tablesOf<WebhookTables>(host, naming, texts);
  const tables = tablesOn(db);
  const { within, learnDatabase } = acceptTransactions({
    db,
    name: dialect.name,
    tables: HOST_TABLES,
    naming,
    onOwnConnection: (work) => onBoundedConnection(db, work),
  });

  async function own<Result>(
    work: () => Promise<Result>,
    { ifLocked }: WaitOptions<Result>,
  ): Promise<Result> {
    const result = await retryContention(dialect, () =>
      work().catch((error: unknown) => {
        if (ifLocked === undefined || !dialect.isLocked(error)) throw error;
        return ifLocked();
      }),
    ).catch(sayHowToMigrate(dialect));
    void learnDatabase();
    return result;
  }

  const write: DatabaseAccess['write'] = (work, options = {}) =>
    own(() => dialect.inTransaction(db, (transaction) => work(tablesOn(transaction))), options);

  return {
    dialect,
    naming,
    learnDatabase,
    run: (work, options = {}) => own(() => work(tables), options),
    readUncompiled: (work) =>
      own(() => dialect.withoutCompiling?.(db, (on) => work(tablesOn(on))) ?? work(tables), {}),
    write,
    async writeAtOnce(work) {
      try {
        return await work(tables);
      } catch (error) {
        if (!dialect.isContention(error)) throw error;
        return await write(work);
      }
    },
    within: (transaction, work) =>
      within(transaction, (host, plugin) => {
        const executorOf = (own: QueryExecutorProvider) => naming.executorOf(own).withPlugin(plugin);
        return work(tablesOf<WebhookTables>(host, { executorOf }));
      })
        .catch(sayHowToMigrate(dialect))
        .catch(asInvalidOptions),
  };
}

/** How long the database may take to say which one it is, ms. */
const MAX_ANSWER_MS = 5_000;

/** Works on a connection that is destroyed if its answer is lost. */
function onBoundedConnection<DB, Result>(
  db: Kysely<DB>,
  work: (own: QueryExecutorProvider) => Promise<Result>,
): Promise<Result> {
  const executor = db.getExecutor();
  return executor.provideConnection(async (connection) => {
    const alone = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) });
    const own = { getExecutor: () => alone };
    const destroy = await connectionDestroyer(own);
    const answer = work(own);
    const toldToEnd = () => {
      destroy();
      return answer;
    };
    return withDeadline(answer, MAX_ANSWER_MS, toldToEnd, { unref: true });
  });
}

/** How ORMs spell in their own message what the driver said of a table or a column that lacks. */
const MISSING = /\b(relation|column|table) .*(does not|doesn't) exist|\bno such (table|column): /i;

/** Says what to run where a table or a column does not exist. */
function sayHowToMigrate({ isMissing }: WebhookDialect): (error: unknown) => never {
  return (error) => {
    const errors = [error, memberOf(error, 'cause')];
    if (!errors.some((one) => isMissing(one) || MISSING.test(String(memberOf(one, 'message'))))) throw error;
    throw new WebhookError(
      'storage_unavailable',
      'The database lacks a table or a column of @acme/webhooks: run migrateWebhooks(db) at every start',
      { cause: redactedError(error) },
    );
  };
}

/** A `TypeError` says what the host got wrong; every other error is the database's. */
function asInvalidOptions(error: unknown): never {
  if (error instanceof TypeError) {
    const message = error.message.replace(/^(?!transaction )/, 'transaction: ');
    throw new WebhookError('invalid_options', message, { cause: error });
  }
  throw error;
}

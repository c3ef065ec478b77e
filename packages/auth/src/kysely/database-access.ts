import type { Kysely, QueryExecutorProvider } from 'kysely';
import { acceptTransactions } from '../../../toolkit/src/kysely/host-transactions.ts';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { tablesOf } from '../../../toolkit/src/kysely/table-names/table-naming.ts';
import { type RetryBounds, retryContention } from '../../../toolkit/src/retry-contention.ts';
import type { HostTransaction } from '../host-transaction.ts';
import { DatabaseLateError, onBoundedConnection } from './bounded-connection.ts';
import { type AuthDialect, findDialect, MAX_STATEMENT_MS } from './dialect.ts';
import { authNaming } from './names.ts';
import type { AuthTables, Tables } from './tables.ts';

/**
 * How contention is retried. The last try begins 10 s after the first at most, because a lock wait
 * of the database may take most of the time that a try is given.
 */
export const CONTENTION_BOUNDS: RetryBounds = { maxMs: 10_000 };

/** What is written in a host's transaction. */
const TRANSACTION_TABLES = ['refresh_tokens', 'one_time_tokens'] as const;

/**
 * The host's database as the stores use it. Each try is bounded: see {@link onBoundedConnection}.
 */
export interface DatabaseAccess {
  readonly dialect: AuthDialect;

  /** Runs one statement that only reads, and repeats it after contention. */
  read<Result>(statement: (tables: Tables) => Promise<Result>): Promise<Result>;

  /**
   * Runs `work` in a transaction that may write from its start. After contention it repeats `work`,
   * which must therefore have no effect outside the transaction. A single statement has a
   * transaction, too: a statement that waits for a lock of the server cannot be cancelled, but a
   * transaction can be rolled back.
   */
  write<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;

  /**
   * Runs `work` once in the host's transaction. After a failure, the host repeats its transaction
   * from the start.
   *
   * @throws TypeError when it is neither a transaction of the store's Kysely instance nor an open
   *   one of another driver on the same database; when it has ended meanwhile, as far as that can
   *   be seen; when it comes from `withSchema` and the store has no option `schema`
   */
  within<Result>(transaction: HostTransaction, work: (tables: Tables) => Promise<Result>): Promise<Result>;
}

/**
 * @throws TypeError when `db` is not a supported database, is a transaction, or comes from
 *   `withSchema` without the option `schema`; when an option is out of bounds
 */
export function accessDatabase<DB>(db: Kysely<DB>, options: TableNameOptions = {}): DatabaseAccess {
  const dialect = findDialect(db);
  if (db.isTransaction) throw new TypeError('db must be a Kysely instance, not a transaction of one');
  const naming = authNaming(db, options, dialect.name);
  const tablesOn = (host: QueryExecutorProvider) => tablesOf<AuthTables>(host, naming);
  const own = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = await retryContention(dialect, work, CONTENTION_BOUNDS);
    void learnDatabase();
    return result;
  };
  const read: DatabaseAccess['read'] = (statement) =>
    own(() => onBoundedConnection(db, (connection) => statement(tablesOn(connection))));
  const writeOnce: DatabaseAccess['write'] = (work) =>
    onBoundedConnection(db, async (connection, conclude) => {
      const begunAt = performance.now();
      try {
        return await dialect.transactionOn(connection).execute(async (transaction) => {
          const transactionTables = tablesOn(transaction);
          await dialect.becomeWriter(transactionTables);
          const result = await work(transactionTables);
          conclude();
          return result;
        });
      } catch (error) {
        const isLate = dialect.isCanceled(error) && performance.now() - begunAt >= MAX_STATEMENT_MS;
        throw isLate ? new DatabaseLateError(false) : error;
      }
    });
  const write: DatabaseAccess['write'] = (work) => own(() => writeOnce(work));
  const { within: accept, learnDatabase } = acceptTransactions({
    db,
    name: dialect.name,
    tables: TRANSACTION_TABLES,
    naming,
    onOwnConnection: (work) => onBoundedConnection(db, work),
  });
  const within: DatabaseAccess['within'] = (transaction, work) =>
    accept(transaction, (host, plugin) => work(tablesOn(host).withPlugin(plugin)));
  return { dialect, read, write, within };
}

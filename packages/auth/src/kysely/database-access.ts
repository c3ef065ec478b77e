import type { Kysely, QueryExecutorProvider, Transaction } from 'kysely';
import { acceptSqlTransactions } from '../../../toolkit/src/kysely/sql-transactions.ts';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { SCHEMA_IS_AN_OPTION } from '../../../toolkit/src/kysely/table-names/table-naming.ts';
import { type RetryBounds, retryContention } from '../../../toolkit/src/retry-contention.ts';
import { isSqlTransaction } from '../../../toolkit/src/transactions/sql-transaction.ts';
import type { HostTransaction } from '../sessions/store/session-store.ts';
import { onBoundedConnection } from './bounded-connection.ts';
import { type AuthDialect, findDialect } from './dialect.ts';
import { authNaming } from './names.ts';
import { type Tables, tableNameIn, tablesOf } from './tables.ts';

/**
 * How contention is retried. The last try begins 10 s after the first at most, because a lock wait
 * of the database may take most of the time that a try is given.
 */
export const CONTENTION_BOUNDS: RetryBounds = { maxMs: 10_000 };

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
   * @throws TypeError when it is neither a Kysely transaction nor an open one of another driver, or
   *   is on another kind of database; when it comes from `withSchema` and the store has no option
   *   `schema`. One of another driver is also compared by its database
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
  const tablesOn = (host: QueryExecutorProvider) => tablesOf(host, naming);
  const read: DatabaseAccess['read'] = (statement) =>
    retryContention(
      dialect,
      () => onBoundedConnection(db, (connection) => statement(tablesOn(connection))),
      CONTENTION_BOUNDS,
    );
  const writeOnce: DatabaseAccess['write'] = (work) =>
    onBoundedConnection(db, (connection, conclude) =>
      dialect.transactionOn(connection).execute(async (transaction) => {
        const transactionTables = tablesOn(transaction);
        await dialect.becomeWriter(transactionTables);
        const result = await work(transactionTables);
        conclude();
        return result;
      }),
    );
  const write: DatabaseAccess['write'] = (work) =>
    retryContention(dialect, () => writeOnce(work), CONTENTION_BOUNDS);
  const table = tableNameIn(tablesOn(db), 'refresh_tokens');
  const acceptSqlTransaction = acceptSqlTransactions({ db, name: dialect.name, table });
  const within: DatabaseAccess['within'] = async (transaction, work) => {
    if (isSqlTransaction(transaction)) return await work(tablesOn(await acceptSqlTransaction(transaction)));
    if (!isKyselyTransaction(transaction) || findDialect(transaction) !== dialect) {
      throw new TypeError(
        'transaction must be an open Kysely transaction on the database of the store, or what @acme/auth/transactions makes of one of another driver',
      );
    }
    if (naming.overlooksSchemaOf(transaction)) throw new TypeError(`transaction ${SCHEMA_IS_AN_OPTION}`);
    return await work(tablesOn(transaction));
  };
  return { dialect, read, write, within };
}

/**
 * Checks the members, because an application may load both the ESM and the CommonJS build of
 * Kysely.
 */
function isKyselyTransaction(value: HostTransaction): value is Transaction<unknown> {
  return value !== null && 'isTransaction' in value && value.isTransaction && 'getExecutor' in value;
}

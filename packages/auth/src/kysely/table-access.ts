import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { HostTransaction } from '../sessions/session-store.ts';
import { onBoundedConnection } from './bounded-connection.ts';
import { type AuthDialect, dialectOf } from './dialect.ts';
import { type Tables, tablesOf } from './tables.ts';

/** How often a transaction that another connection was in the way of is tried again: for about 2 s in all. */
const MAX_CONTENTION_RETRIES = 12;
const FIRST_RETRY_DELAY_MS = 5;
const MAX_RETRY_DELAY_MS = 250;
/** No try begins later than this after the first: a lock wait of the database's own may take most of a minute. */
const MAX_CONTENTION_MS = 10_000;

/** The host's database as the stores use it. Each try is bounded: see {@link onBoundedConnection}. */
export interface TableAccess {
  readonly dialect: AuthDialect;

  /** Runs one statement that only reads; again when another connection was in the way. */
  read<Result>(statement: (tables: Tables) => Promise<Result>): Promise<Result>;

  /**
   * Runs `work` in a transaction that may write from its start; again from its start when another connection was in
   * the way, so `work` must have no effect outside of it. One statement has a transaction, too: a statement that waits
   * for a lock of the server's cannot be called back, a transaction can be rolled back.
   */
  write<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;

  /**
   * Runs `work` in a transaction of the host's, once: what fails there is the host's to repeat, from its start.
   *
   * @throws TypeError when it is no transaction of Kysely's, or one of another kind of database
   */
  within<Result>(transaction: HostTransaction, work: (tables: Tables) => Promise<Result>): Promise<Result>;
}

/**
 * @throws TypeError when `db` is no supported database, or a transaction
 */
export function accessTables<DB>(db: Kysely<DB>): TableAccess {
  const dialect = dialectOf(db);
  if (db.isTransaction) throw new TypeError('db must be a Kysely instance, not a transaction of one');
  const read: TableAccess['read'] = (statement) =>
    retryContention(dialect, () => onBoundedConnection(db, (connection) => statement(tablesOf(connection))));
  const write: TableAccess['write'] = (work) =>
    retryContention(dialect, () =>
      onBoundedConnection(db, (connection, conclude) =>
        dialect.transactionOn(connection).execute(async (transaction) => {
          const transactionTables = tablesOf(transaction);
          await dialect.becomeWriter(transactionTables);
          const result = await work(transactionTables);
          conclude();
          return result;
        }),
      ),
    );
  const within: TableAccess['within'] = async (transaction, work) => {
    if (!isKyselyTransaction(transaction) || dialectOf(transaction) !== dialect) {
      throw new TypeError('transaction must be an open Kysely transaction on the database of the store');
    }
    return await work(tablesOf(transaction));
  };
  return { dialect, read, write, within };
}

/** By its members: an application may load both the ESM and the CommonJS build of Kysely. */
function isKyselyTransaction(value: HostTransaction): value is Transaction<unknown> {
  return value?.isTransaction === true && 'getExecutor' in value;
}

/** Runs `work` until it succeeds, fails for another reason than contention, or has had its retries. */
export async function retryContention<Result>(
  dialect: Pick<AuthDialect, 'isContention'>,
  work: () => Promise<Result>,
  pause: (ms: number) => Promise<unknown> = sleep,
  clock: () => number = Date.now,
): Promise<Result> {
  const startedAt = clock();
  for (let retry = 0; ; retry++) {
    try {
      return await work();
    } catch (error) {
      const isOver = retry === MAX_CONTENTION_RETRIES || clock() - startedAt >= MAX_CONTENTION_MS;
      if (isOver || !dialect.isContention(error)) throw error;
    }
    const delayMs = Math.min(FIRST_RETRY_DELAY_MS * 2 ** retry, MAX_RETRY_DELAY_MS);
    // Processes that collided once part ways: each waits between half and the whole of the delay.
    await pause(delayMs * (0.5 + Math.random() / 2));
  }
}

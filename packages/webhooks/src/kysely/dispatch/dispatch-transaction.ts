import type { Kysely, QueryExecutorProvider, Transaction } from 'kysely';
import { acceptSqlTransactions } from '../../../../toolkit/src/kysely/sql-transactions.ts';
import { SCHEMA_IS_AN_OPTION } from '../../../../toolkit/src/kysely/table-names/table-naming.ts';
import {
  isSqlTransaction,
  type SqlTransaction,
} from '../../../../toolkit/src/transactions/sql-transaction.ts';
import { WebhookError } from '../../errors.ts';
import type { DispatchReceipt, DispatchRecord } from '../../storage/delivery-requests.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { type Tables, tableNameIn } from '../tables.ts';
import { recordDispatches } from './record-dispatches.ts';

/** Writes dispatches: on the host's transaction, or in one of its own. */
export function createDispatching<DB>(
  db: Kysely<DB>,
  access: DatabaseAccess,
): WebhookStorage<Transaction<DB> | SqlTransaction>['recordDispatches'] {
  const { dialect, naming, tablesOn, write, writeOnce } = access;
  const table = tableNameIn(tablesOn(db), 'webhook_deliveries');
  const acceptSqlTransaction = acceptSqlTransactions({ db, name: dialect.name, table });

  /** @throws WebhookError `invalid_options` */
  async function tablesIn(transaction: Transaction<DB> | SqlTransaction): Promise<Tables> {
    if (isSqlTransaction(transaction)) {
      return tablesOn(await acceptSqlTransaction(transaction).catch(asInvalidOptions));
    }
    assertTransactionOf(db, transaction);
    if (naming.overlooksSchemaOf(transaction)) {
      throw new WebhookError('invalid_options', `transaction ${SCHEMA_IS_AN_OPTION}`);
    }
    return tablesOn(transaction);
  }

  /**
   * Tries a retry once more when an earlier try has just committed: the second try sees what that
   * wrote.
   */
  async function afterDuplicate(
    dispatches: readonly DispatchRecord[],
    record: () => Promise<DispatchReceipt[]>,
  ): Promise<DispatchReceipt[]> {
    try {
      return await record();
    } catch (error) {
      const isRetry = dispatches.some((dispatch) => dispatch.isRetry === true);
      if (!isRetry || !dialect.isDuplicate(error)) throw error;
      return record();
    }
  }

  return async (dispatches, transaction, maxWaitMs) => {
    if (dispatches.length === 0) return [];
    if (transaction !== undefined) {
      const tables = await tablesIn(transaction);
      return recordDispatches(tables, dialect, dispatches, { isHostTransaction: true });
    }
    // A database with one writer has no row locks: it is busy, or it is not.
    const waitsForLocks = maxWaitMs === undefined || dialect.isEmbedded;
    const run = waitsForLocks ? write : writeOnce;
    const context = { isHostTransaction: false, maxWaitMs: waitsForLocks ? undefined : maxWaitMs };
    return afterDuplicate(dispatches, () =>
      run((tables) => recordDispatches(tables, dialect, dispatches, context)),
    );
  };
}

/**
 * @throws WebhookError `invalid_options` unless it is a transaction of the storage's own Kysely
 *   instance
 */
function assertTransactionOf(
  db: QueryExecutorProvider,
  transaction: Partial<QueryExecutorProvider> & { readonly isTransaction?: unknown },
): void {
  // An instance would fit the parameter's shape at run time, and write outside of any transaction.
  if (transaction.isTransaction !== true || typeof transaction.getExecutor !== 'function') {
    throw new WebhookError(
      'invalid_options',
      'transaction must be a Kysely transaction, or what @acme/webhooks/transactions makes of one of another driver, not an instance or a connection',
    );
  }
  // Every instance creates an adapter, which its transactions and derived instances share.
  if (transaction.getExecutor().adapter !== db.getExecutor().adapter) {
    throw new WebhookError(
      'invalid_options',
      'transaction must be one of the Kysely instance that the storage was made with: this is one of another instance',
    );
  }
}

/** A `TypeError` says what the host got wrong; every other error is the database's. */
function asInvalidOptions(error: unknown): never {
  if (error instanceof TypeError) {
    throw new WebhookError('invalid_options', `transaction: ${error.message}`, { cause: error });
  }
  throw error;
}

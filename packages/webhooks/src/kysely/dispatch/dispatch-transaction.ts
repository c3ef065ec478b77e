import type { Kysely, Transaction } from 'kysely';
import { acceptTransactions } from '../../../../toolkit/src/kysely/host-transactions.ts';
import type { SqlTransaction } from '../../../../toolkit/src/transactions/sql-transaction.ts';
import { WebhookError } from '../../errors.ts';
import type { DispatchReceipt, DispatchRecord } from '../../storage/delivery-requests.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { tableNameIn } from '../tables.ts';
import { withDispatchId } from './dispatch-with-id.ts';
import { recordDispatches } from './record-dispatches.ts';
import { withdrawKeys } from './withdraw-keys.ts';

/** What a dispatch reads and writes in a host's transaction. */
const DISPATCH_TABLES = [
  'webhooks',
  'webhook_patterns',
  'webhook_deliveries',
  'webhook_idempotency_keys',
] as const;

/** Writes dispatches: on the host's transaction, or in one of its own. */
export function createDispatching<DB>(
  db: Kysely<DB>,
  access: DatabaseAccess,
): WebhookStorage<Transaction<DB> | SqlTransaction>['recordDispatches'] {
  const { dialect, naming, tablesOn, write, writeOnce } = access;
  const named = tablesOn(db);
  const tables = DISPATCH_TABLES.map((table) => tableNameIn(named, table));
  const within = acceptTransactions({
    db,
    name: dialect.name,
    tables,
    overlooksSchemaOf: naming.overlooksSchemaOf,
  });

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
      const identified = dispatches.map(withDispatchId);
      return within(transaction, async (host, plugin) => {
        const tables = tablesOn(host).withPlugin(plugin);
        try {
          return await recordDispatches(tables, dialect, identified, { isHostTransaction: true });
        } catch (error) {
          if (dialect.name !== 'postgres') await withdrawKeys(access, identified);
          throw error;
        }
      }).catch(asInvalidOptions);
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

/** A `TypeError` says what the host got wrong; every other error is the database's. */
function asInvalidOptions(error: unknown): never {
  if (error instanceof TypeError) {
    const message = error.message.replace(/^(?!transaction )/, 'transaction: ');
    throw new WebhookError('invalid_options', message, { cause: error });
  }
  throw error;
}

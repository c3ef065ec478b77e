import type { Kysely, Transaction } from 'kysely';
import { acceptTransactions } from '../../../../toolkit/src/kysely/host-transactions.ts';
import type { SqlTransaction } from '../../../../toolkit/src/transactions/sql-transaction.ts';
import { WebhookError } from '../../errors.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { type Tables, tableNameIn } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { type DispatchWithId, firstOfEachKey, type Receipts } from './keyed-dispatch.ts';
import { withdrawKeys } from './withdraw-keys.ts';

/** What a dispatch reads and writes in a host's transaction. */
const DISPATCH_TABLES = [
  'webhooks',
  'webhook_patterns',
  'webhook_deliveries',
  'webhook_idempotency_keys',
] as const;

/** Writes dispatches in a transaction, for a host's transaction too. */
type WriteInTransaction = (
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchWithId[],
  options: { readonly isRetry: boolean; readonly failsWhenLocked: boolean },
) => Promise<Receipts>;

/** Writes dispatches on transactions of the host's, who decides how long they wait for locks. */
export function createHostDispatching<DB>(
  db: Kysely<DB>,
  access: DatabaseAccess,
  write: WriteInTransaction,
): (
  transaction: Transaction<DB> | SqlTransaction,
  dispatches: readonly DispatchWithId[],
) => Promise<Receipts> {
  const { dialect, naming, tablesOn } = access;
  const named = tablesOn(db);
  const within = acceptTransactions({
    db,
    name: dialect.name,
    tables: DISPATCH_TABLES.map((table) => tableNameIn(named, table)),
    overlooksSchemaOf: naming.overlooksSchemaOf,
  });
  return (transaction, dispatches) =>
    within(transaction, async (host, plugin) => {
      const tables = tablesOn(host).withPlugin(plugin);
      try {
        const options = {
          isRetry: dispatches.some(({ isRetry }) => isRetry === true),
          failsWhenLocked: false,
        };
        return await write(tables, dialect, firstOfEachKey(dispatches), options);
      } catch (error) {
        if (dialect.name !== 'postgres') await withdrawKeys(access, dispatches);
        throw error;
      }
    }).catch(asInvalidOptions);
}

/** A `TypeError` says what the host got wrong; every other error is the database's. */
function asInvalidOptions(error: unknown): never {
  if (error instanceof TypeError) {
    const message = error.message.replace(/^(?!transaction )/, 'transaction: ');
    throw new WebhookError('invalid_options', message, { cause: error });
  }
  throw error;
}

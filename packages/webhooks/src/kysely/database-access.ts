import type { Kysely, QueryExecutorProvider } from 'kysely';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import type { TableNaming } from '../../../toolkit/src/kysely/table-names/table-naming.ts';
import { retryContention } from '../../../toolkit/src/retry-contention.ts';
import { findDialect } from './find-dialect.ts';
import { webhookNaming } from './names.ts';
import { type Tables, tablesOf } from './tables.ts';
import type { WebhookDialect } from './webhook-dialect.ts';

/** The host's database as the storage uses it. */
export interface DatabaseAccess {
  readonly dialect: WebhookDialect;
  readonly naming: TableNaming;

  /** Our tables, over a transaction of the host's. */
  tablesOn(transaction: QueryExecutorProvider): Tables;

  /**
   * Runs statements outside of a transaction: those that read, and one that writes by itself.
   * Tries again after contention.
   */
  read<Result>(work: (tables: Tables) => Promise<Result>, options?: WaitOptions): Promise<Result>;

  /**
   * Runs `work` in a transaction that may write from its start. After contention it runs `work`
   * again from its start, so `work` must have no effect outside of it.
   */
  write<Result>(work: (tables: Tables) => Promise<Result>, options?: WaitOptions): Promise<Result>;
}

/** What contention is waited for. */
export interface WaitOptions {
  /** Fails at once where another transaction keeps a row locked. Default: false. */
  readonly failsWhenLocked?: boolean;
}

/**
 * @throws TypeError when `db` is no supported database, or a transaction; for an option that is out
 *   of bounds, and for `withSchema` without the option `schema`
 */
export function accessDatabase<DB>(db: Kysely<DB>, options: TableNameOptions = {}): DatabaseAccess {
  const dialect = findDialect(db);
  if (db.isTransaction) throw new TypeError('db must be a Kysely instance, not a transaction of one');
  const naming = webhookNaming(db, options, dialect.name);
  const tablesOn: DatabaseAccess['tablesOn'] = (host) => tablesOf(host, naming);
  const tables = tablesOn(db);
  const judgeFor = ({ failsWhenLocked = false }: WaitOptions) => ({
    isContention: (error: unknown) =>
      dialect.isContention(error) && !(failsWhenLocked && dialect.isLocked(error)),
  });
  return {
    dialect,
    naming,
    tablesOn,
    read: (work, options = {}) => retryContention(judgeFor(options), () => work(tables)),
    write: (work, options = {}) =>
      retryContention(judgeFor(options), () =>
        dialect.inTransaction(db, (transaction) => work(tablesOn(transaction))),
      ),
  };
}

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

  /** Runs statements that only read. */
  read<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;

  /**
   * Runs `work` in a transaction that may write from its start. After contention it runs `work`
   * again from its start, so `work` must have no effect outside of it.
   */
  write<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;

  /** The same, but fails at once with contention. */
  writeOnce<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;
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
  const writeOnce: DatabaseAccess['writeOnce'] = (work) =>
    dialect.inTransaction(db, (transaction) => work(tablesOn(transaction)));
  return {
    dialect,
    naming,
    tablesOn,
    read: (work) => retryContention(dialect, () => work(tables)),
    write: (work) => retryContention(dialect, () => writeOnce(work)),
    writeOnce,
  };
}

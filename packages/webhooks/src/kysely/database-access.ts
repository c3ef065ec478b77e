import type { Kysely } from 'kysely';
import { retryContention } from '../../../toolkit/src/retry-contention.ts';
import { findDialect } from './find-dialect.ts';
import { type Tables, tablesOf } from './tables.ts';
import type { WebhookDialect } from './webhook-dialect.ts';

/** The host's database as the storage uses it. */
export interface DatabaseAccess {
  readonly dialect: WebhookDialect;

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
 * @throws TypeError when `db` is no supported database, or a transaction
 */
export function accessDatabase<DB>(db: Kysely<DB>): DatabaseAccess {
  const dialect = findDialect(db);
  if (db.isTransaction) throw new TypeError('db must be a Kysely instance, not a transaction of one');
  const tables = tablesOf(db);
  const writeOnce: DatabaseAccess['writeOnce'] = (work) =>
    dialect.inTransaction(db, (transaction) => work(tablesOf(transaction)));
  return {
    dialect,
    read: (work) => retryContention(dialect, () => work(tables)),
    write: (work) => retryContention(dialect, () => writeOnce(work)),
    writeOnce,
  };
}

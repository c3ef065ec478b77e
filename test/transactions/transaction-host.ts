import type { DatabaseName } from '../../packages/toolkit/src/database-name.ts';
import type { SqlTransaction } from '../../packages/toolkit/src/transactions/sql-transaction.ts';

/** A library with which an application reaches its database. */
export interface TransactionHost {
  readonly name: string;
  /** The file that exports it as `host`, for a process that loads no other library. */
  readonly module: string;
  readonly databases: readonly DatabaseName[];
  /** Connects to the database at `sqlite:<path>`, `postgres://…` or `mysql://…`. */
  connect(url: string): Promise<ConnectedHost>;
}

export interface ConnectedHost {
  /** Runs work in a transaction of the library. It rolls back when the work rejects. */
  transaction<Result>(work: (transaction: HostTransaction) => Promise<Result>): Promise<Result>;
  /** Makes a {@link SqlTransaction} of what is no transaction: an instance, a pool. */
  withoutTransaction(): SqlTransaction;
  close(): Promise<void>;
}

export interface HostTransaction {
  /** What a function of `@acme/webhooks/transactions` or `@acme/auth/transactions` made. */
  readonly transaction: SqlTransaction;
  /** Runs a statement of the application's own. */
  run(statement: string): Promise<unknown>;
}

/** The database of a URL. */
export function databaseAt(url: string): DatabaseName {
  const { protocol } = new URL(url);
  if (protocol === 'sqlite:') return 'sqlite';
  return protocol.startsWith('postgres') ? 'postgres' : 'mysql';
}

/** The file of `sqlite:<path>`. */
export function sqlitePathOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname);
}

import type { DatabaseName } from '../database-name.ts';

/**
 * An open transaction of a driver or an ORM, as a store uses it. `fromPg`, `fromMysql2`,
 * `fromDrizzle`, `fromPrisma`, `fromTypeorm`, `fromKnex` and `fromSequelize` make one; for another
 * driver, implement `execute`.
 *
 * ```ts
 * // postgres.js
 * const transaction: SqlTransaction = {
 *   execute: (text, parameters) => sql.unsafe(text, parameters),
 * };
 * ```
 */
export interface SqlTransaction {
  /**
   * Runs one statement in the transaction and resolves with its rows, as objects by column name; an
   * empty array if it returns none. Rejects with the driver's own error: on MySQL and MariaDB its
   * `errno` is read.
   *
   * @param sql with `$1`, `$2`, … on PostgreSQL, each once and in order, and `?` elsewhere
   * @param parameters texts, numbers and nulls
   */
  execute(sql: string, parameters: readonly unknown[]): Promise<readonly object[]>;
  /** The database, MariaDB as `mysql`: another than the store's is refused. Default: unknown. */
  readonly database?: DatabaseName | undefined;
  /**
   * Called before each use.
   *
   * @throws TypeError when the transaction has not begun, or has ended. Default: nothing is checked
   */
  assertOpen?(): void | Promise<void>;
}

/** Returns true if the value has the one method of a {@link SqlTransaction}. */
export function isSqlTransaction(value: unknown): value is SqlTransaction {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'execute') === 'function';
}

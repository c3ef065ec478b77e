import type { SqlTransaction } from './sql-transaction.ts';

/** By connection, the last statement that was given to it. */
const lastStatements = new WeakMap<object, Promise<unknown>>();

/**
 * Runs the statements of a connection one after the other, whichever object brings them: of two
 * concurrent dispatches, a client of pg 9 would refuse the second.
 */
export function inTurn(connection: object, execute: SqlTransaction['execute']): SqlTransaction['execute'] {
  return (sql, parameters) => {
    const last = lastStatements.get(connection) ?? Promise.resolve();
    const statement = last.then(() => execute(sql, parameters));
    lastStatements.set(
      connection,
      statement.catch(() => undefined),
    );
    return statement;
  };
}

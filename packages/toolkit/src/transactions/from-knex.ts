import type { DatabaseName } from '../database-name.ts';
import { inTurn } from './in-turn.ts';
import { rowsOf } from './rows-of.ts';
import type { SqlTransaction } from './sql-transaction.ts';

interface KnexStatement extends PromiseLike<unknown> {
  on(event: string, listener: (response: unknown, query: { readonly response?: unknown }) => void): unknown;
}

/** What is needed of a transaction of Knex. */
export interface KnexTransaction {
  isCompleted(): boolean;
  raw(sql: string, bindings: never): KnexStatement;
}

const DATABASES: ReadonlyMap<unknown, DatabaseName> = new Map([
  ['postgresql', 'postgres'],
  ['mysql', 'mysql'],
  ['sqlite3', 'sqlite'],
]);

/**
 * A transaction of Knex: what `knex.transaction(async (trx) => …)` passes or resolves to.
 *
 * @throws TypeError for the Knex instance itself
 */
export function fromKnex(trx: KnexTransaction): SqlTransaction {
  const { isTransaction, client } = (trx ?? {}) as {
    isTransaction?: boolean;
    client?: { dialect?: unknown };
  };
  if (isTransaction !== true) {
    throw new TypeError('fromKnex takes the transaction that knex.transaction() passes on, not the instance');
  }
  const database = DATABASES.get(client?.dialect);
  return {
    database,
    execute: inTurn(trx, async (sql, parameters) => {
      const statement = database === 'postgres' ? withQuestionMarks(sql, parameters) : { sql, parameters };
      const query = trx.raw(statement.sql, statement.parameters as never);
      let rows: readonly object[] = [];
      // As the driver answered: `postProcessResponse` of the application may rename columns.
      query.on('query-response', (_response, { response }) => {
        rows = rowsOf(response);
      });
      await query;
      return rows;
    }),
    assertOpen() {
      if (trx.isCompleted()) throw new TypeError('the transaction of Knex has ended');
    },
  };
}

/** Knex numbers placeholders itself, and takes an operator with a question mark after a `\`. */
function withQuestionMarks(sql: string, parameters: readonly unknown[]) {
  const numbers = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
  return {
    sql: sql.replaceAll('?', '\\?').replaceAll(/\$\d+/g, '?'),
    parameters: numbers.map((number) => parameters[number - 1]),
  };
}

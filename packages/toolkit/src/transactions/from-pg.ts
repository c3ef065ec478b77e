import { inTurn } from './in-turn.ts';
import { rowsOf } from './rows-of.ts';
import type { SqlTransaction } from './sql-transaction.ts';

/** What is needed of a client of pg, or of one that is used alike, such as PGlite's transaction. */
export interface PgClient {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly object[] }>;
  /** Of a pool, which is none. */
  readonly totalCount?: never;
}

/**
 * A transaction of `pg`: the client on which you have run `begin`.
 *
 * Outside a transaction it is refused with pg 8.17 and later, whose clients tell their state.
 *
 * @throws TypeError for a pool, whose statements run on any of its clients
 */
export function fromPg(client: PgClient): SqlTransaction {
  if (typeof client?.query !== 'function') throw new TypeError('fromPg takes a client of pg');
  if ('totalCount' in client) {
    throw new TypeError('fromPg takes the client on which you ran `begin`, not a pool: await pool.connect()');
  }
  return {
    database: 'postgres',
    execute: inTurn(client, async (sql, parameters) => rowsOf(await client.query(sql, [...parameters]))),
    assertOpen() {
      const { getTransactionStatus } = client as { getTransactionStatus?: () => unknown };
      // 'I' is idle; 'E' is a transaction that has failed, which the database refuses by itself.
      if (getTransactionStatus?.call(client) === 'I') {
        throw new TypeError('the client of pg is in no transaction: run `begin` first');
      }
    },
  };
}

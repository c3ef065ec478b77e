import { inTurn } from './in-turn.ts';
import { isInTransaction } from './mysql-server-status.ts';
import { rowsOf } from './rows-of.ts';
import type { SqlTransaction } from './sql-transaction.ts';

interface Statement {
  readonly sql: string;
  readonly values?: unknown[];
  readonly rowsAsArray?: boolean;
  readonly nestTables?: false;
  readonly namedPlaceholders?: boolean;
  readonly typeCast?: boolean;
}

interface Mysql2PromiseConnection {
  query(statement: Statement): Promise<[unknown, unknown]>;
}

/** What is needed of a connection of mysql2, with callbacks or with promises. */
export type Mysql2Connection = Mysql2PromiseConnection | { promise(): Mysql2PromiseConnection };

/**
 * A transaction of `mysql2`: the connection on which you have called `beginTransaction`.
 *
 * Before each use, `do 0` asks the server for the connection's state: one round trip.
 *
 * @throws TypeError for a pool, whose statements run on any of its connections, and for a
 *   connection with the option `queryFormat`, which would change our statements
 */
export function fromMysql2(connection: Mysql2Connection): SqlTransaction {
  if (typeof (connection as Partial<Mysql2PromiseConnection>)?.query !== 'function') {
    throw new TypeError('fromMysql2 takes a connection of mysql2');
  }
  if ('getConnection' in connection) {
    throw new TypeError('fromMysql2 takes the connection with the transaction, not a pool: getConnection()');
  }
  const { config } = connection as { readonly config?: { readonly queryFormat?: unknown } };
  if (typeof config?.queryFormat === 'function') {
    throw new TypeError(
      'fromMysql2 takes no connection with queryFormat, which replaces the placeholders of our statements as well',
    );
  }
  const client: Mysql2PromiseConnection = 'promise' in connection ? connection.promise() : connection;
  // What the application may have set for all statements of the connection.
  const settings = {
    rowsAsArray: false,
    nestTables: false,
    namedPlaceholders: false,
    typeCast: true,
  } as const;
  return {
    database: 'mysql',
    execute: inTurn(connection, async (sql, parameters) =>
      rowsOf(await client.query({ sql, values: [...parameters], ...settings })),
    ),
    async assertOpen() {
      if (!isInTransaction(await client.query({ sql: 'do 0' }))) {
        throw new TypeError('the connection of mysql2 is in no transaction: call beginTransaction() first');
      }
    },
  };
}

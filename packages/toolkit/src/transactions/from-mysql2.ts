import { inTurn } from './in-turn.ts';
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

/** Flags of the protocol: SERVER_STATUS_IN_TRANS, SERVER_STATUS_AUTOCOMMIT. */
const IN_TRANSACTION = 1;
const AUTOCOMMIT = 2;

/**
 * A transaction of `mysql2`: the connection on which you have called `beginTransaction`.
 *
 * Before each use, `do 0` asks the server for the connection's state: one round trip.
 *
 * @throws TypeError for a pool, whose statements run on any of its connections
 */
export function fromMysql2(connection: Mysql2Connection): SqlTransaction {
  if (typeof (connection as Partial<Mysql2PromiseConnection>)?.query !== 'function') {
    throw new TypeError('fromMysql2 takes a connection of mysql2');
  }
  if ('getConnection' in connection) {
    throw new TypeError('fromMysql2 takes the connection with the transaction, not a pool: getConnection()');
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
      const [header] = await client.query({ sql: 'do 0' });
      const { serverStatus = IN_TRANSACTION } = header as { readonly serverStatus?: number };
      if ((serverStatus & IN_TRANSACTION) === 0 && (serverStatus & AUTOCOMMIT) !== 0) {
        throw new TypeError('the connection of mysql2 is in no transaction: call beginTransaction() first');
      }
    },
  };
}

import type { DatabaseName } from '../database-name.ts';
import { inTurn } from './in-turn.ts';
import { isInTransaction } from './mysql-server-status.ts';
import { rowsOf } from './rows-of.ts';
import type { SqlTransaction } from './sql-transaction.ts';

/** What is needed of a transaction of Drizzle, on any driver that answers asynchronously. */
export type DrizzleTransaction = { rollback(): never } & (
  | { execute(query: never): PromiseLike<unknown> }
  | { all(query: never): unknown }
);

/** By the base class of the transaction, as Drizzle names its classes across copies of itself. */
const DATABASES: ReadonlyMap<unknown, DatabaseName> = new Map([
  ['PgTransaction', 'postgres'],
  ['MySqlTransaction', 'mysql'],
  ['SQLiteTransaction', 'sqlite'],
]);
const ENTITY_KIND = Symbol.for('drizzle:entityKind');

/**
 * A transaction of Drizzle: what `db.transaction(async (tx) => …)` passes to you.
 *
 * On MySQL and MariaDB, `do 0` asks the server before each use whether it is still open: one round
 * trip. On PostgreSQL and SQLite a store notices by itself.
 *
 * @throws TypeError for the database itself, and for a transaction of a synchronous driver, such as
 *   better-sqlite3: nothing can be awaited in it
 */
export function fromDrizzle(tx: DrizzleTransaction): SqlTransaction {
  const database = databaseOf(tx);
  if (database === undefined) {
    throw new TypeError(
      'fromDrizzle takes the transaction that db.transaction() passes on, not the database',
    );
  }
  if ('resultKind' in tx && tx.resultKind === 'sync') {
    throw new TypeError(
      'fromDrizzle takes no transaction of a synchronous driver, in which nothing can be awaited: ' +
        'begin a Kysely transaction, and run the queries of Drizzle in it',
    );
  }
  const run = ('execute' in tx ? tx.execute : tx.all).bind(tx) as (query: unknown) => PromiseLike<unknown>;
  // The two methods that Drizzle calls of a query, so that it need not be imported.
  const queryOf = (sql: string, parameters: readonly unknown[]) => ({
    getSQL: () => ({ toQuery: () => ({ sql, params: [...parameters] }) }),
  });
  return {
    database,
    execute: inTurn(tx, async (sql, parameters) => {
      try {
        return rowsOf(await run(queryOf(sql, parameters)));
      } catch (error) {
        // Drizzle wraps the driver's error.
        throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
      }
    }),
    async assertOpen() {
      if (database !== 'mysql' || isInTransaction(await run(queryOf('do 0', [])))) return;
      throw new TypeError('the transaction of Drizzle has ended');
    },
  };
}

function databaseOf(tx: object): DatabaseName | undefined {
  for (let kind = tx?.constructor; typeof kind === 'function'; kind = Object.getPrototypeOf(kind)) {
    const database = DATABASES.get(Reflect.get(kind, ENTITY_KIND));
    if (database !== undefined) return database;
  }
  return undefined;
}

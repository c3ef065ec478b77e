import { CompiledQuery, type DatabaseConnection, type QueryExecutorProvider } from 'kysely';
import type { DatabaseName } from '../database-name.ts';
import { withDeadline } from '../deadline.ts';
import type { SqlTransaction } from '../transactions/sql-transaction.ts';

/**
 * How long the first transaction waits until the store's own connections have told which database
 * they are on. They may all be taken by transactions that wait here: then nothing is compared.
 */
const MAX_IDENTITY_WAIT_MS = 1_000;

/** A store's own database. */
export interface StoreDatabase {
  readonly name: DatabaseName;
  readonly db: QueryExecutorProvider;
  /** One of the store's tables as SQL names it, quoted. */
  readonly table: string;
}

/**
 * What tells a database from another of its kind, whichever connection asks; and the settings of
 * the connection that would change what our statements mean.
 */
const IDENTITIES: Readonly<Record<DatabaseName, (table: string) => string>> = {
  postgres: (table) =>
    `select concat_ws(' ', current_database(), to_regclass('${table.replaceAll("'", "''")}')::oid) as identity, current_setting('client_encoding') as charset`,
  mysql: () =>
    "select database() as identity, @@sql_mode as mode, concat_ws(' ', @@character_set_client, @@character_set_connection, @@character_set_results) as charset",
  sqlite: () => `select file as identity from pragma_database_list where name = 'main'`,
};

interface ConnectionState {
  readonly identity?: unknown;
  readonly mode?: unknown;
  readonly charset?: unknown;
}

/** The character sets in which every text comes through unchanged. */
const CHARSETS: Readonly<Record<DatabaseName, unknown>> = {
  postgres: 'UTF8',
  mysql: 'utf8mb4 utf8mb4 utf8mb4',
  sqlite: undefined,
};

/** @throws TypeError when a setting of the connection would damage texts, or let them be code */
function assertFit(name: DatabaseName, { mode, charset }: ConnectionState): void {
  if (String(mode).split(',').includes('NO_BACKSLASH_ESCAPES')) {
    throw new TypeError(
      'the connection of the transaction has the sql_mode NO_BACKSLASH_ESCAPES, in which texts that mysql2 escapes become SQL',
    );
  }
  if (CHARSETS[name] !== undefined && charset !== CHARSETS[name]) {
    throw new TypeError(
      `the connection of the transaction must use ${name === 'mysql' ? 'utf8mb4' : 'UTF8'}, and uses ${charset}`,
    );
  }
}

/**
 * Returns a function that makes a Kysely executor of a transaction of another driver, which
 * compiles for the store's database and runs every statement in that transaction.
 *
 * The function rejects with a `TypeError` where the transaction is not open, answers no rows, or is
 * on another database than the store, as far as that can be seen: another kind; on PostgreSQL
 * another database or table; on MySQL another name; on SQLite another file. Also where the
 * connection's character set or `sql_mode` would change our statements.
 */
export function acceptSqlTransactions(
  store: StoreDatabase,
): (transaction: SqlTransaction) => Promise<QueryExecutorProvider> {
  const executor = store.db.getExecutor().withoutPlugins();
  let known: Promise<string | undefined> | undefined;

  /** Which database the store is on, asked once; undefined while that cannot be found out. */
  function ownIdentity(): Promise<string | undefined> {
    known ??= stateOf(store.db)
      .then(identityIn)
      .catch(() => {
        known = undefined;
        return undefined;
      });
    return withDeadline(known, MAX_IDENTITY_WAIT_MS, () => undefined);
  }

  async function assertSameDatabase(transaction: QueryExecutorProvider): Promise<void> {
    const state = await stateOf(transaction);
    const identity = identityIn(state);
    if (state === undefined || identity === undefined) {
      throw new TypeError('execute of the transaction must resolve with rows, as objects by column name');
    }
    assertFit(store.name, state);
    if ([identity, undefined].includes(await ownIdentity())) return;
    // The table may have been created anew since.
    known = undefined;
    if ([identity, undefined].includes(await ownIdentity())) return;
    throw new TypeError('the transaction is on another database than the store');
  }

  async function stateOf(connection: QueryExecutorProvider): Promise<ConnectionState | undefined> {
    const query = CompiledQuery.raw(IDENTITIES[store.name](store.table));
    const { rows } = await connection.getExecutor().executeQuery<ConnectionState>(query);
    return rows?.[0];
  }

  return async (transaction) => {
    await transaction.assertOpen?.();
    if (transaction.database !== undefined && transaction.database !== store.name) {
      throw new TypeError(`the transaction is on ${transaction.database}, and the store on ${store.name}`);
    }
    const connection = connectionOf(transaction);
    const inTransaction = executor.withConnectionProvider({
      provideConnection: (consumer) => consumer(connection),
    });
    const provider = { getExecutor: () => inTransaction };
    await assertSameDatabase(provider);
    return provider;
  };
}

function identityIn(state: ConnectionState | undefined): string | undefined {
  return state?.identity === undefined ? undefined : String(state.identity);
}

function connectionOf(transaction: SqlTransaction): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      return { rows: (await transaction.execute(sql, parameters)) as Row[] };
    },
    streamQuery() {
      throw new Error('a transaction of another driver streams nothing');
    },
  };
}

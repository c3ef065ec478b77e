import {
  CompiledQuery,
  type DatabaseConnection,
  type KyselyPlugin,
  type QueryExecutorProvider,
} from 'kysely';
import type { DatabaseName } from '../database-name.ts';
import { withDeadline } from '../deadline.ts';
import { outsideRequests } from '../outside-requests.ts';
import { isSqlTransaction, type SqlTransaction } from '../transactions/sql-transaction.ts';
import { connectionDestroyer } from './pool-signals.ts';
import { SCHEMA_IS_AN_OPTION } from './table-names/table-naming.ts';
import { isWrite, watchTransaction } from './transaction-watch.ts';

/**
 * How long `execute` and `assertOpen` of another driver's transaction may take: longer than the 50
 * s for which MySQL waits for a lock by default.
 */
export const MAX_STATEMENT_MS = 60_000;

/** How long a store's own connection may take to say which database it is on. */
const MAX_IDENTITY_MS = 5_000;

/** A store's own database. */
export interface StoreDatabase {
  readonly name: DatabaseName;
  readonly db: QueryExecutorProvider;
  /** The store's tables as SQL names them, quoted. */
  readonly tables: readonly string[];
  /** Whether the host called `withSchema`, and no option of the store names a schema. */
  overlooksSchemaOf(host: QueryExecutorProvider): boolean;
}

/**
 * What tells a database from another of its kind, whichever connection asks; and the settings of
 * the connection that would change what our statements mean.
 */
const IDENTITIES: Readonly<Record<DatabaseName, (tables: readonly string[]) => string>> = {
  // Every table: an application may have one of the same name nearer in its `search_path`.
  postgres: (tables) => {
    const ids = tables.map((table) => `to_regclass('${table.replaceAll("'", "''")}')::oid`);
    return `select concat_ws(' ', ${['current_database()', ...ids].join(', ')}) as identity, current_setting('client_encoding') as charset, pg_current_xact_id()::text as xact`;
  },
  mysql: () =>
    "select database() as identity, @@sql_mode as mode, concat_ws(' ', @@character_set_client, @@character_set_connection, @@character_set_results) as charset, cast(@@sql_select_limit as char) as row_limit",
  sqlite: () => `select file as identity from pragma_database_list where name = 'main'`,
};

interface ConnectionState {
  readonly identity?: unknown;
  readonly mode?: unknown;
  readonly charset?: unknown;
  /** Of MySQL, the most rows of a `select` that has no limit of its own, in decimal digits. */
  readonly row_limit?: unknown;
  /** On PostgreSQL, the id of the transaction that the statement was part of. */
  readonly xact?: unknown;
}

/** The character sets in which every text comes through unchanged. */
const CHARSETS: Readonly<Record<DatabaseName, unknown>> = {
  postgres: 'UTF8',
  mysql: 'utf8mb4 utf8mb4 utf8mb4',
  sqlite: undefined,
};

/** Below this, `sql_select_limit` was set, and a dispatch could miss subscribers. */
const MIN_ROW_LIMIT = 1_000_000_000;

/**
 * @throws TypeError when a setting of the connection would damage texts, let them be code, or leave
 *   out rows
 */
function assertFit(name: DatabaseName, { mode, charset, row_limit: rowLimit }: ConnectionState): void {
  if (String(mode).split(',').includes('NO_BACKSLASH_ESCAPES')) {
    throw new TypeError(
      'the connection of the transaction has the sql_mode NO_BACKSLASH_ESCAPES, in which texts that mysql2 escapes become SQL',
    );
  }
  if (rowLimit !== undefined && Number(rowLimit) < MIN_ROW_LIMIT) {
    throw new TypeError(
      `the connection of the transaction has sql_select_limit ${rowLimit}, which leaves out rows`,
    );
  }
  if (CHARSETS[name] !== undefined && charset !== CHARSETS[name]) {
    throw new TypeError(
      `the connection of the transaction must use ${name === 'mysql' ? 'utf8mb4' : 'UTF8'}, and uses ${charset}`,
    );
  }
}

/** A store's work in transactions of the host's: Kysely's own, and those of other drivers. */
export interface HostTransactions {
  /**
   * Runs `work` once in a transaction of the host's, and uses no other connection. Its statements
   * must all have the plugin.
   *
   * On PostgreSQL, what they write is bound to the transaction that was open at the first
   * statement.
   *
   * @throws TypeError if the transaction is not open, has ended meanwhile, answers no rows, or
   *   is of another database than the store, as far as that can be seen; where the connection's
   *   character set or `sql_mode` would change our statements. See the guide on transactions
   */
  within<Result>(
    transaction: object,
    work: (host: QueryExecutorProvider, plugin: KyselyPlugin) => Promise<Result>,
  ): Promise<Result>;

  /**
   * Asks the store's own connections which database they are on, once; until they have answered,
   * nothing is compared. For the store's own work: never call it for a transaction of the host's,
   * which may have taken the last connection. Never rejects.
   */
  learnDatabase(): Promise<void>;
}

export function acceptTransactions(store: StoreDatabase): HostTransactions {
  let identity: string | undefined;
  let learning: Promise<void> | undefined;
  const ids = new WeakMap<object, Promise<string | undefined>>();
  let isChecked = false;

  function learnDatabase(): Promise<void> {
    // For every request, whichever came first.
    learning ??= outsideRequests
      .bind(() => ownState(store))()
      .then((state) => {
        if (state !== undefined) identity = String(state.identity);
      })
      .catch(() => {
        learning = undefined;
      });
    return learning;
  }

  /** The transaction's id on PostgreSQL. */
  async function accept(host: QueryExecutorProvider): Promise<string | undefined> {
    const state = await stateOf(store, host);
    if (state === undefined) throw new TypeError(NO_ROWS);
    assertFit(store.name, state);
    if (identity !== undefined && identity !== String(state.identity)) {
      // The tables may have been created anew: the next transaction is compared with these.
      learning = undefined;
      void learnDatabase();
      throw new TypeError('the transaction is on another database than the store');
    }
    return idIn(state);
  }

  /** Once for each transaction on PostgreSQL, and elsewhere once for a store. */
  async function acceptKysely(host: QueryExecutorProvider): Promise<string | undefined> {
    if (store.name === 'sqlite' || (store.name === 'mysql' && isChecked)) return undefined;
    const id = await accept(host);
    isChecked = true;
    return id;
  }

  async function acceptOther(transaction: SqlTransaction, host: QueryExecutorProvider) {
    await assertOpen(transaction);
    if (transaction.database !== undefined && transaction.database !== store.name) {
      throw new TypeError(`the transaction is on ${transaction.database}, and the store on ${store.name}`);
    }
    return accept(host);
  }

  function idOf(transaction: object, host: QueryExecutorProvider): Promise<string | undefined> {
    // The object may outlive a transaction, and be used for the next.
    if (isSqlTransaction(transaction)) return acceptOther(transaction, host);
    const id = ids.get(transaction) ?? acceptKysely(host);
    ids.set(transaction, id);
    return id;
  }

  return {
    learnDatabase,
    async within(transaction, work) {
      const host = isSqlTransaction(transaction)
        ? executorIn(store, transaction)
        : kyselyTransactionOf(store, transaction);
      const id = await idOf(transaction, host);
      const { plugin, isInDoubt } = watchTransaction(id);
      const result = await work(host, plugin);
      if (isInDoubt() && (id !== undefined || isSqlTransaction(transaction))) {
        const state = await stateOf(store, host);
        if (state === undefined) throw new TypeError(NO_ROWS);
        if (idIn(state) !== id) throw new TypeError(HAS_ENDED);
      }
      return result;
    },
  };
}

const NO_ROWS =
  'execute of the transaction must resolve with rows, as objects by column name: of a client or transaction of a library, pass what fromPg, fromMysql2, fromDrizzle, fromPrisma, fromTypeorm, fromKnex or fromSequelize makes';
const HAS_ENDED = 'the transaction has ended before this call, and nothing was written: await the call in it';

/**
 * @throws TypeError unless it is a transaction of the store's own Kysely instance, or of one that
 *   is derived from it
 */
function kyselyTransactionOf(store: StoreDatabase, transaction: object | null): QueryExecutorProvider {
  const { isTransaction, getExecutor } = (transaction ?? {}) as {
    isTransaction?: unknown;
    getExecutor?: unknown;
  };
  // An instance would fit the parameter's shape at run time, and write outside of any transaction.
  if (isTransaction !== true || typeof getExecutor !== 'function') {
    throw new TypeError(
      'transaction must be a Kysely transaction, or what fromPg and its like make of one of another driver, not an instance or a connection',
    );
  }
  const host = transaction as QueryExecutorProvider;
  // Every instance creates an adapter, which its transactions and derived instances share.
  if (host.getExecutor().adapter !== store.db.getExecutor().adapter) {
    throw new TypeError(
      'transaction must be one of the Kysely instance that the store was made with: this is one of another instance',
    );
  }
  if (store.overlooksSchemaOf(host)) throw new TypeError(`transaction ${SCHEMA_IS_AN_OPTION}`);
  return host;
}

/** Asks a connection of the store's own, which is destroyed if its answer is lost. */
async function ownState(store: StoreDatabase): Promise<ConnectionState | undefined> {
  const executor = store.db.getExecutor();
  return await executor.provideConnection(async (connection) => {
    const alone = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) });
    const own = { getExecutor: () => alone };
    const destroy = await connectionDestroyer(own);
    const state = stateOf(store, own);
    const toldToEnd = () => {
      destroy();
      return state;
    };
    return await withDeadline(state, MAX_IDENTITY_MS, toldToEnd, { unref: true });
  });
}

/** Undefined if the connection answers no row with an identity. */
async function stateOf(
  store: StoreDatabase,
  connection: QueryExecutorProvider,
): Promise<ConnectionState | undefined> {
  const query = CompiledQuery.raw(IDENTITIES[store.name](store.tables));
  const executor = connection.getExecutor().withoutPlugins();
  const { rows } = await executor.executeQuery<ConnectionState>(query);
  return rows?.[0]?.identity === undefined ? undefined : rows[0];
}

function idIn({ xact }: ConnectionState): string | undefined {
  return xact === undefined ? undefined : String(xact);
}

/** Compiles for the store's database, and runs every statement in the transaction. */
function executorIn({ db, name }: StoreDatabase, transaction: SqlTransaction): QueryExecutorProvider {
  const connection = connectionOf(transaction, name);
  const executor = db
    .getExecutor()
    .withoutPlugins()
    .withConnectionProvider({ provideConnection: (consumer) => consumer(connection) });
  return { getExecutor: () => executor };
}

function connectionOf(transaction: SqlTransaction, database: DatabaseName): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters, query }: CompiledQuery) {
      // On PostgreSQL the statement itself is bound to the transaction.
      if (database !== 'postgres' && isWrite(query)) await assertOpen(transaction);
      const rows = await answerOf('execute', transaction.execute(sql, parameters));
      return { rows: rows as Row[] };
    },
    streamQuery() {
      throw new Error('a transaction of another driver streams nothing');
    },
  };
}

async function assertOpen(transaction: SqlTransaction): Promise<void> {
  await answerOf('assertOpen', transaction.assertOpen?.());
}

function answerOf<Answer>(method: string, answer: Answer | PromiseLike<Answer>): Promise<Answer> {
  const refuse = () => {
    throw new Error(`${method} of the transaction has not answered within ${MAX_STATEMENT_MS} ms`);
  };
  return withDeadline(answer, MAX_STATEMENT_MS, refuse, { unref: true });
}

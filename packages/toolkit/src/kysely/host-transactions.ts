import {
  CompiledQuery,
  type DatabaseConnection,
  type KyselyPlugin,
  type QueryExecutorProvider,
  sql,
} from 'kysely';
import type { DatabaseName } from '../database-name.ts';
import { withDeadline } from '../deadline.ts';
import { outsideRequests } from '../outside-requests.ts';
import { isSqlTransaction, type SqlTransaction } from '../transactions/sql-transaction.ts';
import { boundTo, isWrite } from './bound-writes.ts';
import { SCHEMA_IS_AN_OPTION, type TableNaming } from './table-names/table-naming.ts';

/** How long a call of another driver's transaction may take: MySQL waits 50 s for a lock by default. */
export const MAX_STATEMENT_MS = 60_000;

/** A store's own database. */
export interface StoreDatabase {
  readonly name: DatabaseName;
  readonly db: QueryExecutorProvider;
  readonly naming: Pick<TableNaming, 'executorOf' | 'overlooksSchemaOf'>;
  /** What is read and written in transactions of the host's. */
  readonly tables: readonly string[];
  /** Runs work on a connection of the store's own, within its bounds. */
  onOwnConnection<Result>(work: (own: QueryExecutorProvider) => Promise<Result>): Promise<Result>;
}

/** A store's work in transactions of the host's: Kysely's own, and those of other drivers. */
export interface HostTransactions {
  /**
   * Runs `work` once in a transaction of the host's, and uses no other connection. Its statements
   * must all have the plugin, which on PostgreSQL binds what they write to the transaction.
   *
   * @throws TypeError if the transaction, as far as that can be seen, is not open, has ended
   *   meanwhile, answers no rows, is of another database than the store, or has settings that would
   *   change our statements. See the guide on transactions
   */
  within<Result>(
    transaction: object,
    work: (host: QueryExecutorProvider, plugin: KyselyPlugin) => Promise<Result>,
  ): Promise<Result>;

  /**
   * Asks a connection of the store's own which database it is on, once; until it has answered,
   * nothing is compared. Never rejects. Not for a transaction of the host's: it may have taken the
   * last connection.
   */
  learnDatabase(): Promise<void>;
}

export function acceptTransactions(store: StoreDatabase): HostTransactions {
  const question = CompiledQuery.raw(QUESTIONS[store.name](store));
  let identity: string | undefined;
  let learning: Promise<void> | undefined;
  const accepted = new WeakMap<object, Promise<string | undefined>>();

  async function learn(): Promise<void> {
    try {
      ({ identity } = await store.onOwnConnection((own) => stateOf(own, question)));
    } catch {
      learning = undefined;
    }
  }

  function learnDatabase(): Promise<void> {
    // For every request, whichever came first.
    learning ??= outsideRequests.bind(learn)();
    return learning;
  }

  /** Returns the transaction's id on PostgreSQL. */
  async function accept(host: QueryExecutorProvider): Promise<string | undefined> {
    const state = await stateOf(host, question);
    const fault = findFault(store.name, state);
    if (fault !== undefined) throw new TypeError(`the connection of the transaction ${fault}`);
    if (identity !== undefined && identity !== state.identity) {
      // The tables may have been created anew: the next transaction is compared with these.
      learning = undefined;
      void learnDatabase();
      throw new TypeError('the transaction is on another database than the store');
    }
    return state.xact;
  }

  return {
    learnDatabase,
    async within(transaction, work) {
      const isKysely = !isSqlTransaction(transaction);
      const host = isKysely ? kyselyTransactionOf(store, transaction) : await executorIn(store, transaction);
      const accepting = accepted.get(transaction) ?? accept(host);
      // The object of another library may outlive a transaction, and be used for the next.
      if (isKysely) accepted.set(transaction, accepting);
      const id = await accepting;
      let isInDoubt = false;
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => (id !== undefined && isWrite(node) ? boundTo(id, node) : node),
        async transformResult({ result }) {
          isInDoubt ||= id !== undefined && !(result.rows?.length > 0);
          return result;
        },
      };
      const result = await work(host, plugin);
      if (!isInDoubt || (await stateOf(host, question)).xact === id) return result;
      throw new TypeError(
        'the transaction has ended before this call, and nothing was written: await the call in it',
      );
    },
  };
}

/** What a connection answers of itself. */
interface ConnectionState {
  /** What tells a database from another of its kind, whichever connection asks. */
  readonly identity: string;
  /** Null if texts pass unchanged. */
  readonly charset?: unknown;
  readonly mode?: unknown;
  readonly row_limit?: unknown;
  /** The id of the transaction that the statement was part of. */
  readonly xact?: string;
}

const QUESTIONS: Readonly<Record<DatabaseName, (store: StoreDatabase) => string>> = {
  // Every table: an application may have one of the same name nearer in its `search_path`.
  postgres: ({ db, naming, tables }) => {
    const own = { getExecutor: () => naming.executorOf(db) };
    const ids = tables.map((table) => `to_regclass('${sql.table(table).compile(own).sql}')::oid`);
    return `select concat_ws(' ', ${['current_database()', ...ids].join(', ')}) as identity, nullif(current_setting('client_encoding'), 'UTF8') as charset, pg_current_xact_id()::text as xact`;
  },
  mysql: () =>
    "select database() as identity, @@sql_mode as mode, nullif(concat_ws(' ', @@character_set_client, @@character_set_connection, @@character_set_results), 'utf8mb4 utf8mb4 utf8mb4') as charset, cast(@@sql_select_limit as char) as row_limit",
  sqlite: () => `select file as identity from pragma_database_list where name = 'main'`,
};

/** @throws TypeError if the connection answers no row */
async function stateOf(host: QueryExecutorProvider, question: CompiledQuery): Promise<ConnectionState> {
  const { rows } = await host.getExecutor().withoutPlugins().executeQuery<ConnectionState>(question);
  const state = rows?.[0];
  if (state?.identity !== undefined) return { ...state, identity: String(state.identity) };
  throw new TypeError(
    'execute of the transaction must resolve with rows, as objects by column name: of a client or transaction of a library, pass what fromPg, fromMysql2, fromDrizzle, fromPrisma, fromTypeorm, fromKnex or fromSequelize makes',
  );
}

/** Below this, `sql_select_limit` was set, and a dispatch could miss subscribers. */
const MIN_ROW_LIMIT = 1_000_000_000;

/** A setting of the connection that would damage texts, let them be code, or leave out rows. */
function findFault(name: DatabaseName, { mode, charset, row_limit: limit }: ConnectionState) {
  if (String(mode).includes('NO_BACKSLASH_ESCAPES')) {
    return 'has the sql_mode NO_BACKSLASH_ESCAPES, in which texts that mysql2 escapes become SQL';
  }
  if (Number(limit) < MIN_ROW_LIMIT) return `has sql_select_limit ${limit}, which leaves out rows`;
  return charset ? `must use ${name === 'mysql' ? 'utf8mb4' : 'UTF8'}, and uses ${charset}` : undefined;
}

/**
 * @throws TypeError unless it is a transaction of the store's own Kysely instance, or of one that
 *   is derived from it
 */
function kyselyTransactionOf(store: StoreDatabase, transaction: object | null): QueryExecutorProvider {
  const host = (transaction ?? {}) as QueryExecutorProvider & { readonly isTransaction?: unknown };
  // An instance would fit the parameter's shape at run time, and write outside of any transaction.
  if (host.isTransaction !== true || typeof host.getExecutor !== 'function') {
    throw new TypeError(
      'transaction must be a Kysely transaction, or what fromPg and its like make of one of another driver, not an instance or a connection',
    );
  }
  // Every instance creates an adapter, which its transactions and derived instances share.
  if (host.getExecutor().adapter !== store.db.getExecutor().adapter) {
    throw new TypeError(
      'transaction must be one of the Kysely instance that the store was made with: this is one of another instance',
    );
  }
  if (store.naming.overlooksSchemaOf(host)) throw new TypeError(`transaction ${SCHEMA_IS_AN_OPTION}`);
  return host;
}

/** Compiles for the store's database, and runs every statement in the transaction. */
async function executorIn(store: StoreDatabase, transaction: SqlTransaction): Promise<QueryExecutorProvider> {
  const assertOpen = async () => inTime('assertOpen', transaction.assertOpen?.());
  await assertOpen();
  const { database: on = store.name } = transaction;
  if (on !== store.name) throw new TypeError(`the transaction is on ${on}, and the store on ${store.name}`);
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql: text, parameters, query }: CompiledQuery) {
      // On PostgreSQL the statement itself is bound to the transaction.
      if (store.name !== 'postgres' && isWrite(query)) await assertOpen();
      const rows = await inTime('execute', transaction.execute(text, parameters));
      return { rows: rows as Row[] };
    },
    streamQuery() {
      throw new Error('a transaction of another driver streams nothing');
    },
  };
  const own = store.db.getExecutor().withoutPlugins();
  const executor = own.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) });
  return { getExecutor: () => executor };
}

function inTime<Answer>(method: string, answer: Answer | PromiseLike<Answer>): Promise<Answer> {
  const refuse = () => {
    throw new Error(`${method} of the transaction has not answered within ${MAX_STATEMENT_MS} ms`);
  };
  return withDeadline(answer, MAX_STATEMENT_MS, refuse, { unref: true });
}

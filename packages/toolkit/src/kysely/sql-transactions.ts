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

/** What tells a database from another of its kind, whichever connection asks. */
const IDENTITIES: Readonly<Record<DatabaseName, (table: string) => string>> = {
  postgres: (table) =>
    `select concat_ws(' ', current_database(), to_regclass('${table.replaceAll("'", "''")}')::oid) as identity`,
  mysql: () => 'select database() as identity',
  sqlite: () => `select file as identity from pragma_database_list where name = 'main'`,
};

/**
 * Returns a function that makes a Kysely executor of a transaction of another driver, which
 * compiles for the store's database and runs every statement in that transaction.
 *
 * The function rejects with a `TypeError` where the transaction is not open, answers no rows, or is
 * on another database than the store, as far as that can be seen: another kind; on PostgreSQL
 * another database or table; on MySQL another name; on SQLite another file.
 */
export function acceptSqlTransactions(
  store: StoreDatabase,
): (transaction: SqlTransaction) => Promise<QueryExecutorProvider> {
  const executor = store.db.getExecutor().withoutPlugins();
  let known: Promise<string | undefined> | undefined;

  /** Which database the store is on, asked once; undefined while that cannot be found out. */
  function ownIdentity(): Promise<string | undefined> {
    known ??= identityOn(store.db).catch(() => {
      known = undefined;
      return undefined;
    });
    return withDeadline(known, MAX_IDENTITY_WAIT_MS, () => undefined);
  }

  async function assertSameDatabase(transaction: QueryExecutorProvider): Promise<void> {
    const identity = await identityOn(transaction);
    if (identity === undefined) {
      throw new TypeError('execute of the transaction must resolve with rows, as objects by column name');
    }
    if ([identity, undefined].includes(await ownIdentity())) return;
    // The table may have been created anew since.
    known = undefined;
    if ([identity, undefined].includes(await ownIdentity())) return;
    throw new TypeError('the transaction is on another database than the store');
  }

  async function identityOn(connection: QueryExecutorProvider): Promise<string | undefined> {
    const query = CompiledQuery.raw(IDENTITIES[store.name](store.table));
    const { rows } = await connection.getExecutor().executeQuery<{ identity?: unknown }>(query);
    const identity = rows?.[0]?.identity;
    return identity === undefined ? undefined : String(identity);
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

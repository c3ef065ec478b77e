import {
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
  type Transaction,
  type TransactionBuilder,
} from 'kysely';
import type { DatabaseName } from '../../../toolkit/src/database-name.ts';
import { databaseOf } from '../../../toolkit/src/kysely/database-of.ts';
import { DRIVER_ERRORS, type DriverErrors, memberOf } from '../../../toolkit/src/kysely/driver-errors.ts';
import { byteCollation } from '../../../toolkit/src/kysely/migrations/byte-collation.ts';
import { lockPostgres } from '../../../toolkit/src/kysely/migrations/migration-lock.ts';
import { nameInSql } from './names.ts';
import type { AuthTables, Tables } from './tables.ts';

type Sql = RawBuilder<unknown>;

export type LoginFailureInsert = InsertQueryBuilder<AuthTables, 'login_failures', InsertResult>;

/** The differences between databases that the stores need to know, each named once. */
export interface AuthDialect extends DriverErrors {
  readonly name: DatabaseName;

  /** Whether creating a table is part of a transaction, or commits it. */
  readonly hasTransactionalDdl: boolean;

  /** Whether rows can be locked. If not, a transaction that writes has the database for itself. */
  readonly hasRowLocks: boolean;

  /**
   * Whether `insert … on conflict` and `delete … returning` are there. If not, `on duplicate key
   * update` replaces a row, and a row is locked before it is read and deleted.
   */
  readonly hasOnConflictAndReturning: boolean;

  /**
   * Text of at most that many characters which compares and sorts byte for byte, fit for an index.
   */
  keyText<DB>(db: Kysely<DB>): Promise<(maxCharacters: number) => RawBuilder<unknown>>;

  /** Text of up to 64 KiB of UTF-8. */
  longText<DB>(db: Kysely<DB>): Promise<RawBuilder<unknown>>;

  /**
   * Builds a transaction that sees, once it holds a lock, everything that others committed before.
   */
  transactionOn<DB>(connection: Kysely<DB>): TransactionBuilder<DB>;

  /**
   * Makes a writer of a transaction that has just begun: where the database tells readers from
   * writers and fails transactions that change from one to the other, and where the server can end
   * a statement by itself before its call is given up.
   */
  becomeWriter(tables: Tables): Promise<void>;

  /**
   * Makes every other migration of the tables of this name wait until the transaction ends, if the
   * migration's name is no lock yet.
   */
  lockMigrations<DB>(transaction: Transaction<DB>, lockName: string): Promise<void>;

  /** Whether the server ended a statement: by its bound, by that of the host, or by hand. */
  isCanceled(error: unknown): boolean;

  /**
   * The condition of a delete that takes the first rows of a table, and on PostgreSQL skips what
   * others have locked: waiting for it in another order than theirs, it would deadlock with them.
   *
   * @param first a condition, an order and a limit
   */
  isOfRows(table: Sql, key: Sql, first: Sql): RawBuilder<SqlBool>;

  /**
   * Completes an insert into `login_failures`: a row whose id is taken adds its counts to the one
   * that is there.
   */
  addLoginFailures(insert: LoginFailureInsert): LoginFailureInsert;
}

/**
 * SQLSTATE unique_violation: where several connections begin one new row at once, `on conflict`
 * covers the index that it names, and another unique index may be the first to notice.
 */
const UNIQUE_VIOLATION = '23505';

/** SQLSTATE query_canceled. */
const QUERY_CANCELED = '57014';

/**
 * How long PostgreSQL lets a statement of a store's transaction run or wait. It is less than the
 * store waits itself: the server goes on waiting for a row after the client is gone, and whoever
 * comes next waits behind it. `lock_timeout` is no such bound, since a row is waited for twice: for
 * its turn, then for its holder.
 */
export const MAX_STATEMENT_MS = 4_500;

/** A number that no other program is likely to lock: "acmeauth" in ASCII. */
const POSTGRES_MIGRATION_LOCK = '7017572926567576680';

const sqlite: AuthDialect = {
  ...DRIVER_ERRORS.sqlite,
  name: 'sqlite',
  hasTransactionalDdl: true,
  hasRowLocks: false,
  hasOnConflictAndReturning: true,
  keyText: async () => () => sql`text`,
  longText: async () => sql`text`,
  transactionOn: (connection) => connection.transaction(),
  async becomeWriter(tables) {
    // Kysely begins as a reader. One that reads, and writes after others wrote, fails with
    // SQLITE_BUSY_SNAPSHOT at once, whatever the busy timeout
    // (https://www.sqlite.org/isolation.html); a write that finds no row prevents it.
    await tables
      .updateTable('refresh_tokens')
      .set((token) => ({ uid: token.ref('uid') }))
      .where('id', '=', '')
      .execute();
  },
  lockMigrations: async () => {},
  isCanceled: () => false,
  isOfRows: (table, key, first) => sql`${key} in (select ${key} from ${table} where ${first})`,
  addLoginFailures: addOnConflict,
};

const postgres: AuthDialect = {
  ...DRIVER_ERRORS.postgres,
  name: 'postgres',
  hasTransactionalDdl: true,
  hasRowLocks: true,
  hasOnConflictAndReturning: true,
  // "C" is bytes, and stays so when the operating system's collations change under an index.
  keyText: async () => () => sql`text collate "C"`,
  longText: async () => sql`text`,
  transactionOn: readCommitted,
  async becomeWriter(tables) {
    const bound = `${MAX_STATEMENT_MS} ms`;
    // Not in place of a shorter one of the host's; 0 is none.
    await tables
      .selectNoFrom(sql`set_config('statement_timeout', ${bound}, true)`.as('bound'))
      .where(
        sql<boolean>`current_setting('statement_timeout')::interval not between '1 ms' and ${bound}::interval`,
      )
      .execute();
  },
  async lockMigrations(transaction, lockName) {
    await lockPostgres(transaction, POSTGRES_MIGRATION_LOCK, lockName);
  },
  isCanceled: (error) => memberOf(error, 'code') === QUERY_CANCELED,
  // The plan of a join may read the rows again for each that it deletes, and finds others then.
  isOfRows: (table, key, first) =>
    sql`${key} = any(array(select ${key} from ${table} where ${first} for update skip locked))`,
  addLoginFailures: addOnConflict,
  isContention: (error) =>
    DRIVER_ERRORS.postgres.isContention(error) || memberOf(error, 'code') === UNIQUE_VIOLATION,
};

const mysql: AuthDialect = {
  ...DRIVER_ERRORS.mysql,
  name: 'mysql',
  hasTransactionalDdl: false,
  hasRowLocks: true,
  hasOnConflictAndReturning: false,
  async keyText(db) {
    const characters = await characterSet(db);
    return (maxCharacters) => sql`varchar(${sql.lit(maxCharacters)}) ${characters}`;
  },
  longText: async (db) => sql`text ${await characterSet(db)}`,
  transactionOn: readCommitted,
  becomeWriter: async () => {},
  lockMigrations: async () => {},
  isCanceled: () => false,
  isOfRows: (_table, _key, first) => sql`${first}`,
  addLoginFailures: (insert) =>
    insert.onDuplicateKeyUpdate({
      // MariaDB has no other name for the row that was to be inserted.
      failures: sql`failures + values(failures)`,
      under_way: sql`under_way + values(under_way)`,
      expires_at: sql`greatest(expires_at, values(expires_at))`,
    }),
};

const DIALECTS: Readonly<Record<DatabaseName, AuthDialect>> = { sqlite, postgres, mysql };

/** @throws TypeError when the database is not supported */
export function findDialect<DB>(db: Kysely<DB>): AuthDialect {
  return DIALECTS[databaseOf(db)];
}

/**
 * Each statement sees everything that is committed when it begins, also after it waited for a lock.
 * A host's default may be stricter: fifty racing refreshes of one token would then fail and repeat
 * instead of waiting for one another.
 */
function readCommitted<DB>(connection: Kysely<DB>): TransactionBuilder<DB> {
  return connection.transaction().setIsolationLevel('read committed');
}

/**
 * The character set of every text column; otherwise the default of the database decides which
 * characters fit.
 */
async function characterSet<DB>(db: Kysely<DB>): Promise<RawBuilder<unknown>> {
  return sql`character set utf8mb4 collate ${sql.raw(await byteCollation(db))}`;
}

const LOGIN_FAILURES = nameInSql('login_failures');

function addOnConflict(insert: LoginFailureInsert): LoginFailureInsert {
  return insert.onConflict((conflict) =>
    conflict.column('id').doUpdateSet((row) => ({
      failures: row('login_failures.failures', '+', row.ref('excluded.failures')),
      under_way: row('login_failures.under_way', '+', row.ref('excluded.under_way')),
      expires_at: sql`case when excluded.expires_at > ${LOGIN_FAILURES}.expires_at
        then excluded.expires_at else ${LOGIN_FAILURES}.expires_at end`,
    })),
  );
}

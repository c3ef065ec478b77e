import { type Kysely, MysqlAdapter, PostgresAdapter, SqliteAdapter } from 'kysely';
import type { DatabaseName } from '../database-name.ts';
import { hasClassName } from '../has-class-name.ts';

const KYSELY = 'a Kysely instance for SQLite, PostgreSQL, MySQL or MariaDB';

/**
 * Returns the database of `db` by its adapter, which also recognises third-party drivers for a
 * known database.
 *
 * @throws TypeError when the database is not supported, rather than writing to it in a wrong way
 */
export function databaseOf<DB>(db: Kysely<DB>): DatabaseName {
  if (typeof db?.getExecutor !== 'function') throw new TypeError(`db must be ${KYSELY}`);
  const { adapter } = db.getExecutor();
  if (adapter instanceof SqliteAdapter || hasClassName(adapter, 'SqliteAdapter')) return 'sqlite';
  if (adapter instanceof PostgresAdapter || hasClassName(adapter, 'PostgresAdapter')) return 'postgres';
  if (adapter instanceof MysqlAdapter || hasClassName(adapter, 'MysqlAdapter')) return 'mysql';
  throw new TypeError(`db must be ${KYSELY}; its adapter is ${adapter.constructor.name}`);
}

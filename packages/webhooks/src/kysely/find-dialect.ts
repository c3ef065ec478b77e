import { type Kysely, MysqlAdapter, PostgresAdapter, SqliteAdapter } from 'kysely';
import { hasClassName } from '../../../toolkit/src/has-class-name.ts';
import { mysql } from './dialects/mysql.ts';
import { postgres } from './dialects/postgres.ts';
import { sqlite } from './dialects/sqlite.ts';
import type { WebhookDialect } from './webhook-dialect.ts';

/**
 * The dialect of `db`, recognised by its adapter: third-party drivers for a known database are
 * recognised too.
 *
 * @throws TypeError when the database is not supported, rather than writing to it in a wrong way
 */
export function findDialect<DB>(db: Kysely<DB>): WebhookDialect {
  if (typeof db?.getExecutor !== 'function') throw new TypeError('db must be a Kysely instance');
  const { adapter } = db.getExecutor();
  if (adapter instanceof SqliteAdapter || hasClassName(adapter, 'SqliteAdapter')) return sqlite;
  if (adapter instanceof PostgresAdapter || hasClassName(adapter, 'PostgresAdapter')) return postgres;
  if (adapter instanceof MysqlAdapter || hasClassName(adapter, 'MysqlAdapter')) return mysql;
  throw new TypeError(
    `db must be a Kysely instance for SQLite, PostgreSQL, MySQL or MariaDB; its adapter is ${adapter.constructor.name}`,
  );
}

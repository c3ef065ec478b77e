import { type Kysely, MysqlAdapter, PostgresAdapter, SqliteAdapter } from 'kysely';
import type { WebhookDialect } from './dialect.ts';
import { mysql } from './dialects/mysql.ts';
import { postgres } from './dialects/postgres.ts';
import { sqlite } from './dialects/sqlite.ts';

/**
 * The dialect of `db`, recognised by its adapter: third-party drivers for a known database are
 * recognised too.
 *
 * @throws TypeError when the database is not supported, rather than writing to it in a wrong way
 */
export function dialectOf<DB>(db: Kysely<DB>): WebhookDialect {
  if (typeof db?.getExecutor !== 'function') throw new TypeError('db must be a Kysely instance');
  const { adapter } = db.getExecutor();
  if (adapter instanceof SqliteAdapter || hasClassName(adapter, 'SqliteAdapter')) return sqlite;
  if (adapter instanceof PostgresAdapter || hasClassName(adapter, 'PostgresAdapter')) return postgres;
  if (adapter instanceof MysqlAdapter || hasClassName(adapter, 'MysqlAdapter')) return mysql;
  throw new TypeError(
    `db must be a Kysely instance for SQLite, PostgreSQL, MySQL or MariaDB; its adapter is ${adapter.constructor.name}`,
  );
}

/**
 * Recognises an adapter of another copy of Kysely: an application may load both its ESM and its
 * CommonJS build.
 */
function hasClassName(value: object, name: string): boolean {
  let prototype: unknown = Object.getPrototypeOf(value);
  // An adapter is one or two classes deep.
  for (let depth = 0; depth < 8 && typeof prototype === 'object' && prototype !== null; depth++) {
    if (prototype.constructor.name === name) return true;
    prototype = Object.getPrototypeOf(prototype);
  }
  return false;
}

import { SqliteDialect } from 'kysely';
import { serverDialectAt } from '../../../../test/services/server-databases.ts';
import { openSqlite } from '../../../../test/services/sqlite-file.ts';
import type { DialectFactory } from '../../../../test/services/test-database.ts';

/** New connections to the database at `sqlite:<path>`, `postgres://…` or `mysql://…`. */
export function dialectAt(url: string): DialectFactory {
  const { pathname, protocol } = new URL(url);
  if (protocol !== 'sqlite:') return serverDialectAt(url);
  return () => new SqliteDialect({ database: openSqlite(decodeURIComponent(pathname)) });
}

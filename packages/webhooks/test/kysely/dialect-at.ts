import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  MysqlDialect,
  PostgresDialect,
  SqliteDialect,
} from 'kysely';
import { createPool } from 'mysql2';
import { Pool } from 'pg';
import { openSqlite } from './sqlite-database.ts';
import type { DialectFactory } from './test-database.ts';

/**
 * Connections of one instance: fewer than racing calls, so that they wait for connections and for
 * locks.
 */
const POOL_SIZE = 8;

/** New connections to the database at `sqlite:<path>`, `postgres://…` or `mysql://…`. */
export function dialectAt(url: string): DialectFactory {
  return ({ onConnect }): Dialect => {
    const { pathname, protocol } = new URL(url);
    switch (protocol) {
      case 'sqlite:':
        return new SqliteDialect({
          database: openSqlite(decodeURIComponent(pathname)),
          ...onCreateConnection(onConnect),
        });
      case 'postgres:':
      case 'postgresql:':
        return new PostgresDialect({
          pool: postgresPool(url),
          ...onCreateConnection(onConnect),
        });
      default:
        return new MysqlDialect({
          pool: createPool({ uri: url, connectionLimit: POOL_SIZE }),
          ...onCreateConnection(onConnect),
        });
    }
  };
}

/** A lost connection fails the statement that was under way, and is nobody else's affair. */
function postgresPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: POOL_SIZE });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

function onCreateConnection(statement: string | undefined) {
  if (statement === undefined) return {};
  return {
    async onCreateConnection(connection: DatabaseConnection) {
      await connection.executeQuery(CompiledQuery.raw(statement));
    },
  };
}

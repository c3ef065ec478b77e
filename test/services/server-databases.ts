import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  MysqlDialect,
  type MysqlPool,
  PostgresDialect,
  type PostgresPool,
} from 'kysely';
import { MYSQL_URL, mysqlStatement, POSTGRES_URL, postgresStatement, uniqueName } from './servers.ts';
import { type DialectFactory, openable, type TestDatabase } from './test-database.ts';

/**
 * Connections of one instance: fewer than racing calls, so that they wait for connections and for
 * locks.
 */
const POOL_SIZE = 8;

/** New connections to the database at `postgres://…` or `mysql://…`. */
export function serverDialectAt(url: string): DialectFactory {
  return ({ onConnect, maxConnections = POOL_SIZE }): Dialect => {
    const hooks = onCreateConnection(onConnect);
    return new URL(url).protocol.startsWith('postgres')
      ? new PostgresDialect({ pool: () => postgresPool(url, maxConnections), ...hooks })
      : new MysqlDialect({ pool: () => mysqlPool(url, maxConnections), ...hooks });
  };
}

/**
 * A schema of its own in the database that the URL names, since a whole database takes 20 times as
 * long.
 */
export async function createPostgresSchema(product: string): Promise<TestDatabase> {
  const schema = uniqueName(product);
  await postgresStatement(`create schema ${schema}`);
  const url = new URL(POSTGRES_URL);
  url.searchParams.set('options', `-c search_path=${schema} -c application_name=${schema}`);
  return openable(url.href, serverDialectAt(url.href), () =>
    postgresStatement(`drop schema ${schema} cascade`),
  );
}

/**
 * The same, with the name of a schema besides, which does not exist yet and is dropped with it. Its
 * name is one only within quotes.
 */
export async function createPostgresSchemas(product: string): Promise<TestDatabase> {
  const database = await createPostgresSchema(product);
  const otherSchema = `Of-${uniqueName(product)}`;
  return {
    ...database,
    otherSchema,
    async remove() {
      await database.remove();
      await postgresStatement(`drop schema if exists "${otherSchema}" cascade`);
    },
  };
}

/** A database of its own; `options` follow its name in `create database`. */
export async function createPostgresDatabase(product: string, options = ''): Promise<TestDatabase> {
  const database = uniqueName(product);
  await postgresStatement(`create database ${database} ${options}`);
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${database}`;
  return openable(url.href, serverDialectAt(url.href), () => postgresStatement(`drop database ${database}`));
}

/** What a host may have set in another way. */
export interface MysqlSetting {
  /** The default of the database. */
  readonly characterSet?: string;
  /** A statement that every connection begins with. */
  readonly onConnect?: string;
}

/** A database of its own. */
export async function createMysqlDatabase(
  product: string,
  { characterSet, onConnect }: MysqlSetting = {},
): Promise<TestDatabase> {
  const database = uniqueName(product);
  const options = characterSet === undefined ? '' : ` character set ${characterSet}`;
  await mysqlStatement(`create database ${database}${options}`);
  const url = new URL(MYSQL_URL);
  url.pathname = `/${database}`;
  const dialect = serverDialectAt(url.href);
  return openable(url.href, onConnect === undefined ? dialect : (own) => dialect({ onConnect, ...own }), () =>
    mysqlStatement(`drop database ${database}`),
  );
}

/** A lost connection fails the statement that was under way, and is nobody else's affair. */
async function postgresPool(url: string, max: number): Promise<PostgresPool> {
  const { Pool } = await import('pg');
  const pool = new Pool({ connectionString: url, max });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

async function mysqlPool(url: string, connectionLimit: number): Promise<MysqlPool> {
  const { createPool } = await import('mysql2');
  return createPool({ uri: url, connectionLimit });
}

function onCreateConnection(statement: string | undefined) {
  if (statement === undefined) return {};
  return {
    async onCreateConnection(connection: DatabaseConnection) {
      await connection.executeQuery(CompiledQuery.raw(statement));
    },
  };
}

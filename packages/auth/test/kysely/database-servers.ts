import { CompiledQuery, type DatabaseConnection, MysqlDialect, PostgresDialect } from 'kysely';
import { createPool } from 'mysql2';
import { Pool } from 'pg';
import {
  MYSQL_URL,
  mysqlSkipped,
  mysqlStatement,
  POSTGRES_URL,
  postgresSkipped,
  postgresStatement,
  uniqueName,
} from '../../../../test/services/servers.ts';
import { sqliteFile } from './sqlite-file.ts';
import { type DialectFactory, openable, type TestDatabase } from './test-database.ts';

/** A kind of database to run a suite on. */
export interface DatabaseServer {
  readonly name: string;
  /** Why its suites are left out here; `undefined` where they run. */
  readonly skipped: string | undefined;
  create(): Promise<TestDatabase>;
  /**
   * With nobody else in it: what asks for every table there is, meets none that another test is
   * dropping.
   */
  createWhole(): Promise<TestDatabase>;
}

/**
 * Connections of one instance: fewer than racing calls, so that they wait for connections and for
 * locks.
 */
const POOL_SIZE = 8;

/**
 * Every database that the stores support, SQLite first, which is always there. A server that does
 * not answer is named on the console and its suites are skipped; with `REQUIRE_SERVICES=1` they
 * run, and fail.
 *
 * ```ts
 * describe.each(databaseServers)('on $name', ({ skipped, create }) => {
 *   test.skipIf(skipped)('keeps what it is given', async () => { … });
 * });
 * ```
 */
export const databaseServers: readonly DatabaseServer[] = [
  {
    name: 'SQLite',
    skipped: undefined,
    create: async () => sqliteFile(),
    createWhole: async () => sqliteFile(),
  },
  {
    name: 'PostgreSQL',
    skipped: await postgresSkipped(),
    create: createPostgresSchema,
    createWhole: createPostgresDatabase,
  },
  {
    name: 'MySQL or MariaDB',
    skipped: await mysqlSkipped(),
    create: () => createMysqlDatabase(),
    createWhole: () => createMysqlDatabase(),
  },
];

/**
 * The MySQL or MariaDB of {@link databaseServers}, in databases whose default is another character
 * set.
 */
export function mysqlIn(characterSet: string): DatabaseServer {
  return {
    name: `MySQL or MariaDB, in a database of ${characterSet}`,
    skipped: databaseServers.at(-1)?.skipped,
    create: () => createMysqlDatabase(` character set ${characterSet}`),
    createWhole: () => createMysqlDatabase(` character set ${characterSet}`),
  };
}

/**
 * A schema of its own in the database that the URL names, since a whole database takes 20 times as
 * long.
 */
async function createPostgresSchema(): Promise<TestDatabase> {
  const schema = uniqueName('auth');
  await postgresStatement(`create schema ${schema}`);
  const dialect: DialectFactory = ({ onConnect, maxConnections = POOL_SIZE }) =>
    new PostgresDialect({
      pool: new Pool({
        connectionString: POSTGRES_URL,
        max: maxConnections,
        options: `-c search_path=${schema}`,
      }),
      ...onCreateConnection(onConnect),
    });
  return openable(dialect, () => postgresStatement(`drop schema ${schema} cascade`));
}

async function createPostgresDatabase(): Promise<TestDatabase> {
  const database = uniqueName('auth');
  await postgresStatement(`create database ${database}`);
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${database}`;
  const dialect: DialectFactory = ({ onConnect, maxConnections = POOL_SIZE }) =>
    new PostgresDialect({
      pool: new Pool({ connectionString: url.href, max: maxConnections }),
      ...onCreateConnection(onConnect),
    });
  return openable(dialect, () => postgresStatement(`drop database ${database}`));
}

async function createMysqlDatabase(options = ''): Promise<TestDatabase> {
  const database = uniqueName('auth');
  await mysqlStatement(`create database ${database}${options}`);
  const dialect: DialectFactory = ({ onConnect, maxConnections = POOL_SIZE }) =>
    new MysqlDialect({
      pool: createPool({ uri: MYSQL_URL, database, connectionLimit: maxConnections }),
      ...onCreateConnection(onConnect),
    });
  return openable(dialect, () => mysqlStatement(`drop database ${database}`));
}

function onCreateConnection(statement: string | undefined) {
  if (statement === undefined) return {};
  return {
    async onCreateConnection(connection: DatabaseConnection) {
      await connection.executeQuery(CompiledQuery.raw(statement));
    },
  };
}

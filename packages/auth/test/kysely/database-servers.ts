import { reusedDatabases } from '../../../../test/services/reused-databases.ts';
import {
  createMysqlDatabase,
  createPostgresDatabase,
  createPostgresSchema,
  createPostgresSchemas,
} from '../../../../test/services/server-databases.ts';
import { mysqlSkipped, postgresSkipped } from '../../../../test/services/servers.ts';
import { copiedSqliteFiles, sqliteFile } from '../../../../test/services/sqlite-file.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { migrateAuth } from '../../src/kysely/migrate.ts';

/** A kind of database to run a suite on. */
export interface DatabaseServer {
  readonly name: string;
  /** Why its suites are left out here; `undefined` where they run. */
  readonly skipped: string | undefined;
  /** One to migrate. It may have the tables of an earlier test, emptied. */
  create(): Promise<TestDatabase>;
  /** For a test of migrations, or that changes tables: there is nothing in it. */
  createEmpty(): Promise<TestDatabase>;
  /**
   * Empty, and with nobody else in it: what asks for every table there is, meets none that another
   * test is dropping.
   */
  createWhole(): Promise<TestDatabase>;
}

/** A kind of database in which the tables have names of their own. */
export interface NamedDatabaseServer extends DatabaseServer {
  /** What the tables are called there. */
  names(database: TestDatabase): TableNameOptions;
}

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
    create: copiedSqliteFiles(migrateAuth),
    createEmpty: async () => sqliteFile(),
    createWhole: async () => sqliteFile(),
  },
  {
    name: 'PostgreSQL',
    skipped: await postgresSkipped(),
    create: reusedDatabases(() => createPostgresSchema('auth'), migrateAuth),
    createEmpty: () => createPostgresSchema('auth'),
    createWhole: () => createPostgresDatabase('auth'),
  },
  {
    name: 'MySQL or MariaDB',
    skipped: await mysqlSkipped(),
    create: reusedDatabases(() => createMysqlDatabase('auth'), migrateAuth),
    createEmpty: () => createMysqlDatabase('auth'),
    createWhole: () => createMysqlDatabase('auth'),
  },
];

/**
 * The same databases, with the longest prefix and, on PostgreSQL, in a schema that no connection
 * has in its path. Nothing has a default name there: a statement that uses one fails.
 */
export const namedDatabaseServers: readonly NamedDatabaseServer[] = databaseServers.map((server) => ({
  ...server,
  name: `${server.name}, with tables of other names`,
  names: ({ otherSchema }) => ({
    tablePrefix: 'a'.padEnd(16, '_2'),
    ...(otherSchema !== undefined && { schema: otherSchema }),
  }),
  create: server.name === 'PostgreSQL' ? () => createPostgresSchemas('auth') : server.createEmpty,
}));

/**
 * The MySQL or MariaDB of {@link databaseServers}, in databases whose default is another character
 * set.
 */
export function mysqlIn(characterSet: string): DatabaseServer {
  const create = () => createMysqlDatabase('auth', { characterSet });
  return {
    name: `MySQL or MariaDB, in a database of ${characterSet}`,
    skipped: databaseServers.at(-1)?.skipped,
    create,
    createEmpty: create,
    createWhole: create,
  };
}

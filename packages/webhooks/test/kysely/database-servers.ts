import {
  createMysqlDatabase,
  createPostgresSchema,
  createPostgresSchemas,
  type MysqlSetting,
} from '../../../../test/services/server-databases.ts';
import { mysqlSkipped, postgresSkipped } from '../../../../test/services/servers.ts';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';

/** A kind of database to run a suite on. */
export interface DatabaseServer {
  readonly name: string;
  /** Whose clock the storage goes by. */
  readonly clock: 'caller' | 'database';
  /** Why its suites are left out here; `undefined` where they run. */
  readonly skipped: string | undefined;
  create(): Promise<TestDatabase>;
}

/** A kind of database in which the tables have names of their own. */
export interface NamedDatabaseServer extends DatabaseServer {
  /** What the tables of an application are called there. */
  names(database: TestDatabase, application?: string): TableNameOptions;
}

/**
 * Every database that the storage supports, SQLite first, which is always there. A server that does
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
  { name: 'SQLite', clock: 'caller', skipped: undefined, create: async () => sqliteFile() },
  {
    name: 'PostgreSQL',
    clock: 'database',
    skipped: await postgresSkipped(),
    create: () => createPostgresSchema('webhooks'),
  },
  {
    name: 'MySQL or MariaDB',
    clock: 'database',
    skipped: await mysqlSkipped(),
    create: () => createMysqlDatabase('webhooks'),
  },
];

/**
 * The same databases, with the longest prefix and, on PostgreSQL, in a schema that no connection
 * has in its path. Nothing has a default name there: a statement that uses one fails.
 */
export const namedDatabaseServers: readonly NamedDatabaseServer[] = databaseServers.map((server) => ({
  ...server,
  name: `${server.name}, with tables of other names`,
  names: ({ otherSchema }, application = 'a') => ({
    tablePrefix: application.padEnd(16, '_2'),
    ...(otherSchema !== undefined && { schema: otherSchema }),
  }),
  ...(server.name === 'PostgreSQL' && { create: () => createPostgresSchemas('webhooks') }),
}));

/** The MySQL or MariaDB of {@link databaseServers}, in databases that are set up in another way. */
export function mysqlServer(name: string, setting: MysqlSetting): DatabaseServer {
  const [server] = databaseServers.slice(-1);
  return {
    name: `MySQL or MariaDB, ${name}`,
    clock: 'database',
    skipped: server?.skipped,
    create: () => createMysqlDatabase('webhooks', setting),
  };
}

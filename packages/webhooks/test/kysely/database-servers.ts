import { reusedDatabases } from '../../../../test/services/reused-databases.ts';
import {
  createMysqlDatabase,
  createPostgresSchema,
  createPostgresSchemas,
  type MysqlSetting,
} from '../../../../test/services/server-databases.ts';
import { mysqlSkipped, postgresSkipped } from '../../../../test/services/servers.ts';
import { copiedSqliteFiles, sqliteFile } from '../../../../test/services/sqlite-file.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';

/** A kind of database to run a suite on. */
export interface DatabaseServer {
  readonly name: string;
  /** Whose clock the storage goes by. */
  readonly clock: 'caller' | 'database';
  /** Why its suites are left out here; `undefined` where they run. */
  readonly skipped: string | undefined;
  /** One to migrate. It may have the tables of an earlier test, emptied. */
  create(): Promise<TestDatabase>;
  /** For a test of migrations, or that changes tables: there is nothing in it. */
  createEmpty(): Promise<TestDatabase>;
}

/** A kind of database in which the tables have names of their own. */
export interface NamedDatabaseServer extends DatabaseServer {
  /** What the tables are called there. */
  names(database: TestDatabase): TableNameOptions;
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
  {
    name: 'SQLite',
    clock: 'caller',
    skipped: undefined,
    create: copiedSqliteFiles(migrateWebhooks),
    createEmpty: async () => sqliteFile(),
  },
  {
    name: 'PostgreSQL',
    clock: 'database',
    skipped: await postgresSkipped(),
    create: reusedDatabases(() => createPostgresSchema('webhooks'), migrateWebhooks),
    createEmpty: () => createPostgresSchema('webhooks'),
  },
  {
    name: 'MySQL or MariaDB',
    clock: 'database',
    skipped: await mysqlSkipped(),
    create: reusedDatabases(() => createMysqlDatabase('webhooks'), migrateWebhooks),
    createEmpty: () => createMysqlDatabase('webhooks'),
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
  create: server.name === 'PostgreSQL' ? () => createPostgresSchemas('webhooks') : server.createEmpty,
}));

/** The MySQL or MariaDB of {@link databaseServers}, in databases that are set up in another way. */
export function mysqlServer(name: string, setting: MysqlSetting): DatabaseServer {
  const [server] = databaseServers.slice(-1);
  const create = () => createMysqlDatabase('webhooks', setting);
  return {
    name: `MySQL or MariaDB, ${name}`,
    clock: 'database',
    skipped: server?.skipped,
    create,
    createEmpty: create,
  };
}

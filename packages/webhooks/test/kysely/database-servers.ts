import {
  MYSQL_URL,
  mysqlSkipped,
  mysqlStatement,
  POSTGRES_URL,
  postgresSkipped,
  postgresStatement,
  uniqueName,
} from '../../../../test/services/servers.ts';
import { dialectAt } from './dialect-at.ts';
import { sqliteFile } from './sqlite-database.ts';
import { openable, type TestDatabase } from './test-database.ts';

/** A kind of database to run a suite on. */
export interface DatabaseServer {
  readonly name: string;
  /** Whose clock the storage goes by. */
  readonly clock: 'caller' | 'database';
  /** Why its suites are left out here; `undefined` where they run. */
  readonly skipped: string | undefined;
  create(): Promise<TestDatabase>;
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
    create: createPostgresSchema,
  },
  {
    name: 'MySQL or MariaDB',
    clock: 'database',
    skipped: await mysqlSkipped(),
    create: () => createMysqlDatabase(),
  },
];

/** What a host may have set in another way. */
interface MysqlSetting {
  /** The default of the database. */
  readonly characterSet?: string;
  /** A statement that every connection begins with. */
  readonly onConnect?: string;
}

/** The MySQL or MariaDB of {@link databaseServers}, in databases that are set up in another way. */
export function mysqlServer(name: string, setting: MysqlSetting): DatabaseServer {
  const [server] = databaseServers.slice(-1);
  return {
    name: `MySQL or MariaDB, ${name}`,
    clock: 'database',
    skipped: server?.skipped,
    create: () => createMysqlDatabase(setting),
  };
}

/**
 * A schema of its own in the database that the URL names, since a whole database takes 20 times as
 * long.
 */
async function createPostgresSchema(): Promise<TestDatabase> {
  const schema = uniqueName('webhooks');
  await postgresStatement(`create schema ${schema}`);
  const url = new URL(POSTGRES_URL);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return openable(url.href, dialectAt(url.href), () => postgresStatement(`drop schema ${schema} cascade`));
}

/** A database of its own: the encoding is not a schema's. */
export async function createPostgresDatabase(encoding: string): Promise<TestDatabase> {
  const database = uniqueName('webhooks');
  await postgresStatement(
    `create database ${database} encoding '${encoding}' template template0 lc_collate 'C' lc_ctype 'C'`,
  );
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${database}`;
  return openable(url.href, dialectAt(url.href), () => postgresStatement(`drop database ${database}`));
}

async function createMysqlDatabase({ characterSet, onConnect }: MysqlSetting = {}): Promise<TestDatabase> {
  const database = uniqueName('webhooks');
  const options = characterSet === undefined ? '' : ` character set ${characterSet}`;
  await mysqlStatement(`create database ${database}${options}`);
  const url = new URL(MYSQL_URL);
  url.pathname = `/${database}`;
  const dialect = dialectAt(url.href);
  return openable(url.href, onConnect === undefined ? dialect : (own) => dialect({ onConnect, ...own }), () =>
    mysqlStatement(`drop database ${database}`),
  );
}

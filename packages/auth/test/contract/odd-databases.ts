import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, SqliteDialect } from 'kysely';
import { openSqlite, sqliteFile } from '../../../../test/services/sqlite-file.ts';
import type { StoreContractCase } from '../../contract/store/store-contract.ts';
import { migrateAuth } from '../../src/kysely/index.ts';
import { mysqlIn, namedDatabaseServers } from '../kysely/database-servers.ts';
import { everyStore } from './every-store.ts';
import { storeOnDatabase } from './store-on-database.ts';

interface OddDatabase {
  readonly name: string;
  readonly skipped: string | undefined;
  readonly cases: readonly StoreContractCase[];
}

// Defaults of a database that cannot hold what our columns do: a column that takes one loses
// characters.
const CHARACTER_SETS = ['latin1', 'utf8mb3'].map(mysqlIn);

const SQLITE = async () => sqliteFile();
const PLUGINS = [new CamelCasePlugin(), new ParseJSONResultsPlugin()];

/** Set up as few hosts do it: the contracts of all stores on each. */
export const ODD_DATABASES: readonly OddDatabase[] = [
  ...namedDatabaseServers.map(({ name, skipped, create, names }) => ({
    name,
    skipped,
    cases: everyStore((createStore) => storeOnDatabase(create, createStore, {}, names)),
  })),
  ...CHARACTER_SETS.map(({ name, skipped, create }) => ({
    name,
    skipped,
    cases: everyStore((createStore) => storeOnDatabase(create, createStore)),
  })),
  {
    name: 'SQLite, with plugins of the host that rename columns and parse results',
    skipped: undefined,
    cases: everyStore((createStore) => storeOnDatabase(SQLITE, createStore, { plugins: PLUGINS })),
  },
  {
    name: 'SQLite, with a driver that answers every integer as a BigInt',
    skipped: undefined,
    cases: everyStore(onBigInts, { hasSecondProcess: false }),
  },
];

function onBigInts<Store>(createStore: (db: Kysely<unknown>) => Store) {
  return async () => {
    const file = sqliteFile();
    const database = openSqlite(file.path, 'BigInts');
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
    await migrateAuth(db);
    return {
      store: createStore(db),
      async close() {
        await db.destroy();
        await file.remove();
      },
    };
  };
}

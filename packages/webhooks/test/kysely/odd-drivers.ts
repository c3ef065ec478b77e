import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, SqliteDialect } from 'kysely';
import { openSqlite, type SqliteFile } from '../../../../test/services/sqlite-file.ts';
import { type ContractCase, storageContract } from '../../contract/storage-contract.ts';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import { newSqlite } from './migrated-sqlite.ts';

const PLUGINS = [new CamelCasePlugin(), new ParseJSONResultsPlugin()];

/** What a host's instance may do to statements and results: the contract on each. */
export const ODD_DRIVERS: readonly { readonly name: string; readonly cases: readonly ContractCase[] }[] = [
  {
    name: 'with plugins of the host that rename columns and parse results',
    cases: casesOn((file) => new Kysely<unknown>({ dialect: file.dialect(), plugins: PLUGINS })),
  },
  {
    name: 'with a driver that answers every integer as a BigInt',
    cases: casesOn(
      ({ path }) =>
        new Kysely<unknown>({ dialect: new SqliteDialect({ database: openSqlite(path, 'BigInts') }) }),
    ),
  },
];

function casesOn(open: (file: SqliteFile) => Kysely<unknown>): readonly ContractCase[] {
  return storageContract(
    async () => {
      const db = open(newSqlite());
      await migrateWebhooks(db);
      return {
        storage: kyselyStorage(db),
        inTransaction: (work) => db.transaction().execute(work),
        close: () => db.destroy(),
      };
    },
    { hasTransactions: true },
  );
}

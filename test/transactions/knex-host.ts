import { createRequire } from 'node:module';
import knex, { type Knex } from 'knex';
import Database from 'libsql';
import { fromKnex, type KnexTransaction } from '../../packages/toolkit/src/transactions/from-knex.ts';
import { databaseAt, sqlitePathOf, type TransactionHost } from './transaction-host.ts';

const BetterSqlite3: typeof Knex.Client = createRequire(import.meta.url)(
  'knex/lib/dialects/better-sqlite3/index.js',
);

/** libsql has the interface of better-sqlite3, and needs no compiler. */
class LibsqlClient extends BetterSqlite3 {
  _driver() {
    return Database;
  }
}

const CONFIGURATIONS = {
  postgres: (url: string): Knex.Config => ({ client: 'pg', connection: url }),
  mysql: (url: string): Knex.Config => ({ client: 'mysql2', connection: url }),
  sqlite: (url: string): Knex.Config => ({
    client: LibsqlClient,
    connection: { filename: sqlitePathOf(url) },
    useNullAsDefault: true,
  }),
};

export const host: TransactionHost = {
  name: 'Knex',
  module: import.meta.url,
  databases: ['postgres', 'mysql', 'sqlite'],
  async connect(url) {
    const db = knex({
      ...CONFIGURATIONS[databaseAt(url)](url),
      // As an application has it that names columns differently.
      postProcessResponse: () => 'what the application made of it',
    });
    return {
      transaction: (work) =>
        db.transaction((trx) =>
          work({ transaction: fromKnex(trx), run: async (statement) => trx.raw(statement) }),
        ),
      withoutTransaction: () => fromKnex(db as unknown as KnexTransaction),
      close: () => db.destroy(),
    };
  },
};

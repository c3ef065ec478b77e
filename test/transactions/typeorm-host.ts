import Database from 'libsql';
import { DataSource } from 'typeorm';
import { fromTypeorm } from '../../packages/toolkit/src/transactions/from-typeorm.ts';
import { databaseAt, sqlitePathOf, type TransactionHost } from './transaction-host.ts';

const SOURCES = {
  postgres: (url: string) => new DataSource({ type: 'postgres', url }),
  mysql: (url: string) => new DataSource({ type: 'mysql', url }),
  sqlite: (url: string) =>
    new DataSource({ type: 'better-sqlite3', database: sqlitePathOf(url), driver: Database }),
};

export const host: TransactionHost = {
  name: 'TypeORM',
  module: import.meta.url,
  databases: ['postgres', 'mysql', 'sqlite'],
  async connect(url) {
    const source = await SOURCES[databaseAt(url)](url).initialize();
    return {
      transaction: (work) =>
        source.transaction((manager) =>
          work({ transaction: fromTypeorm(manager), run: (statement) => manager.query(statement) }),
        ),
      withoutTransaction: () => fromTypeorm(source.manager),
      close: () => source.destroy(),
    };
  },
};

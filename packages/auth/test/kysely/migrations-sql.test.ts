import { printedSqlContract } from '../../../toolkit/test/kysely/printed-sql/printed-sql-contract.ts';
import { findDialect } from '../../src/kysely/dialect.ts';
import {
  authMigrations,
  kyselySessionStore,
  migrateAuth,
  migrationStatements,
  migrationsSql,
} from '../../src/kysely/index.ts';
import { databaseServers } from './database-servers.ts';

printedSqlContract({
  servers: databaseServers.map((server) => ({ ...server, create: server.createWhole })),
  listName: 'authMigrations',
  migrations: Object.keys(authMigrations),
  record: 'auth_migrations',
  table: 'api_keys',
  migrationsSql,
  migrationStatements,
  dialectOf: (db) => findDialect(db).name,
  migrate: migrateAuth,
  use: (db, options) => kyselySessionStore(db, options).purge({ expiredBefore: 0, limit: 1 }),
  timeOf: (appliedAt) => Number(appliedAt) * 1_000,
});

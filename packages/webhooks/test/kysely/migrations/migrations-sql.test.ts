import { createPostgresDatabase } from '../../../../../test/services/server-databases.ts';
import { printedSqlContract } from '../../../../toolkit/test/kysely/printed-sql/printed-sql-contract.ts';
import { findDialect } from '../../../src/kysely/find-dialect.ts';
import {
  kyselyStorage,
  migrateWebhooks,
  migrationStatements,
  migrationsSql,
  webhookMigrations,
} from '../../../src/kysely/index.ts';
import { databaseServers } from '../database-servers.ts';

printedSqlContract({
  servers: databaseServers.map((server) => ({
    ...server,
    create: server.name === 'PostgreSQL' ? () => createPostgresDatabase('webhooks') : server.createEmpty,
  })),
  listName: 'webhookMigrations',
  migrations: Object.keys(webhookMigrations),
  record: 'webhook_migrations',
  table: 'webhooks',
  migrationsSql,
  migrationStatements,
  dialectOf: (db) => findDialect(db).name,
  migrate: migrateWebhooks,
  use: async (db, options) => kyselyStorage(db, options).assertReady?.(),
  // ISO 8601 in UTC with milliseconds, and no other form.
  timeOf: (text) => {
    const date = new Date(String(text));
    return date.toISOString() === text ? date.getTime() : Number.NaN;
  },
});

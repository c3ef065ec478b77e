export { boundedPool } from '../../../toolkit/src/kysely/bounded-pool.ts';
export { kyselyStorage } from './kysely-storage.ts';
export { migrateWebhooks } from './migrations/migrate.ts';
export { migrationStatements, migrationsSql } from './migrations/migrations-sql.ts';
export { webhookMigrations } from './migrations/webhook-migrations.ts';

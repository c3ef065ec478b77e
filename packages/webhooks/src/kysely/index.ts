export type { MigrationsSqlOptions } from '../../../toolkit/src/kysely/printed-sql/print-migrations.ts';
export type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
export { kyselyStorage } from './kysely-storage.ts';
export { migrateWebhooks } from './migrations/migrate.ts';
export { migrationStatements, migrationsSql } from './migrations/migrations-sql.ts';
export { type WebhookMigration, webhookMigrations } from './migrations/webhook-migrations.ts';

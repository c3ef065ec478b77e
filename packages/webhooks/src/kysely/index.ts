export type { DatabaseName } from '../../../toolkit/src/database-name.ts';
export type { BoundedPoolOptions } from '../../../toolkit/src/kysely/bounded-pool.ts';
export { boundedPool } from '../../../toolkit/src/kysely/bounded-pool.ts';
export type { MigrationsSqlOptions } from '../../../toolkit/src/kysely/printed-sql/print-migrations.ts';
export type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
export { kyselyStorage } from './kysely-storage.ts';
export { migrateWebhooks } from './migrations/migrate.ts';
export { migrationStatements, migrationsSql } from './migrations/migrations-sql.ts';
export { webhookMigrations } from './migrations/webhook-migrations.ts';

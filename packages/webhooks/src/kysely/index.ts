export { kyselyStorage } from './kysely-storage.ts';
export { migrateWebhooks } from './migrate.ts';
export { type WebhookMigration, webhookMigrations } from './migrations.ts';

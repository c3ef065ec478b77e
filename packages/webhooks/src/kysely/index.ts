export { kyselyStorage } from './kysely-storage.ts';
export { migrateWebhooks } from './migrations/migrate.ts';
export { type WebhookMigration, webhookMigrations } from './migrations/webhook-migrations.ts';

export type { MigrationsSqlOptions } from '../../../toolkit/src/kysely/printed-sql/print-migrations.ts';
export type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
export { type KyselyApiKeysOptions, kyselyApiKeys } from './kysely-api-keys.ts';
export { type KyselyLoginFailuresOptions, kyselyLoginFailures } from './kysely-login-failures.ts';
export { kyselyOneTimeTokenStore } from './kysely-one-time-token-store.ts';
export { kyselySessionStore } from './kysely-session-store.ts';
export { migrateAuth } from './migrate.ts';
export { type AuthMigration, authMigrations } from './migrations.ts';
export { migrationStatements, migrationsSql } from './migrations-sql.ts';

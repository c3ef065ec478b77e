export { boundedPool } from '../../../toolkit/src/kysely/bounded-pool.ts';
export { kyselyApiKeys } from './kysely-api-keys.ts';
export { kyselyLoginFailures } from './kysely-login-failures.ts';
export { kyselyOneTimeTokenStore } from './kysely-one-time-token-store.ts';
export { kyselySessionStore } from './kysely-session-store.ts';
export { migrateAuth } from './migrate.ts';
export { authMigrations } from './migrations.ts';
export { migrationStatements, migrationsSql } from './migrations-sql.ts';

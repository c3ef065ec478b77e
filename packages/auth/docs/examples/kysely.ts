import type { Auth, Sessions } from '@acme/auth';
import {
  authMigrations,
  boundedPool,
  kyselyApiKeys,
  kyselyLoginFailures,
  kyselyOneTimeTokenStore,
  kyselySessionStore,
  migrateAuth,
  migrationStatements,
  migrationsSql,
} from '@acme/auth/kysely';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';

declare const auth: Auth;
declare const sessions: Sessions;
declare const db: Kysely<object>;

{
  //#region authMigrations
  const provider = { getMigrations: async () => ({ ...authMigrations }) }; // for your own Migrator
  //#endregion
}

{
  //#region kyselyApiKeys
  const apiKeys = kyselyApiKeys(db, { auth, loadUser: sessions.loadUser, prefix: 'shop' });
  //#endregion
}

{
  //#region kyselyLoginFailures
  const loginThrottle = { store: kyselyLoginFailures(db) }; // shared by all processes
  //#endregion
}

{
  //#region kyselyOneTimeTokenStore
  const store = kyselyOneTimeTokenStore(db);
  //#endregion
}

{
  //#region kyselySessionStore
  const store = kyselySessionStore(db);
  //#endregion
}

{
  //#region migrateAuth
  await migrateAuth(db); // at every start, in every process
  //#endregion
}

{
  //#region migrationStatements
  for (const statement of await migrationStatements('mysql')) console.log(statement);
  //#endregion
}

{
  //#region migrationsSql
  console.log(await migrationsSql('postgres'));
  //#endregion
}

{
  //#region boundedPool
  const pool = boundedPool(new Pool({ connectionString: process.env.DATABASE_URL }));
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) });
  //#endregion
}

import {
  authMigrations,
  kyselyLoginFailures,
  kyselyOneTimeTokenStore,
  kyselySessionStore,
  migrateAuth,
  migrationStatements,
  migrationsSql,
} from '@acme/auth/kysely';
import type { Kysely } from 'kysely';

declare const db: Kysely<object>;

{
  //#region authMigrations
  const provider = { getMigrations: async () => ({ ...authMigrations }) }; // for your own Migrator
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

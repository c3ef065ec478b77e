import { createWebhooks } from '@acme/webhooks';
import {
  kyselyStorage,
  migrateWebhooks,
  migrationStatements,
  migrationsSql,
  webhookMigrations,
} from '@acme/webhooks/kysely';
import type { Kysely } from 'kysely';

declare const db: Kysely<object>;

{
  //#region kyselyStorage
  const webhooks = createWebhooks({ storage: kyselyStorage(db) });
  //#endregion
}

{
  //#region migrateWebhooks
  await migrateWebhooks(db); // at every start, in every process
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
  //#region webhookMigrations
  const provider = { getMigrations: async () => ({ ...webhookMigrations }) }; // for your own Migrator
  //#endregion
}

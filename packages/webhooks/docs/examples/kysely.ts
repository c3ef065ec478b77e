import { createWebhooks } from '@acme/webhooks';
import {
  boundedPool,
  kyselyStorage,
  migrateWebhooks,
  migrationStatements,
  migrationsSql,
  webhookMigrations,
} from '@acme/webhooks/kysely';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';

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

{
  //#region boundedPool
  const pool = boundedPool(new Pool({ connectionString: process.env.DATABASE_URL }));
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) });
  //#endregion
}

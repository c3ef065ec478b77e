import { boundedPool, migrateAuth } from '@acme/auth/kysely';
import { migrateWebhooks } from '@acme/webhooks/kysely';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

export const url = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const pool = new pg.Pool({ connectionString: url });
// Without both listeners, a restart of the database ends the process: pg reports lost connections as events.
pool.on('error', (error) => console.error(error.message));
pool.on('connect', (client) => client.on('error', (error) => console.error(error.message)));
export const db = new Kysely({ dialect: new PostgresDialect({ pool: boundedPool(pool) }) });

/** Creates the tables of both packages and of the shop, unless they exist. */
export async function migrate() {
  await migrateAuth(db);
  await migrateWebhooks(db);
  await db.schema
    .createTable('orders')
    .ifNotExists()
    .addColumn('id', 'integer', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('item', 'text', (column) => column.notNull())
    .execute();
}

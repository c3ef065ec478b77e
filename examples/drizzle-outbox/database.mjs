import { boundedPool, migrateAuth } from '@acme/auth/kysely';
import { migrateWebhooks } from '@acme/webhooks/kysely';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

const url = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
export const pool = new pg.Pool({ connectionString: url });
// Without both listeners, a restart of the database ends the process: pg reports lost connections as events.
pool.on('error', (error) => console.error(error.message));
pool.on('connect', (client) => client.on('error', (error) => console.error(error.message)));

/** Yours. */
export const db = drizzle(pool);
export const orders = pgTable('drizzle_orders', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  item: text().notNull(),
});

/** What the storages of both packages take: the same pool, and no code of yours. */
export const kysely = new Kysely({ dialect: new PostgresDialect({ pool: boundedPool(pool) }) });

/** Elsewhere drizzle-kit makes your tables. */
export async function migrate() {
  await migrateAuth(kysely);
  await migrateWebhooks(kysely);
  await db.execute(sql`create table if not exists ${orders}
    (id integer primary key generated always as identity, item text not null)`);
}

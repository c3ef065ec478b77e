import { kyselyApiKeys, migrateAuth } from '@acme/auth/kysely';
import { createWebhooks, defineEvents } from '@acme/webhooks';
import { bullmqQueue } from '@acme/webhooks/bullmq';
import { kyselyStorage, migrateWebhooks } from '@acme/webhooks/kysely';
import { Redis } from 'ioredis';
import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';

const database = new Database(process.env.DATABASE_FILE ?? 'app.db');
database.pragma('busy_timeout = 5000');
database.pragma('journal_mode = WAL');
const db = new Kysely({ dialect: new SqliteDialect({ database }) });
await migrateAuth(db);
await migrateWebhooks(db);

/** Yours: a table. A client has the scopes that its key may have at most. */
export const clients = new Map([['shop', { scopes: ['admin:webhooks', 'orders:write'] }]]);
export const apiKeys = kyselyApiKeys(db, {
  instance: 'hono-redis', // keys of another application are refused
  prefix: 'demo',
  loadUser: async (uid) => clients.get(uid),
});

const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
const connection = new Redis(url, { maxRetriesPerRequest: null });
connection.on('error', (error) => console.error('redis', error.message));

export const webhooks = createWebhooks({
  storage: kyselyStorage(db),
  queue: bullmqQueue({ connection, prefix: process.env.QUEUE_PREFIX ?? 'hono-redis' }),
  events: defineEvents({ 'order.created': { label: 'Order placed' } }),
  builtInEvents: false, // this app sends none of them
  egress: { allowedAddresses: ['127.0.0.1/32'] }, // [] in production: only public addresses
  onError: (error, { source }) => console.error('webhooks', source, error.code),
});

export async function close() {
  await webhooks.close();
  await connection.quit();
  await apiKeys.idle();
  await db.destroy();
}

import { createWebhooks, defineEvents } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import { pgBossQueue } from '@acme/webhooks/pg-boss';
import PgBoss from 'pg-boss';
import { db, url } from './database.mjs';

const boss = new PgBoss(url);
boss.on('error', (error) => console.error('pg-boss', error.message));
await boss.start();

/** The same in each process. Only a worker starts it. */
export const webhooks = createWebhooks({
  storage: kyselyStorage(db),
  queue: pgBossQueue({ boss }),
  events: defineEvents({ 'order.created': { label: 'Order placed' } }),
  builtInEvents: false, // this app sends none of them
  egress: { allowedAddresses: ['127.0.0.1/32'] }, // [] in production: only public addresses
  onError: (error, { source }) => console.error('webhooks', source, error.code),
});

export async function close() {
  await webhooks.close();
  await boss.stop();
  await db.destroy();
}

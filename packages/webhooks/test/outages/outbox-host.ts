import { Kysely, sql } from 'kysely';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { dialectAt } from '../kysely/dialect-at.ts';
import { HOST_VARIABLE, type HostSettings, type HostTables, ORDER } from './outbox-settings.ts';

/**
 * A host that places an order, with its event, in one transaction, and is killed just before that
 * commits or just after. Its engine delivers, so that nothing but the kill keeps it from sending
 * the event itself.
 */
const { url, killed }: HostSettings = JSON.parse(process.env[HOST_VARIABLE] ?? '');
const db = new Kysely<HostTables>({ dialect: dialectAt(url)({}) });
// Another process has the file open as well.
if (url.startsWith('sqlite:')) await sql`pragma busy_timeout = 5000`.execute(db);
const webhooks = createWebhooks({
  storage: kyselyStorage(db),
  egress: { allowedAddresses: ['127.0.0.1/32'] },
});
await webhooks.start();
await webhooks.drain();

await db.transaction().execute(async (transaction) => {
  await transaction.insertInto('orders').values(ORDER).execute();
  const { deliveries } = await webhooks.dispatch('order.created', ORDER, { transaction });
  if (deliveries !== 1) throw new Error(`the event was written for ${deliveries} webhooks`);
  if (killed === 'before the commit') process.kill(process.pid, 'SIGKILL');
});
process.kill(process.pid, 'SIGKILL');

import { Kysely } from 'kysely';
import type { TransactionHost } from '../../../../test/transactions/transaction-host.ts';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { dialectAt } from '../kysely/dialect-at.ts';
import { HOST_VARIABLE, type HostSettings, INSERT_ORDER, ORDER } from './host-settings.ts';

/**
 * A host that places an order, with its event, in a transaction of its own library, and is killed
 * just before that commits or just after.
 */
const { host, url, killed }: HostSettings = JSON.parse(process.env[HOST_VARIABLE] ?? '');
const library: { readonly host: TransactionHost } = await import(host);
const connected = await library.host.connect(url);
const webhooks = createWebhooks({
  storage: kyselyStorage(new Kysely<unknown>({ dialect: dialectAt(url)({}) })),
});
await connected.transaction(async ({ transaction, run }) => {
  await run(INSERT_ORDER);
  const { deliveries } = await webhooks.dispatch('order.created', ORDER, { transaction });
  if (deliveries !== 1) throw new Error(`the event was written for ${deliveries} webhooks`);
  if (killed === 'before the commit') process.kill(process.pid, 'SIGKILL');
});
process.kill(process.pid, 'SIGKILL');

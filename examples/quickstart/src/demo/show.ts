import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Auth } from '@acme/auth';
import { requireSameOrigin } from '@acme/auth/express';
import express, { Router } from 'express';
import type { Kysely } from 'kysely';
import type { Tables } from '../shop/database.ts';
import { placeOrder } from '../shop/orders.ts';
import type { ShopWebhooks } from '../shop/webhooks.ts';
import { createOrderTicker } from './order-ticker.ts';
import { createRecipientClient, RECIPIENTS } from './recipient-client.ts';
import { readRecipients } from './show-feed.ts';
import { subscribeRecipients } from './subscriptions.ts';
import { createWorkerSwitch } from './worker-switch.ts';

const PAGE = fileURLToPath(new URL('page', import.meta.url));
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const ITEMS = ['Desk', 'Chair', 'Lamp', 'Carpet', 'Sofa', 'Mirror', 'Plant', 'Bookshelf'];

/** The page at `/`, what its script asks for, and its switches. */
export async function createShow({
  auth,
  webhooks,
  db,
}: {
  readonly auth: Auth;
  readonly webhooks: ShopWebhooks;
  readonly db: Kysely<Tables>;
}): Promise<{ readonly routes: Router; close(): Promise<void> }> {
  const recipients = createRecipientClient(process.env.RECIPIENTS_URL ?? '');
  const subscriptions = await subscribeRecipients(webhooks, recipients);
  const worker = createWorkerSwitch();
  await worker.start();
  const ticker = createOrderTicker((placed) =>
    placeOrder(db, webhooks, {
      uid: '2',
      item: ITEMS[placed % ITEMS.length] ?? 'Lamp',
      quantity: (placed % 4) + 1,
    }),
  );
  /** Tells a page that stayed open from one of this start. */
  const run = randomUUID();

  const routes = Router();
  routes.get('/demo', async (request, response) => {
    // Not a picture in a page elsewhere. Other clients than browsers send no such header.
    if (request.get('sec-fetch-site') === 'same-origin') ticker.looked();
    response.set('cache-control', 'no-store').json({
      run,
      worker: worker.state,
      isSelling: ticker.isOn,
      placed: ticker.placed,
      recipients: await readRecipients(subscriptions, webhooks, recipients),
    });
  });

  routes.post('/demo/:name', requireSameOrigin(auth), express.json(), async (request, response) => {
    const { name } = request.params;
    const isOn = request.body?.on === true;
    if (name === 'shop') ticker.isOn = isOn;
    else if (name === 'worker') await (isOn ? worker.start() : worker.kill());
    else if (RECIPIENTS.some((known) => known === name)) await recipients.change(name, { isDown: !isOn });
    else return void response.status(404).end();
    response.status(204).end();
  });

  const setHeaders = (response: express.Response) =>
    void response.set({ 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' });
  routes.use(express.static(PAGE, { setHeaders }));
  return { routes, close: () => worker.end() };
}

import type { Auth } from '@acme/auth';
import { requireSameOrigin } from '@acme/auth/express';
import express, { Router } from 'express';
import type { Kysely } from 'kysely';
import { DEMO_USERS } from '../../app/accounts.ts';
import type { Tables } from '../../app/database.ts';
import type { ShopWebhooks } from '../../app/events.ts';
import { Problem } from '../../app/problem.ts';
import { placeOrder } from '../../app/shop.ts';
import type { RecipientClient } from '../recipient-client.ts';
import { createOrderTicker } from './order-ticker.ts';
import { createShowFeed } from './show-feed.ts';
import { SHOWN_RECIPIENTS } from './shown-recipients.ts';
import type { WorkerOrder, WorkerState } from './switched-worker.ts';

const ORDER_EVERY_MS = 2_000;
const ITEMS = ['Desk', 'Chair', 'Lamp', 'Carpet', 'Sofa', 'Mirror', 'Plant', 'Bookshelf'];
const DOWN = { status: 503 };

/** What the script of the show asks for, and its switches, below `/demo/show`. */
export function showRoutes(parts: {
  readonly auth: Auth;
  readonly webhooks: ShopWebhooks;
  readonly db: Kysely<Tables>;
  readonly recipient: RecipientClient;
  readonly recipientUrl: string;
  /** Tells a page that stayed open from one of this start. */
  readonly run: string;
}): Router {
  const { auth, webhooks, db, recipient, recipientUrl, run } = parts;
  const routes = Router();
  const feed = createShowFeed(recipient, webhooks, recipientUrl);
  const worker = followWorker();
  const ticker = createOrderTicker(
    () => placeOrder(db, webhooks, nextOrder(ticker.placed())),
    ORDER_EVERY_MS,
  );

  routes.get('/', async (request, response) => {
    // Not a picture in a page elsewhere. Other clients than browsers send no such header.
    if (request.get('sec-fetch-site') === 'same-origin') ticker.looked();
    const recipients = await feed.read();
    response.set('cache-control', 'no-cache').json({
      run,
      worker: worker.state(),
      isSelling: ticker.isOn,
      placed: ticker.placed(),
      recipients,
    });
  });

  routes.use(requireSameOrigin(auth), express.json());

  routes.post('/orders', (request, response) => {
    ticker.isOn = request.body?.on === true;
    response.status(204).end();
  });

  routes.post('/recipients/:hook', async (request, response) => {
    const shown = SHOWN_RECIPIENTS.find(({ hook }) => hook === request.params.hook);
    if (shown === undefined) throw new Problem(404, 'not_found', 'There is no such recipient.');
    await recipient.setAnswer(request.body?.on === true ? undefined : DOWN, shown.hook).catch(() => {
      throw new Problem(502, 'recipient_down', 'The recipient does not answer.');
    });
    response.status(204).end();
  });

  routes.post('/worker', (request, response) => {
    worker.order(request.body?.on === true ? 'start' : 'kill');
    response.status(204).end();
  });

  return routes;
}

function nextOrder(placed: number) {
  const item = ITEMS[placed % ITEMS.length] ?? 'Lamp';
  return { uid: String((placed % DEMO_USERS.length) + 1), item, quantity: (placed % 4) + 1 };
}

/** The worker is a child of the process that started this one, which passes orders on. */
function followWorker() {
  let state: WorkerState | undefined;
  process.on('message', (message: { readonly worker?: WorkerState }) => {
    state = message.worker ?? state;
  });
  return {
    state: () => state,
    order: (worker: WorkerOrder) => process.send?.({ worker }),
  };
}

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Auth } from '@acme/auth';
import { readReturnTo } from '@acme/auth/client';
import { requireSameOrigin } from '@acme/auth/express';
import express, { Router } from 'express';
import type { Kysely } from 'kysely';
import { textField } from '../app/body-fields.ts';
import type { Tables } from '../app/database.ts';
import type { ShopWebhooks } from '../app/events.ts';
import { Problem } from '../app/problem.ts';
import type { Settings } from '../processes/settings.ts';
import { demoPage } from './page/demo-page.ts';
import { requestCard } from './page/request-card.ts';
import { showPage } from './page/show-page.ts';
import { createRecipientClient } from './recipient-client.ts';
import { RECIPIENT_MODES } from './recipient-modes.ts';
import { readRequestFeed } from './request-feed.ts';
import { showRoutes } from './show/show-routes.ts';

const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-cache',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

const FILES = ['demo.css', 'demo.js', 'demo.svg', 'show.css', 'show.js'];

/**
 * The show at `/`, the page to try things at `/try`, and what their scripts ask for below `/demo`.
 * Log-ins, orders and redeliveries are not here: for those the scripts use the routes of the
 * application, as any client does.
 */
export function demoRoutes(parts: {
  readonly auth: Auth;
  readonly webhooks: ShopWebhooks;
  readonly db: Kysely<Tables>;
  /** Without `recipientUrl` there is no recipient to show. */
  readonly settings: Pick<Settings, 'recipientUrl'>;
}): Router {
  const { auth, webhooks, db } = parts;
  const { recipientUrl } = parts.settings;
  const routes = Router();
  if (recipientUrl === undefined) {
    return routes.get('/', (_request, response) => {
      response.type('text/plain').send('The app runs.\n');
    });
  }
  const recipient = createRecipientClient(recipientUrl);
  const readFeed = () => readRequestFeed(recipient, webhooks);
  /** Tells a page that stayed open from one of this start. */
  const run = randomUUID();

  routes.get('/', (_request, response) => {
    response.set(HEADERS).type('html').send(showPage());
  });
  routes.use('/demo/show', showRoutes({ auth, webhooks, db, recipient, recipientUrl, run }));

  // The portal leads here who is not logged in.
  routes.get('/try', async (request, response) => {
    const [, query = ''] = request.url.split('?', 2);
    const returnTo = query.includes('return_to=') ? readReturnTo('/webhooks', query) : '';
    response
      .set(HEADERS)
      .type('html')
      .send(demoPage(await readFeed(), returnTo));
  });

  for (const name of FILES) {
    const content = readFileSync(new URL(`./page/${name}`, import.meta.url));
    routes.get(`/demo/${name}`, (_request, response) => {
      response.set(HEADERS).type(name).send(content);
    });
  }

  routes.get('/demo/requests', async (_request, response) => {
    const { mode, requests } = await readFeed();
    const cards = requests.map((request) => ({
      key: String(request.attempts[0].number),
      html: requestCard(request).text,
    }));
    response.set(HEADERS).json({ run, mode: mode?.name ?? null, requests: cards });
  });

  // A customer's webhook leads to a hook of its own, which is given the secret from the page.
  routes.get('/demo/own-webhook', (_request, response) => {
    response.set(HEADERS).json({ url: `${recipientUrl}/hooks/customer-${randomUUID().slice(0, 8)}` });
  });

  routes.post('/demo/own-webhook', requireSameOrigin(auth), express.json(), async (request, response) => {
    const hook = textField(request.body, 'url', 200).slice(`${recipientUrl}/hooks/`.length);
    await recipient.addSecret(textField(request.body, 'secret', 100), hook);
    response.status(204).end();
  });

  routes.post('/demo/recipient', requireSameOrigin(auth), express.json(), async (request, response) => {
    const mode = RECIPIENT_MODES.find(({ name }) => name === request.body?.mode);
    if (mode === undefined) throw new Problem(422, 'validation_failed', 'There is no such mode.');
    await recipient.setAnswer(mode.answer).catch(() => {
      throw new Problem(502, 'recipient_down', 'The recipient does not answer.');
    });
    response.status(204).end();
  });

  return routes;
}

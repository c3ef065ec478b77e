import type { Auth, Sessions } from '@acme/auth';
import { authErrorHandler, mountSessions, requireAuth } from '@acme/auth/express';
import { createAdminApi, createAdminPanel } from '@acme/webhooks/admin';
import { mount } from '@acme/webhooks/express';
import express, { type Express, type RequestHandler } from 'express';
import type { Kysely } from 'kysely';
import type { Tables } from './database.ts';
import { orderRoutes } from './orders.ts';
import type { ShopWebhooks } from './webhooks.ts';

/** The shop over HTTP. Read it from top to bottom to see who may do what. */
export function createApp(parts: {
  readonly auth: Auth;
  readonly sessions: Sessions;
  readonly webhooks: ShopWebhooks;
  readonly db: Kysely<Tables>;
  /** The page of the demo, with its switches. */
  readonly demo: RequestHandler;
}): Express {
  const { auth, sessions, webhooks, db, demo } = parts;
  const app = express().disable('x-powered-by');
  // Log-in, status poll and log-out, at /api/auth.
  app.use(mountSessions(sessions));
  app.use('/api/orders', requireAuth(auth), orderRoutes(db, webhooks));
  // The API asks for the scope `admin:webhooks`. The panel's pages contain no data: the API decides
  // what they show.
  app.use(mount(createAdminApi(webhooks, { authorize: (request) => auth.authenticate(request) })));
  app.use(
    mount(
      createAdminPanel({
        apiPath: '/api/admin/webhooks',
        statusUrl: '/api/auth/status',
        loginEndpoint: '/api/auth/login',
        logoutUrl: '/api/auth/logout',
        title: 'Example shop',
        backUrl: '/',
      }),
    ),
  );
  return app.use(demo, authErrorHandler());
}

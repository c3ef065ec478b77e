import type { Auth, Sessions } from '@acme/auth';
import { authErrorHandler, mountSessions, requireAuth, requireScope } from '@acme/auth/express';
import { createAdminApi, createAdminPanel } from '@acme/webhooks/admin';
import { mount } from '@acme/webhooks/express';
import express, { type Express, type RequestHandler } from 'express';
import type { Kysely } from 'kysely';
import type { Accounts, AdminScope } from './accounts.ts';
import { administrationRoutes } from './administration.ts';
import { createCustomersApi, createCustomersPortal } from './customers.ts';
import type { Tables } from './database.ts';
import type { ShopWebhooks } from './events.ts';
import { type PasswordReset, passwordResetRoutes } from './password-reset.ts';
import { forgotPasswordPage, resetPasswordPage } from './password-reset-pages.ts';
import { answerErrors, notFound } from './problem.ts';
import { shopRoutes } from './shop.ts';
import { userRoutes } from './users.ts';

/** The parts that the application is built from. */
export interface AppParts {
  readonly adminAuth: Auth<AdminScope>;
  readonly userAuth: Auth<never>;
  readonly adminSessions: Sessions;
  readonly userSessions: Sessions;
  readonly administrators: Accounts<AdminScope>;
  readonly users: Accounts<never>;
  readonly passwordReset: PasswordReset;
  readonly webhooks: ShopWebhooks;
  readonly db: Kysely<Tables>;
  /** The page of the demo, which drives the routes below. */
  readonly demoPage: RequestHandler;
}

/** The application. Read it from top to bottom to see who may do what. */
export function createApp(parts: AppParts): Express {
  const { adminAuth, userAuth, adminSessions, userSessions, administrators, users } = parts;
  const { passwordReset, webhooks, db, demoPage } = parts;
  const app = express().disable('x-powered-by');
  app.use(demoPage);

  // Administrators
  app.use(mountSessions(adminSessions));
  // This group requires the scope `admin:webhooks`. It comes before the general group, which
  // requires another one.
  app.use(mount(createAdminApi(webhooks, { authorize: (request) => adminAuth.authenticate(request) })));
  // The pages contain no data: the API above decides what they show. Its cookie, of path
  // /api/admin, does not reach them.
  app.use(
    mount(
      createAdminPanel({
        apiPath: '/api/admin/webhooks',
        statusUrl: '/api/admin/auth/status',
        // Its own page /admin/webhooks/login sends the log-in there.
        loginEndpoint: '/api/admin/auth/login',
        logoutUrl: '/api/admin/auth/logout',
        title: 'Example shop',
        backUrl: '/',
      }),
    ),
  );
  app.get('/admin/forgot-password', forgotPasswordPage);
  app.get('/admin/reset-password', resetPasswordPage);
  app.use(
    '/api/admin/password-reset',
    passwordResetRoutes(adminAuth, passwordReset, administrators, adminSessions, db),
  );
  app.use(
    '/api/admin',
    requireAuth(adminAuth),
    requireScope<typeof adminAuth>('admin'),
    administrationRoutes(users, userSessions, { adminAuth, userAuth }, webhooks),
  );

  // Users
  app.use('/api', userRoutes(userAuth, users, webhooks));
  app.use(mountSessions(userSessions));
  app.use(mount(createCustomersApi(userAuth, webhooks)), mount(createCustomersPortal()));
  app.use('/api', requireAuth(userAuth), shopRoutes(db, webhooks));

  return app.use(notFound, authErrorHandler(), answerErrors);
}

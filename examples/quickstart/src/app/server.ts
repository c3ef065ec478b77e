import { randomBytes } from 'node:crypto';
import { createAuth } from '@acme/auth';
import { demoRoutes } from '../demo/demo-routes.ts';
import { serve } from '../processes/serve.ts';
import { readSettings } from '../processes/settings.ts';
import { runProcess, StartError } from '../processes/start-error.ts';
import { type AdminScope, createAccounts, DEMO_ADMINISTRATORS, DEMO_USERS } from './accounts.ts';
import { createApp } from './app.ts';
import { openDatabase } from './database.ts';
import { createShopWebhooks } from './engine.ts';
import { startHourlyPurge } from './hourly-purge.ts';
import { createPasswordReset } from './password-reset.ts';
import { createAppSessions } from './sessions.ts';

/** The process of the application. */
await runProcess(async () => {
  const settings = readSettings(process.env);
  if (settings.databaseFile === undefined) throw new StartError('DATABASE_FILE is not set.');
  const { adminAuth, userAuth } = createAuths(settings.signingKey ?? randomBytes(32));
  const db = await openDatabase(settings.databaseFile);
  const webhooks = createShopWebhooks(db, settings);
  const administrators = await createAccounts(DEMO_ADMINISTRATORS);
  const users = await createAccounts(DEMO_USERS);
  const adminSessions = createAppSessions(adminAuth, administrators, db, webhooks);
  const userSessions = createAppSessions(userAuth, users, db, webhooks);

  let origin = '';
  let stopPurge = () => {};
  const passwordReset = createPasswordReset(
    adminAuth,
    administrators,
    db,
    () => `${origin}/admin/reset-password`,
  );

  await serve({
    app: createApp({
      adminAuth,
      userAuth,
      adminSessions,
      userSessions,
      administrators,
      users,
      passwordReset,
      webhooks,
      db,
      demoPage: demoRoutes({ auth: userAuth, webhooks, db, settings }),
    }),
    port: settings.port,
    portVariable: 'PORT',
    async start(url) {
      origin = url;
      // In the demo a worker of its own delivers.
      if (!settings.hasWorker) await webhooks.start();
      // Sessions that were revoked shortly before the last end stay revoked.
      await Promise.all([adminSessions.start(), userSessions.start()]);
      stopPurge = startHourlyPurge([() => userSessions.purgeSessions(), () => passwordReset.tokens.purge()]);
    },
    close: async () => {
      stopPurge();
      // Mails that are on their way.
      await passwordReset.requests.idle();
      // The hooks of the sessions dispatch webhooks.
      await Promise.all([adminSessions.idle(), userSessions.idle()]);
      await webhooks.close();
      await db.destroy();
    },
  });
});

/** The two instances share one key. A token is still valid only for the instance that issued it. */
function createAuths(signingKey: string | Uint8Array) {
  // The demo uses plain HTTP, where browsers keep no Secure cookie. Behind TLS, leave
  // `secureCookies` out.
  const options = { signingKey, secureCookies: false };
  try {
    return {
      adminAuth: createAuth<AdminScope>({ ...options, cookiePath: '/api/admin' }),
      userAuth: createAuth<never>({ ...options, cookiePath: '/api' }),
    };
  } catch (error) {
    throw new StartError(`SIGNING_KEY cannot be used: ${error instanceof Error ? error.message : error}`);
  }
}

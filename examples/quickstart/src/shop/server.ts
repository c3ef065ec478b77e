import { serve } from '../demo/serve.ts';
import { createShow } from '../demo/show.ts';
import { createApp } from './app.ts';
import { createShopAuth } from './auth.ts';
import { openDatabase } from './database.ts';
import { createShopWebhooks } from './webhooks.ts';

const PURGE_EVERY_MS = 3_600_000;

/** The process of the shop. It dispatches events, and leaves it to the worker to deliver them. */
const db = await openDatabase(process.env.DATABASE_FILE ?? 'shop.db');
const webhooks = createShopWebhooks(db);
const { auth, sessions } = createShopAuth(process.env.SIGNING_KEY, db, webhooks);
const show = await createShow({ auth, webhooks, db });

// Sessions that were revoked shortly before the last end stay revoked.
await sessions.start();
setInterval(() => void sessions.purgeSessions().catch(console.error), PURGE_EVERY_MS).unref();

await serve(createApp({ auth, sessions, webhooks, db, demo: show.routes }), 'PORT', async () => {
  await show.close();
  await sessions.idle(); // its hook dispatches
  await webhooks.close();
  await db.destroy();
});

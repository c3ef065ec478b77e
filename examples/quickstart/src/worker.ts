import { endWithParent } from './demo/serve.ts';
import { openDatabase } from './shop/database.ts';
import { createShopWebhooks } from './shop/webhooks.ts';

/** The process that delivers. It shares nothing with the shop but the database. */
const db = await openDatabase(process.env.DATABASE_FILE ?? 'shop.db');
const webhooks = createShopWebhooks(db);
await webhooks.start();

endWithParent(async () => {
  await webhooks.close(); // waits for the attempts that are under way
  await db.destroy();
});
process.send?.({ url: '' });

import { openDatabase } from '../app/database.ts';
import { createShopWebhooks } from '../app/engine.ts';
import { readSettings } from '../processes/settings.ts';
import { runProcess, StartError } from '../processes/start-error.ts';

/** The process that delivers. It shares nothing with the app but the database. */
await runProcess(async () => {
  const settings = readSettings(process.env);
  if (settings.databaseFile === undefined) throw new StartError('DATABASE_FILE is not set.');
  const db = await openDatabase(settings.databaseFile);
  const webhooks = createShopWebhooks(db, settings);
  await webhooks.start();

  const end = async () => {
    await webhooks.close();
    await db.destroy();
    if (process.connected) process.disconnect();
  };
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, () => void end());
  process.send?.({ url: '' });
});

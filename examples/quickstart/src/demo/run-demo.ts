import { join } from 'node:path';
import { DEMO_ADMINISTRATORS, DEMO_USERS } from '../app/accounts.ts';
import { openDatabase } from '../app/database.ts';
import { startChild } from '../processes/child-process.ts';
import { APP_ENTRY, RECIPIENT_ENTRY, withTemporaryFolder } from '../processes/demo-processes.ts';
import type { Settings } from '../processes/settings.ts';
import { createRecipientClient } from './recipient-client.ts';
import { seedWebhooks } from './seed-history.ts';
import { createSwitchedWorker } from './show/switched-worker.ts';
import { demoGuide, demoSummary } from './start-text.ts';

/**
 * Runs the recipient, the app and its worker in three processes, until Ctrl-C or until one of them
 * ends. Returns the exit code.
 *
 * @param isVerbose whether to print every address, log-in and command, instead of a summary
 *
 * @throws StartError when one of them cannot start
 */
export async function runDemo(settings: Settings, isVerbose: boolean): Promise<number> {
  return withTemporaryFolder(async (folder) => {
    const asked = askedToEnd();
    const databaseFile = settings.databaseFile ?? join(folder, 'demo.db');
    const recipient = await startChild(RECIPIENT_ENTRY, { env: process.env });
    try {
      await seed(databaseFile, recipient.url);
      const env = {
        ...process.env,
        DATABASE_FILE: databaseFile,
        RECIPIENT_URL: recipient.url,
        HAS_WORKER: '1',
      };
      const worker = createSwitchedWorker(env);
      const app = await startChild(APP_ENTRY, { env });
      try {
        worker.obey(app);
        await worker.start();
        const facts = {
          appUrl: app.url,
          recipientUrl: recipient.url,
          databaseFile,
          isDatabaseKept: settings.databaseFile !== undefined,
          isSigningKeyKept: settings.signingKey !== undefined,
          retryDelaysMs: settings.retry.delaysMs,
          accounts: [...DEMO_ADMINISTRATORS, ...DEMO_USERS],
        };
        console.log(isVerbose ? demoGuide(facts) : demoSummary(facts));
        const ended = Promise.race([app.exited, recipient.exited]).then(() => 1);
        return await Promise.race([asked, ended]);
      } finally {
        await worker.end();
        await app.stop();
      }
    } finally {
      await recipient.stop();
    }
  });
}

/** Before the app starts: the recipient knows its secrets when the first request arrives. */
async function seed(databaseFile: string, recipientUrl: string): Promise<void> {
  const db = await openDatabase(databaseFile);
  const recipient = createRecipientClient(recipientUrl);
  try {
    for (const [hook, secret] of await seedWebhooks(db, recipientUrl))
      await recipient.addSecret(secret, hook);
  } finally {
    await db.destroy();
  }
}

const PARENT_LOOK_MS = 500;

/** Resolves with the exit code when the demo is asked to end. */
function askedToEnd(): Promise<number> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(0));
    // npm runs scripts in a shell and passes SIGTERM to it. The shell dies of the signal without
    // passing it on.
    const parent = process.ppid;
    const isRunByNpm = process.env.npm_lifecycle_event !== undefined;
    setInterval(() => isRunByNpm && process.ppid !== parent && resolve(0), PARENT_LOOK_MS).unref();
  });
}

import { join } from 'node:path';
import { DEMO_ADMINISTRATORS, DEMO_USERS } from './app/accounts.ts';
import { startBoth } from './child-process.ts';
import { demoGuide } from './demo-guide.ts';
import { APP_ENTRY, RECIPIENT_ENTRY, withTemporaryFolder } from './demo-processes.ts';
import type { Settings } from './settings.ts';

/**
 * Runs the app and its recipient in two processes, until Ctrl-C or until one of them ends. Returns
 * the exit code.
 *
 * @throws StartError when one of them cannot start
 */
export async function runDemo(settings: Settings): Promise<number> {
  return withTemporaryFolder(async (folder) => {
    const asked = askedToEnd();
    const databaseFile = settings.databaseFile ?? join(folder, 'demo.db');
    const env = { ...process.env, DATABASE_FILE: databaseFile };
    const [app, recipient] = await startBoth([APP_ENTRY, RECIPIENT_ENTRY], { env });
    try {
      console.log(
        demoGuide({
          appUrl: app.url,
          recipientUrl: recipient.url,
          databaseFile,
          isDatabaseKept: settings.databaseFile !== undefined,
          isSigningKeyKept: settings.signingKey !== undefined,
          retryDelaysMs: settings.retryDelaysMs,
          accounts: [...DEMO_ADMINISTRATORS, ...DEMO_USERS],
        }),
      );
      const ended = Promise.race([app.exited, recipient.exited]).then(() => 1);
      return await Promise.race([asked, ended]);
    } finally {
      await Promise.all([app.stop(), recipient.stop()]);
    }
  });
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

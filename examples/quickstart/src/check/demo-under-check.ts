import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DEMO_ADMINISTRATORS, DEMO_USERS, type NewAccount } from '../app/accounts.ts';
import { startBoth, startChild } from '../processes/child-process.ts';
import { APP_ENTRY, RECIPIENT_ENTRY } from '../processes/demo-processes.ts';
import { readSettings } from '../processes/settings.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';

/** The demo as the check drives it: two processes, and clients with or without a log-in. */
export interface DemoUnderCheck {
  readonly appUrl: () => string;
  readonly recipientUrl: string;
  readonly databaseFile: string;
  readonly signingKey: string;
  readonly recipient: HttpClient;
  /** Returns what the app has printed: where its mails go. */
  appPrinted(): string;
  /** A client of the app with cookies of its own. */
  newClient(): HttpClient;
  /** Ends the app by SIGKILL. */
  killApp(): Promise<void>;
  startApp(): Promise<void>;
  /** Asks the app to end and returns its exit code. */
  stopApp(): Promise<number | null>;
  /** Ends both processes. */
  end(): Promise<void>;
}

/** Three short waits: a delivery that always fails ends within a second. */
const RETRY_DELAYS_MS = '150,300,450';

/**
 * Starts the app and the recipient on free ports with a new database, unless the environment
 * chooses others.
 *
 * @throws StartError
 */
export async function startDemo(environment: NodeJS.ProcessEnv, folder: string): Promise<DemoUnderCheck> {
  const ports = { PORT: environment.PORT || '0', RECIPIENT_PORT: environment.RECIPIENT_PORT || '0' };
  const chosen = { ...environment, ...ports, RETRY_DELAYS_MS };
  const databaseFile = readSettings(chosen).databaseFile ?? join(folder, 'check.db');
  // The whole check uses one key, so a cookie stays valid after a restart of the app.
  const key = { SIGNING_KEY: environment.SIGNING_KEY || randomBytes(32).toString('base64') };
  const env = { ...chosen, ...key, DATABASE_FILE: databaseFile };
  const options = { env, quiet: true };
  const [firstApp, recipient] = await startBoth([APP_ENTRY, RECIPIENT_ENTRY], options);
  let app = firstApp;

  return {
    appUrl: () => app.url,
    recipientUrl: recipient.url,
    databaseFile,
    signingKey: key.SIGNING_KEY,
    recipient: createHttpClient(() => recipient.url),
    appPrinted: () => app.printed(),
    newClient: () => createHttpClient(() => app.url),
    killApp: () => app.kill(),
    async startApp() {
      app = await startChild(APP_ENTRY, options);
    },
    stopApp: () => app.stop(),
    async end() {
      await Promise.all([app.stop(), recipient.stop()]);
    },
  };
}

/** The log-in and password that the demo prints. */
export function credentialsOf(login: string): { readonly login: string; readonly password: string } {
  const accounts: readonly NewAccount[] = [...DEMO_ADMINISTRATORS, ...DEMO_USERS];
  const account = accounts.find((candidate) => candidate.login === login);
  if (account === undefined) throw new Error(`The demo has no account ${login}`);
  return { login, password: account.password };
}

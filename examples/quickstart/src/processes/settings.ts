import { resolve } from 'node:path';
import { StartError } from './start-error.ts';

/** The settings from the environment. */
export interface Settings {
  /** `PORT`: where the app listens; 0 takes any free port. */
  readonly port: number;
  /** `RECIPIENT_PORT`: where the recipient listens; 0 takes any free port. */
  readonly recipientPort: number;
  /**
   * `RECIPIENT_URL`: where the app finds the recipient, set by `npm run demo`. Undefined leaves out
   * the page of the demo.
   */
  readonly recipientUrl: string | undefined;
  /** `DATABASE_FILE`: undefined stands for a new file in a temporary folder. */
  readonly databaseFile: string | undefined;
  /** `SIGNING_KEY`: at least 32 bytes; undefined stands for a random key for this start. */
  readonly signingKey: string | undefined;
  /**
   * `RETRY_DELAYS_MS`: the waits after the first, second and third failed attempt. The default goes
   * on for minutes: somebody may watch a recipient that is down for that long.
   */
  readonly retry: { readonly delaysMs: readonly number[]; readonly maxAttempts: number };
  /** `HAS_WORKER`: set by `npm run demo`. The app itself delivers nothing then. */
  readonly hasWorker: boolean;
  /** How often the worker looks for what the app has dispatched; undefined without a worker. */
  readonly sweepIntervalMs: number | undefined;
}

/** The library's bound: seven days. */
const MAX_RETRY_DELAY_MS = 604_800_000;
/**
 * Short, so that a person sees the retries happen; a real application keeps the library's default.
 */
const DEFAULT_RETRY = { delaysMs: [2_000, 4_000, 8_000, 15_000, 30_000], maxAttempts: 20 };
const WORKER_SWEEP_MS = 200;

/** @throws StartError naming the variable and what it may be */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return {
    port: readPort(env, 'PORT', 3000),
    recipientPort: readPort(env, 'RECIPIENT_PORT', 3001),
    recipientUrl: env.RECIPIENT_URL || undefined,
    databaseFile: readFile(env),
    signingKey: env.SIGNING_KEY || undefined,
    retry: readRetry(env),
    hasWorker: env.HAS_WORKER === '1',
    sweepIntervalMs: env.HAS_WORKER === '1' ? WORKER_SWEEP_MS : undefined,
  };
}

function readPort(env: NodeJS.ProcessEnv, variable: string, byDefault: number): number {
  const text = env[variable];
  if (!text) return byDefault;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new StartError(`${variable} must be a port from 0 to 65535, not "${text}".`);
}

function readFile(env: NodeJS.ProcessEnv): string | undefined {
  // npm runs scripts in the package's folder, but a relative path means the folder that the person
  // is in.
  return env.DATABASE_FILE ? resolve(env.INIT_CWD ?? process.cwd(), env.DATABASE_FILE) : undefined;
}

function readRetry(env: NodeJS.ProcessEnv): Settings['retry'] {
  const text = env.RETRY_DELAYS_MS;
  if (!text) return DEFAULT_RETRY;
  const delays = text.split(',').map(Number);
  const isDelay = (delay: number) => Number.isInteger(delay) && delay >= 1 && delay <= MAX_RETRY_DELAY_MS;
  if (delays.length <= 3 && delays.every(isDelay)) return { delaysMs: delays, maxAttempts: 4 };
  throw new StartError(
    `RETRY_DELAYS_MS must be up to three whole numbers from 1 to ${MAX_RETRY_DELAY_MS} such as 500,1000,2000, not "${text}".`,
  );
}

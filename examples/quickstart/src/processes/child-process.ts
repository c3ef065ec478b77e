import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { StartError } from './start-error.ts';

/** A server that runs in its own process. */
export interface Child {
  /** The address that it listens on. */
  readonly url: string;
  /**
   * Resolves with the exit code (null after a signal) when the process has ended for any reason.
   */
  readonly exited: Promise<number | null>;
  /** Sends the process a message. Does nothing once it has ended. */
  send(message: object): void;
  /** Calls the listener with each message that the process sends. */
  onMessage(listener: (message: unknown) => void): void;
  /** Returns what a quiet process has printed, at most its last 64 KiB. */
  printed(): string;
  /**
   * Asks the process to end, waits for it and returns its exit code. After 20 s, ends it by force.
   */
  stop(): Promise<number | null>;
  /** Ends the process at once by SIGKILL, without a chance to do anything. */
  kill(): Promise<void>;
}

export interface ChildOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Keeps the output of the process, except for errors, from the terminal. Default false. */
  readonly quiet?: boolean;
}

const MAX_PRINTED_LENGTH = 65_536;
/** Generous: a busy machine takes a while to start Node with a loader. */
const START_DEADLINE_MS = 120_000;
/** Longer than the timeout of an attempt, which a graceful end may take. */
const STOP_DEADLINE_MS = 20_000;

/**
 * Starts a server of this example and waits until it listens. A child ends by itself when this
 * process is gone.
 *
 * @throws StartError when the child ends first; it has then printed the reason
 */
export async function startChild(entry: URL, { env, quiet = false }: ChildOptions): Promise<Child> {
  // The child inherits this process's loader for TypeScript with its `execArgv`.
  const child = fork(entry, { env, stdio: ['ignore', quiet ? 'pipe' : 'inherit', 'inherit', 'ipc'] });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-MAX_PRINTED_LENGTH);
  });
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  return {
    url: await listening(child, exited),
    exited,
    send(message) {
      if (child.connected) child.send(message);
    },
    onMessage(listener) {
      child.on('message', listener);
    },
    printed: () => printed,
    async stop() {
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
      child.kill('SIGTERM');
      const code = await exited;
      clearTimeout(force);
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/**
 * Starts two servers at once. If one of them cannot start, the other is ended.
 *
 * @throws StartError
 */
export async function startBoth(
  [first, second]: readonly [URL, URL],
  options: ChildOptions,
): Promise<readonly [Child, Child]> {
  const [one, other] = await Promise.allSettled([startChild(first, options), startChild(second, options)]);
  if (one.status === 'fulfilled' && other.status === 'fulfilled') return [one.value, other.value];
  const failures = [one, other].filter((result) => result.status === 'rejected');
  await Promise.all([one, other].map((result) => result.status === 'fulfilled' && result.value.stop()));
  throw failures[0]?.reason;
}

async function listening(child: ChildProcess, exited: Promise<number | null>): Promise<string> {
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_DEADLINE_MS);
  const url = await Promise.race([
    once(child, 'message').then(([message]: { url: string }[]) => message?.url),
    exited.then(() => undefined),
  ]);
  clearTimeout(deadline);
  if (url === undefined) throw new StartError('The demo could not start.');
  return url;
}

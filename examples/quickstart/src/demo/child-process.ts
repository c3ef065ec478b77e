import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the demo. It ends by itself when this one is gone. */
export interface Child {
  /** Where it listens. */
  readonly url: string;
  /** Resolves with the exit code, null after a signal. */
  readonly exited: Promise<number | null>;
  /** Asks it to end, or kills it, and waits. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/** Longer than the timeout of an attempt, which a worker waits for. */
const END_DEADLINE_MS = 20_000;

/**
 * Starts a program of this example, and waits until it is ready.
 *
 * @throws Error if it ends first; it has then printed the reason
 */
export async function startChild(
  program: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Child> {
  // With the loader for TypeScript of this process.
  const child = fork(new URL(`../${program}.ts`, import.meta.url), { env: { ...process.env, ...env } });
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  const ready = once(child, 'message').then(([message]: { readonly url: string }[]) => message?.url);
  const url = await Promise.race([ready, exited.then(() => undefined)]);
  if (url === undefined) throw new Error(`The demo could not start: ${program} has ended.`);
  return {
    url,
    exited,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      const force = setTimeout(() => child.kill('SIGKILL'), END_DEADLINE_MS);
      await exited;
      clearTimeout(force);
      return exited;
    },
  };
}

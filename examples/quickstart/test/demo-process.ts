import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const EXAMPLE = fileURLToPath(new URL('..', import.meta.url));

/** Starts the example on free ports, as `npm run demo` does. */
export function startDemo(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', ...args], {
    cwd: EXAMPLE,
    env: { PATH: process.env.PATH, PORT: '0', RECIPIENT_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/**
 * Waits until a demo runs. Rejects with its output when it ends before.
 *
 * @returns the address that it prints
 */
export function running(demo: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const keep = (chunk: unknown) => {
      output += String(chunk);
      const [, url] = /^ {2}Open +(http:\S+)/m.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    };
    demo.stdout?.on('data', keep);
    demo.stderr?.on('data', keep);
    // Indented with a mark, for otherwise vitest takes a stack trace in it for the error's own.
    demo.once('exit', () => reject(new Error(output.replace(/^/gm, '> '))));
  });
}

/** Waits until a demo ends by itself, or by a signal that it was sent. */
export async function finished(
  demo: ChildProcess,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const chunks: string[] = [];
  demo.stdout?.on('data', (chunk) => chunks.push(String(chunk)));
  demo.stderr?.on('data', (chunk) => chunks.push(String(chunk)));
  const [code] = await once(demo, 'close');
  return { code, output: chunks.join('') };
}

/** Asks a demo to end, if it has not, and waits for it. */
export async function endDemo(demo: ChildProcess | undefined): Promise<void> {
  if (demo === undefined || demo.exitCode !== null || demo.signalCode !== null) return;
  const closed = once(demo, 'close');
  demo.kill('SIGTERM');
  await closed;
}

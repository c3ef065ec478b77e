import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const EXAMPLE = fileURLToPath(new URL('..', import.meta.url));
/** The end of what a demo prints with `--verbose` once it runs. */
const LAST_WORDS = 'never accepts.';

/** What a demo that runs has printed, and the addresses in it. */
export interface RunningDemo {
  readonly guide: string;
  readonly app: string;
  readonly recipient: string;
}

/** Starts the example on free ports, as its `start` script does, and has it print everything. */
export function startDemo(
  args: readonly string[] = ['--verbose'],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', ...args], {
    cwd: EXAMPLE,
    env: { PATH: process.env.PATH, PORT: '0', RECIPIENT_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Waits until a demo with `--verbose` runs. Rejects with its output when it ends before. */
export function running(demo: ChildProcess): Promise<RunningDemo> {
  return new Promise((resolve, reject) => {
    let output = '';
    demo.stdout?.on('data', (chunk) => {
      output += String(chunk);
      if (!output.includes(LAST_WORDS)) return;
      const [app = '', recipient = ''] = [...output.matchAll(/^ {2}(?:App|Recipient) +(http:\S+)/gm)].map(
        ([, url]) => url ?? '',
      );
      resolve({ guide: output, app, recipient });
    });
    demo.stderr?.on('data', (chunk) => {
      output += String(chunk);
    });
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

import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repository } from '../structure/workspace-package.ts';

const PATIENCE = { timeout: 120_000, interval: 100 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stopped-run-'));
  // PostgreSQL runs as another user, who has to find its own folder in here.
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** How a run is stopped: Ctrl-C reaches the whole group, other signals only what was started. */
const STOPS = [
  { signal: 'SIGINT', reaches: (pid: number) => -pid },
  { signal: 'SIGTERM', reaches: (pid: number) => pid },
] as const;

/** Runs, and what must have started before they are stopped. */
const RUNS = [
  {
    args: ['prove', '--', 'crash', '--setup', 'BullMQ'],
    programs: ['postgres', 'redis-server', 'worker.ts'],
  },
  { args: ['bench', '--', 'delivery'], programs: ['delivery.ts', 'recipient.ts'] },
  {
    args: ['test:built', '--', 'examples/quickstart/test/show.test.ts'],
    programs: ['vitest.mjs', 'main.ts', 'chromium'],
  },
];

it.each(RUNS.flatMap((run) => STOPS.map((stop) => ({ ...run, ...stop }))))(
  'npm run $args.0 leaves no process after $signal',
  { timeout: 300_000 },
  async ({ args, programs, signal, reaches }) => {
    // What comes of this run works in this folder, or has its name in the environment.
    const run = spawn('npm', ['run', ...args], {
      cwd: repository,
      env: { ...process.env, TMPDIR: folder },
      stdio: 'ignore',
      detached: true,
    });
    try {
      await vi.waitFor(() => {
        expect(run.exitCode, 'the run has ended by itself').toBeNull();
        const running = commandsOf(folder);
        for (const program of programs) expect(running.join('\n')).toContain(program);
      }, PATIENCE);
      process.kill(reaches(run.pid ?? Number.NaN), signal);
      await vi.waitFor(() => expect(commandsOf(folder)).toEqual([]), PATIENCE);
    } finally {
      if (run.exitCode === null && run.signalCode === null) run.kill('SIGKILL');
    }
  },
);

/** The commands of the processes that work in a folder or have its name in their environment. */
function commandsOf(name: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        const read = (file: string) => readFileSync(join('/proc', pid, file), 'utf8');
        const isOurs =
          read('environ').includes(basename(name)) || readlinkSync(join('/proc', pid, 'cwd')).includes(name);
        return isOurs && !/^State:\s+Z/m.test(read('status')) ? [read('cmdline').replaceAll('\0', ' ')] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

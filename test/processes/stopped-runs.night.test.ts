import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repository } from '../structure/workspace-package.ts';
import { descendants } from './stop-with-children.ts';

/** A build may come first. */
const PATIENCE = { timeout: 240_000, interval: 100 };

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
    programs: ['vitest run', 'src/worker.ts', 'chromium'],
  },
];

it.each(RUNS.flatMap((run) => STOPS.map((stop) => ({ ...run, ...stop }))))(
  'npm run $args.0 leaves no process after $signal',
  { timeout: 600_000 },
  async ({ args, programs, signal, reaches }) => {
    const run = spawn('npm', ['run', ...args], {
      cwd: repository,
      env: { ...process.env, TMPDIR: folder },
      stdio: 'ignore',
      detached: true,
    });
    const pid = run.pid ?? Number.NaN;
    // PostgreSQL leaves its parents: it works in the folder.
    const running = () => [...descendants(pid), ...workingIn(folder)];
    try {
      await vi.waitFor(() => {
        const commands = running().flatMap(commandOf).join('\n');
        for (const program of programs) expect(commands).toContain(program);
      }, PATIENCE);
      const started = running();
      process.kill(reaches(pid), signal);
      await vi.waitFor(() => {
        expect([...started, ...workingIn(folder)].flatMap(commandOf)).toEqual([]);
      }, PATIENCE);
    } finally {
      if (run.exitCode === null && run.signalCode === null) process.kill(-pid, 'SIGTERM');
    }
  },
);

function workingIn(name: string): number[] {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids.map(Number).filter((pid) => ofProcess(pid, 'cwd', readlinkSync)?.toString().startsWith(name));
}

/** The command of a process, if it runs; one that has ended is not waited for by everybody. */
function commandOf(pid: number): string[] {
  const command = ofProcess(pid, 'cmdline', readFileSync)?.toString().replaceAll('\0', ' ');
  return command ? [command] : [];
}

/** What `/proc` says of a process; undefined if it has ended. */
function ofProcess<Answer>(pid: number, about: string, read: (path: string) => Answer): Answer | undefined {
  try {
    return read(join('/proc', String(pid), about));
  } catch {
    return undefined;
  }
}

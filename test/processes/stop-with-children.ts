import { execFileSync } from 'node:child_process';

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;
const LOOK_MS = 500;
/** On the global object: the test runner loads its configuration once for each project. */
const DONE = Symbol.for('acme: stops with children');

/**
 * Has this process end when it is told to stop, with everything that it started: its children and
 * theirs are told, too, and what listens to `exit` runs. It also ends when its parent is gone: of a
 * signal to npm, the shell between does not tell.
 */
export function stopWithChildren(): void {
  if (DONE in globalThis) return;
  Object.assign(globalThis, { [DONE]: true });
  const parent = process.ppid;
  const stop = (code: number) => {
    for (const pid of descendants(process.pid)) {
      try {
        process.kill(pid, 'SIGTERM');
      } catch {
        // It has ended meanwhile.
      }
    }
    process.exit(code);
  };
  for (const [signal, code] of Object.entries(CODES)) process.once(signal, () => stop(code));
  setInterval(() => process.ppid !== parent && stop(CODES.SIGTERM), LOOK_MS).unref();
}

/** The processes that a process has started, and those that they have. None on Windows. */
export function descendants(ancestor: number): number[] {
  // It ends what shares the console by itself.
  if (process.platform === 'win32') return [];
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const processes = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const found = [ancestor];
  // Each turn adds the children of one: no more turns than processes.
  for (const pid of found) {
    for (const [child = 0, of] of processes) if (of === pid) found.push(child);
  }
  return found.slice(1);
}

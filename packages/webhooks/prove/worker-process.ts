import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SETTINGS_VARIABLE, type WorkerSettings } from './worker-settings.ts';

/** A worker as its parent sees it. */
export interface WorkerProcess {
  /** The tokens of every claim that it has announced. */
  readonly claimTokens: readonly string[];
  /** Ends it without a chance to do anything. */
  kill(): Promise<void>;
  /** Stops it where it stands, as a machine does that goes to sleep. */
  freeze(): void;
  thaw(): void;
  /** Lets it end what it began. */
  close(): Promise<void>;
}

export async function startWorker(settings: WorkerSettings): Promise<WorkerProcess> {
  const claimTokens: string[] = [];
  const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, [SETTINGS_VARIABLE]: JSON.stringify(settings) },
  });
  child.on('message', (message) => {
    if (typeof message === 'object' && 'claimToken' in message) claimTokens.push(String(message.claimToken));
  });
  const ended = once(child, 'exit');
  // One that is frozen hears of nothing else.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  await started(child);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return {
    claimTokens,
    kill: () => end('SIGKILL'),
    close: () => end('SIGTERM'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

/** @throws Error when it ends before it delivers */
function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (message === 'started') resolve();
    });
    child.once('exit', (code, signal) => reject(new Error(`a worker ended at its start: ${code ?? signal}`)));
  });
}

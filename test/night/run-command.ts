import { spawn } from 'node:child_process';
import { repository } from '../structure/workspace-package.ts';

const STOPPING_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

let isStopped = false;

/** Whether a signal has stopped a command: what would come after it does not begin. */
export function wasStopped(): boolean {
  return isStopped;
}

/**
 * Runs a command in the repository's root, with this process's output. A signal that stops this
 * process goes on to the command, which is waited for.
 *
 * @returns the code that it exits with; 1 if it does not start
 */
export async function runCommand(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, { cwd: repository, stdio: ['ignore', 'inherit', 'inherit'] });
  const stop = (signal: NodeJS.Signals) => {
    isStopped = true;
    child.kill(signal);
  };
  for (const signal of STOPPING_SIGNALS) process.on(signal, stop);
  try {
    return await new Promise((resolve) => {
      child.once('error', () => resolve(1));
      child.once('close', (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
    });
  } finally {
    for (const signal of STOPPING_SIGNALS) process.off(signal, stop);
  }
}

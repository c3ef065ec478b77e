import { spawn } from 'node:child_process';
import { repository } from '../structure/workspace-package.ts';

/**
 * Runs a command in the repository's root, with this process's output.
 *
 * @returns the code that it exits with; 1 if it does not start, or a signal ends it
 */
export function runCommand(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const child = spawn(command, args, {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
    // On Windows npm is a script of the shell.
    shell: process.platform === 'win32' && command === 'npm',
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

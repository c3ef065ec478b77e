import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../../../is-built.mjs';
import { showProgress } from './show-progress.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const PACKAGES = ['auth', 'webhooks'];
const MAX_KEPT_LENGTH = 65_536;

/**
 * Builds those of the two packages that were changed since their last build: the demo imports them
 * as an application would.
 */
const changed = PACKAGES.filter((name) => !isBuilt(name)).map((name) => `@acme/${name}`);
if (changed.length > 0) await buildAll(changed);

/** Shows that it goes on, and what the tools printed only if one of them failed. */
async function buildAll(names: readonly string[]): Promise<void> {
  const startedAt = performance.now();
  const end = showProgress(process.stdout, `Building ${names.join(' and ')}`);
  const builds = await Promise.all(names.map(build));
  const failed = builds.filter(({ code }) => code !== 0);
  end(
    failed.length === 0
      ? `Built in ${Math.round((performance.now() - startedAt) / 1_000)} s.`
      : 'The build failed.',
  );
  for (const { output } of failed) console.error(output);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function build(name: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const npm = spawn('npm', ['run', '--silent', 'build', '-w', name], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows npm is a script of the shell.
    shell: process.platform === 'win32',
  });
  let output = '';
  const keep = (chunk: unknown) => {
    output = (output + String(chunk)).slice(-MAX_KEPT_LENGTH);
  };
  npm.stdout.on('data', keep);
  npm.stderr.on('data', keep);
  return new Promise((resolve) => {
    npm.once('error', (error) => resolve({ code: 1, output: error.message }));
    npm.once('close', (code) => resolve({ code, output }));
  });
}

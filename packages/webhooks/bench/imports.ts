import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inRounds, type TimedRun } from '../../../bench/rounds.ts';

/**
 * How long a process takes to import what it needs, beside Express: serverless functions, tests and
 * commands pay it at each start.
 */

const ROUNDS = 15;
/** How many imports of Express the import of the engine may cost. */
const MAX_EXPRESS_IMPORTS = 1.3;

const folder = fileURLToPath(new URL('..', import.meta.url));

await inRounds(
  'One import, in a process of its own',
  [
    imported('express'),
    imported('@acme/webhooks'),
    imported('@acme/webhooks/events'),
    imported('@acme/webhooks/signing'),
    imported('@acme/webhooks/admin'),
    imported('kysely'),
    imported('kysely', '@acme/webhooks/kysely'),
  ],
  {
    rounds: ROUNDS,
    bounds: [
      { run: '@acme/webhooks', base: 'express', atMost: MAX_EXPRESS_IMPORTS },
      { run: '@acme/webhooks/admin', base: 'express' },
      { run: 'kysely, then @acme/webhooks/kysely', base: 'kysely' },
    ],
  },
);

/** Imports the modules in a new process; the start of the process does not count. */
function imported(...modules: readonly string[]): TimedRun {
  const imports = modules.map((module) => `await import(${JSON.stringify(module)});`).join('');
  const code = `const start = performance.now(); ${imports} console.log(performance.now() - start);`;
  return {
    name: modules.join(', then '),
    async run() {
      const args = ['--input-type=module', '--eval', code];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      return Number(stdout);
    },
  };
}

/** Builds those of the two packages that have changed since their last build. Needs Node alone. */
import { exec } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isBuilt } from './is-built.mjs';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const changed = ['auth', 'webhooks'].filter((name) => !isBuilt(name)).map((name) => `@acme/${name}`);

if (changed.length > 0) {
  console.log(`Building ${changed.join(' and ')}. This usually takes 20 to 50 s.`);
  const builds = changed.map((name) => promisify(exec)(`npm run --silent build -w ${name}`, { cwd }));
  for (const { status, reason } of await Promise.allSettled(builds)) {
    if (status === 'fulfilled') continue;
    console.error(reason.stdout, reason.stderr);
    process.exitCode = 1;
  }
}

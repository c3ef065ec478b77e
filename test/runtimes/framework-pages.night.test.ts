import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Installation, installPackages } from '../package/installed-packages.ts';
import { applicationOf } from '../readme/framework-pages.ts';
import { walkThrough } from '../readme/order-walk.ts';
import { programOf, RUNTIMES, runtimesSkipped } from './runtimes.ts';

/** What Deno is started with on the page; nothing is asked for, and nothing is fetched. */
const DENO = ['run', '--no-prompt', '--no-lock', '--no-remote', '--node-modules-dir=manual'];
const PERMISSIONS = ['--allow-net', '--allow-env', '--allow-read', '--allow-sys'];

/** The pages beside the runtime that a reader runs them on. */
const PAGES = [
  { page: 'express', runtime: 'Node 24', args: [] },
  { page: 'bun', runtime: 'Bun', args: ['run'] },
  { page: 'deno', runtime: 'Deno', args: [...DENO, ...PERMISSIONS] },
];

describe.skipIf(runtimesSkipped !== undefined)('the pages of frameworks, with the packed tarballs', () => {
  let installation: Installation;
  beforeAll(() => {
    installation = installPackages({ peers: true });
  });
  afterAll(() => installation.remove());

  it.each(PAGES)('log in, deliver and end on $runtime: $page', { timeout: 240_000 }, async (each) => {
    const runtime = RUNTIMES.find(({ name }) => name === each.runtime);
    if (runtime === undefined) throw new Error(`no runtime is named ${each.runtime}`);
    const folder = join(installation.folder, each.page);
    mkdirSync(folder);
    // Bun, Deno and newer releases of Node run TypeScript as it is.
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
    for (const { name, code } of applicationOf(each.page)) writeFileSync(join(folder, name), code);
    await walkThrough({ program: programOf(runtime), args: [...each.args, 'server.ts'], folder });
  });
});

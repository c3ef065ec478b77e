/**
 * The site: `npm run docs` serves it, `npm run docs -- build` builds it and fails on a dead link or
 * anchor.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, createServer } from 'vitepress';
import { repository } from '../test/structure/workspace-package.ts';
import { deadLinks } from './dead-links.ts';
import { writePages } from './write-pages.ts';

const SITE = join(repository, 'site');
const REFERENCE = join(SITE, 'reference');

/** The API reference, by TypeDoc: in a process of its own, which has a core of its own. */
async function writeReference(): Promise<void> {
  rmSync(REFERENCE, { recursive: true, force: true });
  const program = join(SITE, 'write-reference.ts');
  await promisify(execFile)(process.execPath, ['--import', 'tsx', program, REFERENCE]);
}

async function buildSite(): Promise<void> {
  const start = performance.now();
  const reference = writeReference();
  writePages();
  await Promise.all([reference, build(SITE)]);
  cpSync(REFERENCE, join(SITE, 'dist/reference'), { recursive: true });
  const dead = deadLinks(join(SITE, 'dist'));
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  console.log(`The site is in ${join(SITE, 'dist')}: built in ${seconds} s, with ${dead.length} dead links`);
  for (const link of dead) console.error(link);
  process.exitCode = dead.length > 0 ? 1 : 0;
}

async function serveSite(): Promise<void> {
  if (!existsSync(REFERENCE)) await writeReference();
  writePages();
  cpSync(REFERENCE, join(SITE, 'pages/public/reference'), { recursive: true });
  const server = await createServer(SITE);
  await server.listen();
  server.printUrls();
}

await (process.argv[2] === 'build' ? buildSite() : serveSite());

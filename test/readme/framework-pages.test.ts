import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../structure/workspace-package.ts';
import { applicationOf, FRAMEWORK_PAGES, filesOf, type PageFile } from './framework-pages.ts';
import { anchorsIn, localLinksIn } from './markdown.ts';
import { walkThrough } from './order-walk.ts';

/** The pages whose server runs on Node; a test of the runtimes has the others. */
const ON_NODE = ['express', 'fastify', 'hono', 'nest'];
const ON_OTHER_RUNTIMES = ['bun', 'deno'];
/** Its files are built and started by a test of their own. They share none with the other pages. */
const BUILT_APART = ['next'];

const bin = (name: string) => join(repository, 'node_modules/.bin', name);
const pages = readdirSync(join(repository, FRAMEWORK_PAGES));

describe('the pages of frameworks', () => {
  let folder: string;
  beforeAll(() => {
    // Inside the repository, so that the packages are found as a workspace finds them.
    folder = mkdtempSync(join(repository, 'test/readme/blocks-'));
    for (const page of [...ON_NODE, ...ON_OTHER_RUNTIMES]) save(applicationOf(page), join(folder, page));
    for (const page of BUILT_APART) save(filesOf(page), join(folder, page));
    // Nest has decorators of parameters, which the standard ones do not know.
    // Its samples use parameter properties, which are not erasable syntax.
    const compilerOptions = { experimentalDecorators: true, erasableSyntaxOnly: false };
    const include = ON_NODE.map((page) => `${page}/*.ts`);
    const tsconfig = { extends: join(repository, 'tsconfig.json'), compilerOptions, include };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    const bundled = {
      extends: '../tsconfig.json',
      compilerOptions: { module: 'ESNext', moduleResolution: 'Bundler' },
      include: ['**/*.ts'],
    };
    for (const page of BUILT_APART)
      writeFileSync(join(folder, page, 'tsconfig.json'), JSON.stringify(bundled));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are each run by a test', () => {
    const run = [...ON_NODE, ...ON_OTHER_RUNTIMES, ...BUILT_APART].map((page) => `${page}.md`);
    expect(pages.sort()).toEqual(['README.md', ...run].sort());
  });

  it.each(pages)('link to what exists: %s', (page) => {
    const read = (file: string) => readFileSync(file, 'utf8');
    const self = join(repository, FRAMEWORK_PAGES, page);
    const broken = localLinksIn(read(self)).filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? self : join(repository, FRAMEWORK_PAGES, file);
      return !existsSync(target) || (anchor !== undefined && !anchorsIn(read(target)).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it.each(['.', ...BUILT_APART])(
    'compile under the strictest settings: %s',
    { timeout: 240_000 },
    (project) => {
      const { stdout } = spawnSync(bin('tsc'), ['--noEmit', '--project', join(folder, project)], {
        encoding: 'utf8',
      });
      expect(stdout).toBe('');
    },
  );

  it('are formatted, in lines as long as those of the text around them', () => {
    // Git ignores the folder, and biome would, too.
    const options = ['--vcs-enabled=false', '--line-width=120', '--max-diagnostics=none'];
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const { stderr } = spawnSync(
      bin('biome'),
      ['format', ...options, ...files.map((name) => join(folder, name))],
      {
        cwd: repository,
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
  });

  it.each(ON_NODE)('log in, deliver and end: %s', { timeout: 240_000 }, async (page) => {
    await walkThrough({
      program: process.execPath,
      args: ['--import', 'tsx', 'server.ts'],
      folder: join(folder, page),
      ...(page === 'nest' && { end: 'signal' }),
    });
  });
});

function save(files: readonly PageFile[], folder: string): void {
  for (const { name, code } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
}

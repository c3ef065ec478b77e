import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../structure/workspace-package.ts';
import { applicationOf, FRAMEWORK_PAGES, filesOf, type PageFile } from './framework-pages.ts';
import { walkThrough } from './order-walk.ts';

/** The pages whose server runs on Node; a test of the runtimes has the others. */
const ON_NODE = ['express', 'fastify', 'hono', 'trpc'];
/** Where an order is placed, unless it is a route. */
const ORDERS: Readonly<Record<string, readonly [string, number]>> = {
  trpc: ['/api/admin/trpc/placeOrder', 200],
};
/** Its files are those that SvelteKit calls; the server around them is ours. */
const CALLED = 'sveltekit';
const SHARED_FOLDER = 'src/lib/server';
/** What the page uses of SvelteKit's types. */
const KIT_TYPES = `declare module '@sveltejs/kit' {
  interface RequestEvent { request: Request; url: URL; getClientAddress(): string }
  type RequestHandler = (event: RequestEvent) => Response | Promise<Response>;
  type Handle = (input: { event: RequestEvent; resolve: RequestHandler }) => Response | Promise<Response>;
  type ServerInit = () => void | Promise<void>;
}
`;
const ON_OTHER_RUNTIMES = ['bun', 'deno'];
/** Its files are built and started by a test of their own. They share none with the other pages. */
const BUILT_APART = ['next'];
/** An application that `nest new` made, of either type: compiled before it starts, by these options. */
const COMPILED = 'nest';
const NEST_TYPES = [
  { type: 'module', modules: 'ES modules', imported: "from '@acme/auth/nest'" },
  { type: 'commonjs', modules: 'CommonJS', imported: 'require("@acme/auth/nest")' },
];
const COMPILER_OPTIONS = {
  module: 'nodenext',
  esModuleInterop: true,
  isolatedModules: true,
  declaration: true,
  emitDecoratorMetadata: true,
  experimentalDecorators: true,
  target: 'ES2023',
  rootDir: './src',
  outDir: './dist',
  skipLibCheck: true,
  strict: true,
  types: ['node'],
};

const bin = (name: string) => join(repository, 'node_modules/.bin', name);
const pages = readdirSync(join(repository, FRAMEWORK_PAGES));

describe('the pages of frameworks', () => {
  let folder: string;
  beforeAll(() => {
    // Inside the repository, so that the packages are found as a workspace finds them.
    folder = mkdtempSync(join(repository, 'test/readme/blocks-'));
    for (const page of [...ON_NODE, ...ON_OTHER_RUNTIMES]) save(applicationOf(page), join(folder, page));
    for (const page of [...BUILT_APART, CALLED]) save(filesOf(page), join(folder, page));
    save(filesOf('README'), join(folder, CALLED, SHARED_FOLDER));
    save([{ name: 'kit.d.ts', code: KIT_TYPES }], join(folder, CALLED));
    for (const { type } of NEST_TYPES) {
      const project = join(folder, COMPILED, type);
      const nest = { compilerOptions: COMPILER_OPTIONS, include: ['src'] };
      save(filesOf(COMPILED), project);
      writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type }));
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(nest));
    }
    const include = ON_NODE.map((page) => `${page}/*.ts`);
    const tsconfig = { extends: join(repository, 'tsconfig.json'), include };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    const bundled = {
      extends: '../tsconfig.json',
      compilerOptions: { module: 'ESNext', moduleResolution: 'Bundler' },
      include: ['**/*.ts'],
    };
    for (const page of [...BUILT_APART, CALLED])
      writeFileSync(join(folder, page, 'tsconfig.json'), JSON.stringify(bundled));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are each run by a test', () => {
    const run = [...ON_NODE, ...ON_OTHER_RUNTIMES, ...BUILT_APART, COMPILED, CALLED].map(
      (page) => `${page}.md`,
    );
    expect(pages.sort()).toEqual(['README.md', ...run].sort());
  });

  it.each(['.', ...BUILT_APART, CALLED])(
    'compile under the strictest settings: %s',
    { timeout: 240_000 },
    (project) => {
      const { stdout } = spawnSync(bin('tsc'), ['--noEmit', '--project', join(folder, project)], {
        encoding: 'utf8',
      });
      expect(stdout).toBe('');
    },
  );

  it.each(ON_NODE)('log in, deliver and end: %s', { timeout: 240_000 }, async (page) => {
    await walkThrough({
      program: process.execPath,
      args: ['--import', 'tsx', 'server.ts'],
      folder: join(folder, page),
      ...(ORDERS[page] && { order: ORDERS[page] }),
    });
  });

  it(`log in, deliver and end: ${CALLED}`, { timeout: 240_000 }, async () => {
    await walkThrough({
      program: process.execPath,
      args: ['--import', 'tsx', join(repository, 'test/readme/sveltekit-server.ts')],
      folder: join(folder, CALLED),
    });
  });

  it.each(NEST_TYPES)(
    `compile to $modules, log in, deliver and end: ${COMPILED}`,
    { timeout: 240_000 },
    async ({ type, imported }) => {
      const project = join(folder, COMPILED, type);
      expect(spawnSync(bin('tsc'), ['--project', project], { encoding: 'utf8' }).stdout).toBe('');
      expect(readFileSync(join(project, 'dist/main.js'), 'utf8')).toContain(imported);
      const main = { program: process.execPath, args: ['dist/main.js'], folder: project };
      await walkThrough({ ...main, end: 'signal' });
    },
  );
});

function save(files: readonly PageFile[], folder: string): void {
  for (const { name, code } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
}

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository, workspacePackages } from '../structure/workspace-package.ts';
import { consumer, isOfNest12, publishedModules } from './consumer.ts';
import { type Installation, installPackages } from './installed-packages.ts';

/** The oldest compiler that the READMEs name, and the newest; `types.test.ts` has one between. */
const COMPILERS = ['typescript-5.0', 'typescript-7'];
const RESOLUTIONS = [
  { module: 'node16', moduleResolution: 'node16', files: ['consumer.mts', 'consumer.cts'] },
  { module: 'esnext', moduleResolution: 'bundler', files: ['consumer.ts'] },
];
const COMPILATION_TIMEOUT_MS = 240_000;

let installation: Installation;
beforeAll(() => {
  installation = installPackages({ peers: true });
});
afterAll(() => installation.remove());

describe.each(COMPILERS)('a consumer compiled by %s', (compiler) => {
  it.each(RESOLUTIONS)(
    'finds the types of every subpath under $moduleResolution',
    ({ module, moduleResolution, files }) => {
      const folder = join(installation.folder, `${compiler}-${moduleResolution}`);
      mkdirSync(folder);
      for (const file of files) {
        writeFileSync(join(folder, file), consumer(installation.folder, publishedModules));
      }
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2022',
        lib: ['es2022'],
        types: ['node'],
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      expect(errorsOf(compiler, folder)).toEqual([]);
    },
    COMPILATION_TIMEOUT_MS,
  );

  it('reports a type that does not fit', () => {
    const folder = join(installation.folder, `${compiler}-misuse`);
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'consumer.mts'),
      "import { matchesPattern } from '@acme/webhooks';\nexport const matches: string = matchesPattern('*', 'a.b');\n",
    );
    const compilerOptions = { module: 'node16', target: 'es2022', types: ['node'], noEmit: true };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['consumer.mts'] }),
    );
    expect(errorsOf(compiler, folder)).toEqual([expect.stringContaining('TS2322')]);
  });
});

it('a library whose exports are of our types emits declarations', () => {
  const folder = join(installation.folder, 'library');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'index.mts'),
    `import { createAuth, createSessions, generateApiKey, memorySessionStore, parseApiKey } from '@acme/auth';
import { mountSessions, requireAuth } from '@acme/auth/express';
import { createWebhooks, memoryStorage } from '@acme/webhooks';
import { createAdminApi } from '@acme/webhooks/admin';
import { eventSchemas } from '@acme/webhooks/events';
export const auth = createAuth({ signingKey: 'x'.repeat(32) });
export const sessions = createSessions({
  auth,
  store: memorySessionStore(),
  verifyCredentials: async () => ({ uid: '42' }),
  loadUser: async () => ({ scopes: [] }),
});
export const webhooks = createWebhooks({ storage: memoryStorage() });
export const api = createAdminApi(webhooks, { authorize: (request: Request) => auth.authenticate(request) });
// The types of these have no exported name.
export const handlers = [requireAuth(auth), mountSessions(sessions)];
export const key = generateApiKey('acme');
export const parsed = parseApiKey(key.key);
export const reason = (event: Parameters<typeof sessions.revokeAll>) => sessions.revokeAll(...event);
export const counts = { ...sessions.stats(), ...auth.stats(), ...webhooks.stats() };
export const pages = [sessions.list('42'), webhooks.listTenants(), webhooks.recover({ id: 1 })];
export const receipts = [webhooks.dispatch('order.paid'), webhooks.test(1), webhooks.redeliver(1, 'id')];
export const removed = [webhooks.removeTenant('acme'), webhooks.purgeDeliveries()];
export const schemas = eventSchemas();
`,
  );
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    strict: true,
    declaration: true,
    outDir: 'dist',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.mts'] }));
  expect(errorsOf('typescript-7', folder)).toEqual([]);
  expect(readFileSync(join(folder, 'dist/index.d.mts'), 'utf8')).toContain('@acme/webhooks');
});

it.each(workspacePackages)('the README of $manifest.name names the oldest compiler', ({ folder }) => {
  const manifest = JSON.parse(
    readFileSync(join(repository, 'node_modules/typescript-5.0/package.json'), 'utf8'),
  );
  const [major, minor] = manifest.version.split('.');
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(readme.replaceAll(/\s+/g, ' ')).toContain(`TypeScript ${major}.${minor} or later`);
});

it('leaves the command tsc to the compiler of this repository', () => {
  const run = spawnSync(join(repository, 'node_modules/.bin/tsc'), ['--version'], { encoding: 'utf8' });
  const { version } = JSON.parse(
    readFileSync(join(repository, 'node_modules/typescript/package.json'), 'utf8'),
  );
  expect(run.stdout).toBe(`Version ${version}\n`);
});

/** What a compiler finds wrong in the consumer or in our declarations, and in no others. */
function errorsOf(compiler: string, folder: string): string[] {
  const tsc = join(repository, 'node_modules', compiler, 'bin/tsc');
  const run = spawnSync(process.execPath, [tsc, '--pretty', 'false', '-p', folder], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (run.error !== undefined) throw run.error;
  const errors = run.stdout.split('\n').filter((line) => / ?error TS\d+: /.test(line));
  if (run.status !== 0 && errors.length === 0) throw new Error(run.stdout + run.stderr);
  return errors.filter((line) => /^(error|consumer\.)|node_modules\/@acme\//.test(line) && !isOfNest12(line));
}

import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspacePackages } from '../structure/workspace-package.ts';
import { type Installation, installPackages } from './installed-packages.ts';

/** The packages of one subpath. */
interface Reach {
  /** Loaded by the import, in either format but for {@link ESM_ONLY}. */
  readonly code: readonly string[];
  /** Loaded when they are first needed. Default: none. */
  readonly later?: readonly string[];
  /** Must be installed for the declarations to compile. */
  readonly types: readonly string[];
}

/**
 * What each built subpath loads from outside its package. A line that grows is a cost for everybody
 * who imports it.
 */
const REACHES: Readonly<Record<string, Reach>> = {
  '@acme/auth': { code: ['cookie', 'ipaddr.js', 'jose'], types: [] },
  '@acme/auth/client': { code: [], types: [] },
  '@acme/auth/express': { code: [], types: [] },
  '@acme/auth/fastify': { code: [], types: [] },
  '@acme/auth/fetch': { code: [], types: [] },
  '@acme/auth/hono': { code: [], types: ['hono'] },
  '@acme/auth/kysely': { code: ['kysely'], types: ['kysely'] },
  '@acme/auth/nest': { code: ['@nestjs/common'], types: ['@nestjs/common'] },
  '@acme/auth/testing': { code: [], types: [] },
  '@acme/auth/transactions': { code: [], types: [] },
  '@acme/webhooks': { code: ['ipaddr.js', 'p-queue'], later: ['zod'], types: ['@standard-schema/spec'] },
  '@acme/webhooks/admin': { code: ['ipaddr.js', 'zod'], types: ['@standard-schema/spec'] },
  '@acme/webhooks/bullmq': { code: ['bullmq'], types: ['bullmq'] },
  '@acme/webhooks/events': { code: [], types: ['@standard-schema/spec'] },
  '@acme/webhooks/express': { code: [], types: [] },
  '@acme/webhooks/fastify': { code: [], types: [] },
  '@acme/webhooks/hono': { code: [], types: ['hono'] },
  '@acme/webhooks/kysely': { code: ['kysely'], types: ['kysely'] },
  '@acme/webhooks/pg-boss': { code: [], types: [] },
  '@acme/webhooks/portal': { code: ['ipaddr.js', 'zod'], types: ['@standard-schema/spec'] },
  '@acme/webhooks/signing': { code: [], types: ['@standard-schema/spec'] },
  '@acme/webhooks/storage': { code: [], types: [] },
  '@acme/webhooks/testing': { code: [], types: ['@standard-schema/spec'] },
  '@acme/webhooks/transactions': { code: [], types: [] },
};

/** Packages without CommonJS, of which the CommonJS files hold a copy. */
const ESM_ONLY: readonly string[] = ['jose', 'p-queue'];

/** Subpaths that run where there is no Node. */
const WITHOUT_NODE = ['@acme/auth/client', '@acme/webhooks/events', '@acme/webhooks/signing'];

let installation: Installation;
beforeAll(() => {
  installation = installPackages({ peers: false });
});
afterAll(() => installation.remove());

describe.each(workspacePackages)('$manifest.name', ({ manifest: { name, exports }, subpaths }) => {
  const entries = subpaths.map((subpath) => {
    const conditions = exports[subpath];
    if (typeof conditions !== 'object') throw new Error(`${subpath} has no conditions`);
    return { module: `${name}${subpath.slice(1)}`, ...conditions };
  });

  it.each(entries)(
    '$module loads what is written down, and nothing else',
    ({ module, import: esm, require: cjs }) => {
      const { code, later = [], types } = REACHES[module] ?? { code: [], types: [] };
      expect(packagesOf(esm.default)).toEqual({ code, later });
      expect(packagesOf(cjs.default)).toEqual({
        code: code.filter((found) => !ESM_ONLY.includes(found)),
        later,
      });
      expect(packagesOf(esm.types)).toEqual({ code: types, later: [] });
      expect(packagesOf(cjs.types)).toEqual({ code: types, later: [] });
    },
  );

  it.each(entries.filter(({ module }) => WITHOUT_NODE.includes(module)))(
    '$module needs nothing of Node',
    ({ import: esm, require: cjs }) => {
      for (const entry of [esm.default, cjs.default]) {
        expect(reach(join(installation.folder, 'node_modules', name, entry)).filter(isBuiltin)).toEqual([]);
      }
    },
  );

  it.each(entries)('$module has no import() in CommonJS, which Jest cannot run', ({ require: cjs }) => {
    const files = filesOf(join(installation.folder, 'node_modules', name, cjs.default), 'all');
    expect(files.filter((file) => /\bimport\(/.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  function packagesOf(entry: string): { readonly code: string[]; readonly later: string[] } {
    const file = join(installation.folder, 'node_modules', name, entry);
    const packages = (imports: 'static' | 'all') =>
      reach(file, imports)
        .filter((found) => !isBuiltin(found))
        .sort();
    const code = packages('static');
    return { code, later: packages('all').filter((found) => !code.includes(found)) };
  }
});

it('loads neither the admin API nor the panel with the engine', () => {
  const folder = join(installation.folder, 'node_modules/@acme/webhooks/dist');
  for (const entry of ['index.js', 'index.cjs']) {
    const loaded = filesOf(join(folder, entry), 'all').map((file) => file.slice(folder.length + 1));
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.filter((file) => /^(admin|panel)\//.test(file))).toEqual([]);
  }
});

it('starts the command line without a package', () => {
  expect(
    reach(join(installation.folder, 'node_modules/@acme/webhooks/dist/command-line/main.js')).filter(
      (found) => !isBuiltin(found),
    ),
  ).toEqual([]);
});

/** A specifier such as `a/b.js` or `@a/b/c.js`: what follows the package's name is a path in it. */
const PATH_IN_PACKAGE = /^((?:@[^/]+\/)?[^/:@]+)\/.*$/;

/** Imports that run with their file, or those as well that run when something is first needed. */
type Imports = 'static' | 'all';

/** How an import begins that runs later, in either format. */
const LATER = /(?:\bimport\(|then\(\(\) => require\()\s*['"]?$/;

/** What a built file imports from outside its package, itself or through the files it imports. */
function reach(entry: string, imports: Imports = 'all'): string[] {
  const outside = filesOf(entry, imports)
    .flatMap((file) => importsOf(file, imports))
    // A subpath import is a file of the package itself: the panel's, which imports nothing.
    .filter((specifier) => !/^[.#]/.test(specifier));
  return [...new Set(outside.map((specifier) => specifier.replace(PATH_IN_PACKAGE, '$1')))];
}

/** The built file, and those of its package that it imports, itself or through others. */
function filesOf(entry: string, imports: Imports): string[] {
  const seen = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const specifier of importsOf(file, imports)) {
      if (specifier.startsWith('.')) open.push(declarationOf(file, join(dirname(file), specifier)));
    }
  }
  return [...seen];
}

function importsOf(file: string, imports: Imports): string[] {
  const text = readFileSync(file, 'utf8');
  const found = ts.preProcessFile(text, true, true).importedFiles;
  const wanted = found.filter(
    ({ pos }) => imports === 'all' || !LATER.test(text.slice(Math.max(0, pos - 40), pos)),
  );
  return wanted.map(({ fileName }) => fileName);
}

/** A declaration file names the code beside the declarations it imports. */
function declarationOf(importer: string, imported: string): string {
  return /\.d\.c?ts$/.test(importer) ? imported.replace(/\.(c?)js$/, '.d.$1ts') : imported;
}

function isBuiltin(name: string): boolean {
  return name.startsWith('node:') || builtinModules.includes(name);
}

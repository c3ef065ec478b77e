import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspacePackages } from '../structure/workspace-package.ts';
import { type Installation, installPackages } from './installed-packages.ts';

/**
 * What each built subpath loads from outside its package. `code` is loaded at run time, in either
 * format but for {@link ESM_ONLY}; `types` must be installed for the declarations to compile. A
 * line that grows is a cost for everybody who imports it.
 */
const REACHES: Readonly<
  Record<string, { readonly code: readonly string[]; readonly types: readonly string[] }>
> = {
  '@acme/auth': { code: ['cookie', 'ipaddr.js', 'jose'], types: [] },
  '@acme/auth/client': { code: [], types: [] },
  '@acme/auth/express': { code: [], types: [] },
  '@acme/auth/fastify': { code: [], types: [] },
  '@acme/auth/fetch': { code: [], types: [] },
  '@acme/auth/hono': { code: [], types: ['hono'] },
  '@acme/auth/kysely': { code: ['kysely'], types: ['kysely'] },
  '@acme/auth/testing': { code: [], types: [] },
  '@acme/auth/transactions': { code: [], types: [] },
  '@acme/webhooks': {
    code: ['ipaddr.js', 'p-queue', 'p-retry', 'undici', 'zod'],
    types: ['@standard-schema/spec'],
  },
  '@acme/webhooks/admin': { code: ['ipaddr.js', 'zod'], types: ['@standard-schema/spec'] },
  '@acme/webhooks/bullmq': { code: ['bullmq', 'p-queue'], types: ['bullmq'] },
  '@acme/webhooks/express': { code: [], types: [] },
  '@acme/webhooks/fastify': { code: [], types: [] },
  '@acme/webhooks/hono': { code: [], types: ['hono'] },
  '@acme/webhooks/kysely': { code: ['kysely'], types: ['kysely'] },
  '@acme/webhooks/pg-boss': { code: ['p-queue'], types: [] },
  '@acme/webhooks/signing': { code: [], types: ['@standard-schema/spec'] },
  '@acme/webhooks/testing': { code: [], types: ['@standard-schema/spec'] },
  '@acme/webhooks/transactions': { code: [], types: [] },
};

/** Packages without CommonJS, of which the CommonJS files hold a copy. */
const ESM_ONLY: readonly string[] = ['jose', 'p-queue', 'p-retry'];

/** Subpaths that run where there is no Node. */
const WITHOUT_NODE = ['@acme/auth/client', '@acme/webhooks/signing'];

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
      const { code, types } = REACHES[module] ?? { code: [], types: [] };
      expect(packagesOf(esm.default)).toEqual(code);
      expect(packagesOf(cjs.default)).toEqual(code.filter((found) => !ESM_ONLY.includes(found)));
      expect(packagesOf(esm.types)).toEqual(types);
      expect(packagesOf(cjs.types)).toEqual(types);
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

  function packagesOf(entry: string): string[] {
    const outside = reach(join(installation.folder, 'node_modules', name, entry));
    return outside.filter((found) => !isBuiltin(found)).sort();
  }
});

/** A specifier such as `a/b.js` or `@a/b/c.js`: what follows the package's name is a path in it. */
const PATH_IN_PACKAGE = /^((?:@[^/]+\/)?[^/:@]+)\/.*$/;

/** What a built file imports from outside its package, itself or through the files it imports. */
function reach(entry: string): string[] {
  const outside = new Set<string>();
  const seen = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles) {
      if (fileName.startsWith('.')) open.push(declarationOf(file, join(dirname(file), fileName)));
      // A subpath import is a file of the package itself: the panel's, which imports nothing.
      else if (!fileName.startsWith('#')) outside.add(fileName.replace(PATH_IN_PACKAGE, '$1'));
    }
  }
  return [...outside];
}

/** A declaration file names the code beside the declarations it imports. */
function declarationOf(importer: string, imported: string): string {
  return /\.d\.c?ts$/.test(importer) ? imported.replace(/\.(c?)js$/, '.d.$1ts') : imported;
}

function isBuiltin(name: string): boolean {
  return name.startsWith('node:') || builtinModules.includes(name);
}

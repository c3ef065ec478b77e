import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspacePackages } from '../structure/workspace-package.ts';
import { type Installation, installPackages } from './installed-packages.ts';

/**
 * What stands behind an exported name: what it is, what it calls itself, and a number for its
 * identity.
 */
interface Finding {
  readonly kind: string;
  readonly label: string | null;
  readonly value: number;
}

/** What a probe found in each module of an installation, by exported name. */
type Findings = Readonly<Record<string, Readonly<Record<string, Finding>>>>;

/**
 * Names of which every adapter has its own: the same to a reader, another function in each
 * framework.
 */
const OF_EACH_ADAPTER = new Set([
  'authErrorHandler',
  'claimsOf',
  'mount',
  'mountSessions',
  'requireApiKey',
  'requireAuth',
  'requireAuthOrApiKey',
  'requireRecentLogin',
  'requireSameOrigin',
  'requireScope',
  'setClaims',
]);

/** Numbers every value, so that two names of one value show the same number. */
const DESCRIBE = `
const seen = [];
const number = (value) => (seen.includes(value) || seen.push(value), seen.indexOf(value));
const describeOne = (value) =>
  ({ kind: typeof value, label: typeof value === 'function' ? value.name : null, value: number(value) });
const describe = (module) => Object.fromEntries(Object.keys(module).sort()
  .filter((name) => name !== 'default' && name !== 'module.exports')
  .map((name) => [name, describeOne(module[name])]));
`;

describe('installed with every peer', () => {
  let installation: Installation;
  let esm: Findings;
  let cjs: Findings;

  beforeAll(() => {
    installation = installPackages({ peers: true });
    const all = workspacePackages.flatMap(({ manifest, subpaths }) =>
      subpaths.map((path) => specifier(manifest.name, path)),
    );
    esm = probe(installation, 'probe.mjs', all);
    cjs = probe(installation, 'probe.cjs', all);
  });
  afterAll(() => installation.remove());

  describe.each(workspacePackages)('$manifest.name', ({ manifest, subpaths }) => {
    const modules = subpaths.map((subpath) => specifier(manifest.name, subpath));

    it.each(modules)('exports the same names from import and require of %s', (module) => {
      expect(Object.keys(esm[module] ?? {})).not.toEqual([]);
      expect(kinds(cjs[module])).toEqual(kinds(esm[module]));
    });

    it.each(modules)(
      'calls every function and class of %s by its exported name, in both formats',
      (module) => {
        for (const found of [esm[module] ?? {}, cjs[module] ?? {}]) {
          const functions = Object.entries(found).filter(([, { label }]) => label !== null);
          expect(functions.filter(([name, { label }]) => label !== name)).toEqual([]);
        }
      },
    );

    it('has one value behind a name, whichever subpath it comes from', () => {
      for (const format of [esm, cjs]) {
        const values = new Map<string, Set<number>>();
        for (const module of modules) {
          for (const [name, { value }] of Object.entries(format[module] ?? {})) {
            if (OF_EACH_ADAPTER.has(name)) continue;
            values.set(name, (values.get(name) ?? new Set()).add(value));
          }
        }
        expect([...values].filter(([, identities]) => identities.size > 1)).toEqual([]);
      }
    });
  });
});

describe('an error that crosses between the ESM and the CommonJS copy of a package', () => {
  let installation: Installation;
  beforeAll(() => {
    installation = installPackages({ peers: false });
  });
  afterAll(() => installation.remove());

  it.each([
    ['@acme/auth', 'isAuthError', `new cjs.AuthError('token_invalid', 'x')`, 'token_invalid'],
    ['@acme/webhooks', 'isWebhookError', `new cjs.WebhookError('url_not_public', 'x')`, 'url_not_public'],
  ])('is recognised by %s, where instanceof says no', (name, recognise, create, code) => {
    const file = join(installation.folder, 'identity.mjs');
    const lines = [
      `import { createRequire } from 'node:module';`,
      `import * as esm from '${name}';`,
      `const cjs = createRequire(import.meta.url)('${name}');`,
      `const error = ${create};`,
      `const isInstance = Object.values(esm).some((value) => typeof value === 'function' && value.prototype && error instanceof value);`,
      `console.log(isInstance, esm.${recognise}(error, '${code}'), esm.${recognise}(error, 'other'));`,
    ];
    writeFileSync(file, lines.join('\n'));
    const run = spawnSync(process.execPath, [file], { cwd: installation.folder, encoding: 'utf8' });
    expect([run.stdout, run.stderr]).toEqual(['false true false\n', '']);
  });
});

describe('installed without its optional peers', () => {
  let installation: Installation;
  beforeAll(() => {
    installation = installPackages({ peers: false });
  });
  afterAll(() => installation.remove());

  it.each(['probe.mjs', 'probe.cjs'])('the root and what needs no peer load in %s', (script) => {
    const modules = ['@acme/auth', '@acme/webhooks', '@acme/webhooks/signing'];
    expect(Object.keys(probe(installation, script, modules))).toEqual(modules);
  });
});

function specifier(name: string, subpath: string): string {
  return `${name}${subpath.slice(1)}`;
}

function probe({ folder }: Installation, script: string, modules: readonly string[]): Findings {
  const load = script.endsWith('.mjs') ? 'await import(name)' : 'require(name)';
  const lines = [
    DESCRIBE,
    'const found = {};',
    `for (const name of ${JSON.stringify(modules)}) found[name] = describe(${load});`,
    'process.stdout.write(JSON.stringify(found));',
  ];
  const file = join(folder, script);
  writeFileSync(file, lines.join('\n'));
  const run = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
  // A warning here, about an experimental feature say, would greet every user of the package.
  expect(run.stderr).toBe('');
  return JSON.parse(run.stdout);
}

function kinds(module: Findings[string] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(module).map(([name, { kind }]) => [name, kind]));
}

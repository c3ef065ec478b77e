import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const auth = 'packages/auth/src';
const toolkit = 'packages/toolkit/src';
const webhooks = 'packages/webhooks/src';

/**
 * A breach of each kind of rule in `.dependency-cruiser.cjs`, as a developer would commit it: the
 * rule, the file, and what that file imports. A target with a slash is a file of the same tree, any
 * other is a package or a module of Node.
 */
const BREACHES: readonly (readonly [rule: string, from: string, to: string])[] = [
  // Upwards, sideways, from a room within a room, past a narrow view.
  ['layers:auth/claims', `${auth}/claims.ts`, `${auth}/tokens/target.ts`],
  ['layers:auth/api-keys', `${auth}/api-keys/breach.ts`, `${auth}/tokens/target.ts`],
  ['layers:auth/nest', `${auth}/nest/breach.ts`, `${webhooks}/errors.ts`],
  ['layers:auth/client', `${auth}/client/breach.ts`, `${auth}/errors.ts`],
  ['layers:auth/kysely', `${auth}/kysely/breach.ts`, `${auth}/tokens/target.ts`],
  ['layers:toolkit/mounts', `${toolkit}/mounts/breach.ts`, `${toolkit}/kysely/target.ts`],
  ['layers:toolkit/deadline', `${toolkit}/deadline.ts`, `${auth}/errors.ts`],
  ['layers:webhooks/dispatch', `${webhooks}/dispatch/breach.ts`, `${webhooks}/egress/target.ts`],
  ['layers:webhooks/admin', `${webhooks}/admin/breach.ts`, `${webhooks}/egress/target.ts`],
  ['layers:webhooks/admin/index', `${webhooks}/admin/index.ts`, `${auth}/errors.ts`],
  ['layers:webhooks/panel/texts', `${webhooks}/panel/texts/breach.ts`, `${webhooks}/storage/target.ts`],
  ['layers:webhooks/panel/app', `${webhooks}/panel/app/breach.ts`, `${webhooks}/errors.ts`],
  ['home:zod', `${webhooks}/signing/breach.ts`, 'zod'],
  ['home:kysely', `${auth}/index.ts`, 'kysely'],
  ['home:jose', `${auth}/client/breach.ts`, 'jose'],
  ['home:toolkit/kysely', `${auth}/tokens/breach.ts`, `${toolkit}/kysely/target.ts`],
  ['home:@mantine/core', `${webhooks}/panel/breach.ts`, '@mantine/core'],
  ['no-homeless-package', `${webhooks}/events/homeless.ts`, 'left-pad'],
  ['no-unknown-room', `${auth}/attic/breach.ts`, `${auth}/errors.ts`],
  ['types-only', `${webhooks}/express/runs-code.ts`, 'express'],
  ['panel-takes-types', `${webhooks}/panel/app/takes-code.ts`, `${webhooks}/admin/routes/target.ts`],
  ['no-cycle', `${auth}/tokens/one.ts`, `${auth}/tokens/two.ts`],
  ['no-own-index', `${auth}/tokens/inward.ts`, `${auth}/tokens/index.ts`],
  ['stands-alone:toolkit', 'packages/toolkit/test/other.test.ts', `${webhooks}/errors.ts`],
  ['stands-alone:auth', 'packages/auth/test/other.test.ts', `${webhooks}/errors.ts`],
  ['stands-alone:webhooks', 'packages/webhooks/test/other.test.ts', '@acme/auth'],
  ['examples-use-what-is-published', 'examples/demo/main.ts', `${webhooks}/errors.ts`],
  ['signing-stays-light', `${webhooks}/signing/index.ts`, `${webhooks}/signing/deep.ts`],
  ['command-line-starts-at-once', `${webhooks}/command-line/main.ts`, `${webhooks}/command-line/deep.ts`],
  ['client-stays-light', `${auth}/client/index.ts`, `${auth}/client/deep.ts`],
  ['root-needs-no-host-side', `${auth}/index.ts`, `${auth}/deep.ts`],
  ['no-dead-file', `${auth}/tokens/dead.ts`, `${auth}/errors.ts`],
  ['no-dead-file', `${webhooks}/panel/app/dead.ts`, `${webhooks}/panel/app/target.ts`],
  ['no-unresolvable', `${auth}/tokens/lost.ts`, 'not-installed'],
];

/** What the breaches need to go wrong in two steps, or in a circle. */
const ACCOMPLICES: readonly (readonly [from: string, to: string])[] = [
  [`${auth}/tokens/two.ts`, `${auth}/tokens/one.ts`],
  [`${webhooks}/signing/deep.ts`, 'node:crypto'],
  [`${webhooks}/signing/deep.ts`, 'zod'],
  [`${webhooks}/signing/deep.ts`, '@standard-schema/spec'],
  [`${webhooks}/signing/deep.ts`, `${webhooks}/storage/target.ts`],
  [`${webhooks}/command-line/deep.ts`, 'left-pad'],
  [`${auth}/client/deep.ts`, 'node:http'],
  [`${auth}/deep.ts`, 'express'],
  [`${webhooks}/panel/app/main.tsx`, `${webhooks}/panel/app/target.ts`],
];

const EDGES = [...BREACHES.map(([, from, to]) => [from, to] as const), ...ACCOMPLICES];

/** The packages that are there to be imported wrongly. */
const INSTALLED = [...EDGES]
  .map(([, to]) => to)
  .filter(
    (to) =>
      /^(?:[a-z]|@(?!acme\/))/.test(to) &&
      !to.endsWith('.ts') &&
      !to.startsWith('node:') &&
      to !== 'not-installed',
  );

interface Report {
  readonly modules: readonly { readonly dependencies: readonly { readonly resolved: string }[] }[];
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
    readonly ruleSetUsed: {
      readonly forbidden: readonly { readonly name: string; readonly to: { readonly path?: string } }[];
    };
  };
}

/** `layers:auth/tokens` is one of the rules `layers`. */
function kindOf(rule: string): string {
  return rule.split(':', 1)[0] ?? rule;
}

/** A run of dependency-cruiser, which on a busy machine takes its time. */
const CRUISE_MS = 90_000;

describe('the import rules', () => {
  const tree = mkdtempSync(join(tmpdir(), 'import-rules-'));
  let report: Report;

  beforeAll(() => {
    buildTree(tree);
    report = cruise(tree);
  }, CRUISE_MS);

  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  it('have a breach for every kind of rule', () => {
    const rules = report.summary.ruleSetUsed.forbidden.map((rule) => kindOf(rule.name));
    expect([...new Set(BREACHES.map(([rule]) => kindOf(rule)))].sort()).toEqual([...new Set(rules)].sort());
  });

  it.each(BREACHES)('report a breach of %s by %s', (rule, from) => {
    const files = report.summary.violations
      .filter((found) => found.rule.name === rule)
      .map(({ from }) => from);
    expect(files).toContain(from);
  });

  it('see every third-party package at each of its homes', { timeout: CRUISE_MS }, () => {
    const { modules, summary } = cruise(repository);
    const homes = summary.ruleSetUsed.forbidden.filter(({ name }) => kindOf(name) === 'home');
    const unseen = homes.filter(
      ({ to }) =>
        !modules.some(({ dependencies }) =>
          dependencies.some(({ resolved }) => new RegExp(String(to.path)).test(resolved)),
        ),
    );
    expect(unseen).toEqual([]);
    expect(homes.length).toBeGreaterThan(15);
  });

  it('report each thing that a recipient of webhooks must not be made to load', () => {
    const reached = report.summary.violations.filter((found) => found.rule.name === 'signing-stays-light');
    expect(reached.map(({ to }) => to).sort()).toEqual([
      'crypto',
      'node_modules/zod/dist/main.d.ts',
      `${webhooks}/storage/target.ts`,
    ]);
  });
});

function buildTree(tree: string): void {
  const imports = new Map<string, Set<string>>();
  for (const [from, to] of EDGES) {
    imports.set(from, (imports.get(from) ?? new Set()).add(to));
    if (to.endsWith('.ts') && !imports.has(to)) imports.set(to, new Set());
  }
  for (const [from, targets] of imports) {
    const lines = [...targets].filter(Boolean).map((to) => {
      // Types must count as much as code, but for the panel.
      const what = from.endsWith('takes-code.ts') ? '' : 'type ';
      if (to.endsWith('.ts')) return `export ${what}{ T } from './${relative(dirname(from), to)}';`;
      return `export { T } from '${to}';`;
    });
    write(join(tree, from), [...lines, 'export type Own = 1;', ''].join('\n'));
  }
  for (const name of INSTALLED) {
    write(
      join(tree, 'node_modules', name, 'package.json'),
      JSON.stringify({
        name,
        version: '1.0.0',
        // As most packages do: types are found first, under `dist`.
        exports: { types: './dist/main.d.ts', default: './dist/main.js' },
      }),
    );
    write(join(tree, 'node_modules', name, 'dist/main.d.ts'), 'export type T = 1;\n');
    write(join(tree, 'node_modules', name, 'dist/main.js'), 'module.exports = {};\n');
  }
  write(join(tree, 'package.json'), '{ "private": true }');
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function cruise(directory: string): Report {
  const bin = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(repository, '.dependency-cruiser.cjs');
  const run = spawnSync(
    process.execPath,
    [bin, '--config', config, '--output-type', 'json', 'packages', 'examples'],
    {
      cwd: directory,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (run.stdout === '') throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}

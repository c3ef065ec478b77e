import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inOneTest } from '../../packages/toolkit/test/in-one-test.ts';
import { repository } from './workspace-package.ts';

const auth = 'packages/auth/src';
const toolkit = 'packages/toolkit/src';
const webhooks = 'packages/webhooks/src';

/**
 * A breach of each kind of rule in `.dependency-cruiser.cjs`, as a developer would commit it: the
 * rule, a new file, and what it imports. A target that ends in `.ts` is a file of the repository.
 */
const BREACHES: readonly (readonly [rule: string, from: string, to: string])[] = [
  // Upwards, sideways, from a room within a room, past a narrow view.
  ['layers:auth/api-keys', `${auth}/api-keys/breach.ts`, `${auth}/tokens/key-ring.ts`],
  ['layers:auth/http', `${auth}/http/breach.ts`, `${auth}/sessions/status-poll.ts`],
  ['layers:auth/client', `${auth}/client/breach.ts`, `${auth}/errors.ts`],
  ['layers:auth/kysely', `${auth}/kysely/breach.ts`, `${auth}/tokens/key-ring.ts`],
  ['layers:toolkit/*', `${toolkit}/breach.ts`, `${toolkit}/mounts/hono-request.ts`],
  ['layers:webhooks/dispatch', `${webhooks}/dispatch/breach.ts`, `${webhooks}/egress/egress.ts`],
  ['layers:webhooks/admin', `${webhooks}/admin/breach.ts`, `${webhooks}/egress/egress.ts`],
  ['layers:webhooks/portal', `${webhooks}/portal/breach.ts`, `${webhooks}/registry/whose.ts`],
  ['layers:webhooks/panel/texts', `${webhooks}/panel/texts/breach.ts`, `${webhooks}/errors.ts`],
  ['layers:webhooks/panel/app', `${webhooks}/panel/app/breach.ts`, `${webhooks}/errors.ts`],
  [
    'layers:webhooks/storage',
    `${webhooks}/storage/contract-breach.ts`,
    'packages/webhooks/contract/storage-contract.ts',
  ],
  ['contracts:auth', 'packages/auth/contract/breach.ts', 'packages/auth/package.json'],
  ['home:zod', `${webhooks}/signing/breach.ts`, 'zod'],
  ['home:kysely', `${auth}/tokens/breach.ts`, 'kysely'],
  ['home:jose', `${auth}/client/breach.ts`, 'jose'],
  ['home:toolkit/kysely', `${auth}/tokens/breach.ts`, `${toolkit}/kysely/driver-rows.ts`],
  ['home:@mantine/core', `${webhooks}/panel/breach.ts`, '@mantine/core'],
  ['no-homeless-package', `${webhooks}/events/breach.ts`, 'marked'],
  ['no-unknown-room', `${auth}/attic/breach.ts`, `${auth}/errors.ts`],
  ['types-only', `${webhooks}/express/breach.ts`, 'express'],
  ['panel-takes-types', `${webhooks}/panel/app/code.ts`, `${webhooks}/admin/routes/routes.ts`],
  ['dialects-on-top', `${webhooks}/kysely/claim/breach.ts`, `${webhooks}/kysely/dialects/sqlite.ts`],
  ['no-cycle', `${auth}/tokens/breach.ts`, `${auth}/tokens/breach.ts`],
  ['no-own-index', `${auth}/tokens/breach.ts`, `${auth}/index.ts`],
  ['stands-alone:toolkit', 'packages/toolkit/test/breach.ts', `${webhooks}/errors.ts`],
  ['stands-alone:auth', 'packages/auth/test/breach.ts', `${webhooks}/errors.ts`],
  ['stands-alone:webhooks', 'packages/webhooks/test/breach.ts', '@acme/auth'],
  ['examples-use-what-is-published', 'examples/breach.ts', `${webhooks}/errors.ts`],
];

/** The published suites, beside the sources. */
const CONTRACTS = ['auth', 'toolkit', 'webhooks'].map((name) => `packages/${name}/contract`);

/** A workspace is found by its name where its last build is. */
const BUILT = ['packages/auth/package.json', 'packages/auth/dist'];

interface Report {
  readonly modules: readonly { readonly dependencies: readonly { readonly resolved: string }[] }[];
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
    readonly ruleSetUsed: {
      readonly forbidden: readonly { readonly name: string; readonly to: { readonly path?: string } }[];
    };
  };
}

/** `layers:auth/tokens` is one of the rules `layers`. */
const kindOf = (rule: string) => rule.split(':', 1)[0];

describe('the import rules', () => {
  const tree = mkdtempSync(join(tmpdir(), 'import-rules-'));
  let report: Report;

  beforeAll(() => {
    for (const path of [auth, toolkit, webhooks, ...CONTRACTS, ...BUILT]) {
      cpSync(join(repository, path), join(tree, path), { recursive: true });
    }
    linkInstalled(tree);
    for (const [, from] of BREACHES) write(join(tree, from), importsOf(from));
    report = cruise(tree);
  });

  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  it('have a breach for every kind of rule', () => {
    const rules = report.summary.ruleSetUsed.forbidden.map((rule) => kindOf(rule.name));
    expect([...new Set(BREACHES.map(([rule]) => kindOf(rule)))].sort()).toEqual([...new Set(rules)].sort());
  });

  inOneTest(BREACHES)('report a breach of %s by %s', (rule, from) => {
    const found = report.summary.violations.filter((violation) => violation.rule.name === rule);
    expect(found.map((violation) => violation.from)).toEqual([from]);
  });

  it('see every third-party package that has a home', () => {
    const homes = report.summary.ruleSetUsed.forbidden.filter(({ name }) => kindOf(name) === 'home');
    const seen = report.modules.flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved));
    const unseen = homes.filter(({ to }) => !seen.some((path) => new RegExp(String(to.path)).test(path)));
    expect(unseen).toEqual([]);
    expect(homes.length).toBeGreaterThan(15);
  });
});

/** Types count as much as code, but for two rules about the difference. */
function importsOf(file: string): string {
  const targets = BREACHES.filter(([, from]) => from === file).map(([, , to]) => to);
  const lines = targets.map((to) => {
    const specifier = to.endsWith('.ts') ? `./${relative(dirname(file), to)}` : to;
    return /app\/code|express\//.test(file)
      ? `import '${specifier}';`
      : `import type {} from '${specifier}';`;
  });
  return [...lines, 'export {};', ''].join('\n');
}

/** Links what is installed. Our own packages are those of the tree. */
function linkInstalled(tree: string): void {
  const modules = join(tree, 'node_modules');
  mkdirSync(join(modules, '@acme'), { recursive: true });
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    if (name !== '@acme') symlinkSync(join(repository, 'node_modules', name), join(modules, name));
  }
  symlinkSync(join(tree, 'packages/auth'), join(modules, '@acme/auth'));
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
    { cwd: directory, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (run.stdout === '') throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}

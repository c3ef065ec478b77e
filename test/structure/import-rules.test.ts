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
 * Every rule of `.dependency-cruiser.cjs` with one breach: the file that commits it and what that
 * file imports. A target with a slash is a file of the same tree, any other is a package or a
 * module of Node.
 */
const BREACHES: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'toolkit/redacted-error': [`${toolkit}/redacted-error.ts`, `${toolkit}/deadline.ts`],
  'toolkit/deadline': [`${toolkit}/deadline.ts`, `${toolkit}/node-web/target.ts`],
  'toolkit/retry-contention': [`${toolkit}/retry-contention.ts`, `${toolkit}/deadline.ts`],
  'toolkit/local-path': [`${toolkit}/local-path.ts`, `${toolkit}/deadline.ts`],
  'toolkit/print-without': [`${toolkit}/print-without.ts`, `${toolkit}/deadline.ts`],
  'toolkit/consumed-body': [`${toolkit}/consumed-body.ts`, `${toolkit}/deadline.ts`],
  'toolkit/plain-line': [`${toolkit}/plain-line.ts`, `${toolkit}/deadline.ts`],
  'toolkit/blank-text': [`${toolkit}/blank-text.ts`, `${toolkit}/deadline.ts`],
  'toolkit/parse-url': [`${toolkit}/parse-url.ts`, `${toolkit}/deadline.ts`],
  'toolkit/retry-after': [`${toolkit}/retry-after.ts`, `${toolkit}/deadline.ts`],
  'toolkit/has-class-name': [`${toolkit}/has-class-name.ts`, `${toolkit}/deadline.ts`],
  'toolkit/database-name': [`${toolkit}/database-name.ts`, `${toolkit}/deadline.ts`],
  'toolkit/service-interface': [`${toolkit}/service-interface.ts`, `${toolkit}/deadline.ts`],
  'toolkit/contracts': [`${toolkit}/contracts/breach.ts`, `${toolkit}/deadline.ts`],
  'toolkit/node-web': [`${toolkit}/node-web/breach.ts`, `${toolkit}/mounts/target.ts`],
  'toolkit/mounts': [`${toolkit}/mounts/breach.ts`, `${auth}/errors.ts`],
  'toolkit/transactions': [`${toolkit}/transactions/breach.ts`, `${toolkit}/deadline.ts`],
  'toolkit/kysely': [`${toolkit}/kysely/breach.ts`, `${toolkit}/mounts/target.ts`],
  'auth/errors': [`${auth}/errors.ts`, `${auth}/claims.ts`],
  'auth/clock': [`${auth}/clock.ts`, `${auth}/errors.ts`],
  'auth/logging': [`${auth}/logging/breach.ts`, `${auth}/claims.ts`],
  'auth/options': [`${auth}/options/breach.ts`, `${auth}/errors.ts`],
  'auth/text': [`${auth}/text/breach.ts`, `${auth}/claims.ts`],
  'auth/host-transaction': [`${auth}/host-transaction.ts`, `${auth}/claims.ts`],
  'auth/host-call': [`${auth}/host-call.ts`, `${auth}/claims.ts`],
  'auth/host-store': [`${auth}/host-store.ts`, `${auth}/claims.ts`],
  'auth/throttle': [`${auth}/throttle/breach.ts`, `${auth}/sessions/target.ts`],
  'auth/client-address': [`${auth}/client-address.ts`, `${auth}/errors.ts`],
  'auth/claims': [`${auth}/claims.ts`, `${auth}/tokens/target.ts`],
  'auth/tokens': [`${auth}/tokens/breach.ts`, `${auth}/cookies/target.ts`],
  'auth/passwords': [`${auth}/passwords/breach.ts`, `${auth}/tokens/target.ts`],
  'auth/api-keys': [`${auth}/api-keys/breach.ts`, `${auth}/tokens/target.ts`],
  'auth/cookies': [`${auth}/cookies/breach.ts`, `${toolkit}/node-web/target.ts`],
  'auth/sessions': [`${auth}/sessions/breach.ts`, `${auth}/express/target.ts`],
  'auth/one-time-tokens': [`${auth}/one-time-tokens/breach.ts`, `${auth}/http/target.ts`],
  'auth/http': [`${auth}/http/breach.ts`, `${auth}/sessions/target.ts`],
  'auth/auth-options': [`${auth}/auth-options.ts`, `${auth}/auth.ts`],
  'auth/auth': [`${auth}/auth.ts`, `${auth}/express/target.ts`],
  'auth/hooks': [`${auth}/hooks/breach.ts`, `${auth}/errors.ts`],
  'auth/guards': [`${auth}/guards/breach.ts`, `${auth}/express/target.ts`],
  'auth/express': [`${auth}/express/breach.ts`, `${auth}/tokens/target.ts`],
  'auth/fastify': [`${auth}/fastify/breach.ts`, `${auth}/tokens/target.ts`],
  'auth/hono': [`${auth}/hono/breach.ts`, `${auth}/express/target.ts`],
  'auth/nest': [`${auth}/nest/breach.ts`, `${auth}/express/target.ts`],
  'auth/fetch': [`${auth}/fetch/breach.ts`, `${auth}/tokens/target.ts`],
  'auth/transactions': [`${auth}/transactions/breach.ts`, `${auth}/sessions/target.ts`],
  'auth/kysely': [`${auth}/kysely/breach.ts`, `${auth}/tokens/target.ts`],
  'auth/client': [`${auth}/client/breach.ts`, `${auth}/errors.ts`],
  'auth/testing': [`${auth}/testing/breach.ts`, `${auth}/express/target.ts`],
  'auth/index': [`${auth}/index.ts`, `${auth}/express/target.ts`],
  'webhooks/errors': [`${webhooks}/errors.ts`, `${webhooks}/events/target.ts`],
  'webhooks/progress-timers': [`${webhooks}/progress-timers.ts`, `${webhooks}/errors.ts`],
  'webhooks/clock': [`${webhooks}/clock.ts`, `${webhooks}/errors.ts`],
  'webhooks/logging': [`${webhooks}/logging/breach.ts`, `${webhooks}/clock.ts`],
  'webhooks/options': [`${webhooks}/options.ts`, `${webhooks}/errors.ts`],
  'webhooks/readable-json': [`${webhooks}/readable-json.ts`, `${webhooks}/errors.ts`],
  'webhooks/test-deliveries': [`${webhooks}/test-deliveries.ts`, `${webhooks}/errors.ts`],
  'webhooks/stats': [`${webhooks}/stats.ts`, `${webhooks}/errors.ts`],
  'webhooks/hooks': [`${webhooks}/hooks/breach.ts`, `${webhooks}/queue/target.ts`],
  'webhooks/group-commit': [`${webhooks}/group-commit/breach.ts`, `${webhooks}/storage/target.ts`],
  'webhooks/events': [`${webhooks}/events/breach.ts`, `${webhooks}/storage/target.ts`],
  'webhooks/signing': [`${webhooks}/signing/breach.ts`, `${webhooks}/queue/target.ts`],
  'webhooks/storage': [`${webhooks}/storage/breach.ts`, `${webhooks}/queue/target.ts`],
  'webhooks/queue': [`${webhooks}/queue/breach.ts`, `${webhooks}/storage/target.ts`],
  'webhooks/egress': [`${webhooks}/egress/breach.ts`, `${webhooks}/storage/target.ts`],
  'webhooks/registry': [`${webhooks}/registry/breach.ts`, `${webhooks}/dispatch/target.ts`],
  'webhooks/dispatch': [`${webhooks}/dispatch/breach.ts`, `${webhooks}/egress/target.ts`],
  'webhooks/delivery': [`${webhooks}/delivery/breach.ts`, `${webhooks}/dispatch/target.ts`],
  'webhooks/version': [`${webhooks}/version.ts`, `${webhooks}/errors.ts`],
  'webhooks/lifecycle': [`${webhooks}/lifecycle.ts`, `${webhooks}/webhooks.ts`],
  'webhooks/webhooks-options': [`${webhooks}/webhooks-options.ts`, `${webhooks}/registry/target.ts`],
  'webhooks/webhooks': [`${webhooks}/webhooks.ts`, `${webhooks}/admin/target.ts`],
  'webhooks/admin': [`${webhooks}/admin/breach.ts`, `${webhooks}/egress/target.ts`],
  'webhooks/admin/index': [`${webhooks}/admin/index.ts`, `${webhooks}/egress/target.ts`],
  'webhooks/panel': [`${webhooks}/panel/breach.ts`, `${webhooks}/storage/target.ts`],
  'webhooks/panel/texts': [`${webhooks}/panel/texts/breach.ts`, `${webhooks}/errors.ts`],
  'webhooks/panel/app': [`${webhooks}/panel/app/breach.ts`, `${webhooks}/errors.ts`],
  'webhooks/http': [`${webhooks}/http/breach.ts`, `${webhooks}/admin/target.ts`],
  'webhooks/express': [`${webhooks}/express/breach.ts`, `${webhooks}/admin/target.ts`],
  'webhooks/fastify': [`${webhooks}/fastify/breach.ts`, `${webhooks}/admin/target.ts`],
  'webhooks/hono': [`${webhooks}/hono/breach.ts`, `${webhooks}/admin/target.ts`],
  'webhooks/transactions': [`${webhooks}/transactions/breach.ts`, `${webhooks}/storage/target.ts`],
  'webhooks/kysely': [`${webhooks}/kysely/breach.ts`, `${webhooks}/registry/target.ts`],
  'webhooks/pg-boss': [`${webhooks}/pg-boss/breach.ts`, `${webhooks}/bullmq/target.ts`],
  'webhooks/bullmq': [`${webhooks}/bullmq/breach.ts`, `${webhooks}/delivery/target.ts`],
  'webhooks/testing': [`${webhooks}/testing/breach.ts`, `${webhooks}/kysely/target.ts`],
  'webhooks/command-line': [`${webhooks}/command-line/breach.ts`, `${webhooks}/storage/target.ts`],
  'webhooks/index': [`${webhooks}/index.ts`, `${webhooks}/kysely/target.ts`],
  'home-of-jose': [`${auth}/sessions/jose.ts`, 'jose'],
  'home-of-cookie': [`${auth}/http/cookie.ts`, 'cookie'],
  'home-of-kysely': [`${webhooks}/storage/kysely.ts`, 'kysely'],
  'home-of-p-queue': [`${webhooks}/delivery/p-queue.ts`, 'p-queue'],
  'home-of-bullmq': [`${webhooks}/queue/bullmq.ts`, 'bullmq'],
  'home-of-p-retry': [`${webhooks}/dispatch/p-retry.ts`, 'p-retry'],
  'home-of-undici': [`${webhooks}/delivery/undici.ts`, 'undici'],
  'home-of-ipaddr.js': [`${webhooks}/registry/ipaddr.ts`, 'ipaddr.js'],
  'home-of-zod': [`${webhooks}/storage/zod.ts`, 'zod'],
  'home-of-@standard-schema/spec': [`${webhooks}/storage/schema.ts`, '@standard-schema/spec'],
  'home-of-react': [`${webhooks}/panel/react.ts`, 'react'],
  'home-of-react-dom': [`${webhooks}/panel/react-dom.ts`, 'react-dom'],
  'home-of-wouter': [`${webhooks}/panel/wouter.ts`, 'wouter'],
  'home-of-@tanstack/react-query': [`${webhooks}/panel/query.ts`, '@tanstack/react-query'],
  'home-of-@mantine/core': [`${webhooks}/admin/mantine.ts`, '@mantine/core'],
  'home-of-@mantine/hooks': [`${webhooks}/panel/mantine-hooks.ts`, '@mantine/hooks'],
  'home-of-d3-array': [`${webhooks}/panel/d3-array.ts`, 'd3-array'],
  'home-of-@tabler/icons-react': [`${webhooks}/panel/icons.ts`, '@tabler/icons-react'],
  'home-of-express': [`${webhooks}/http/express.ts`, 'express'],
  'home-of-hono': [`${auth}/http/hono.ts`, 'hono'],
  'home-of-@nestjs/common': [`${auth}/http/nest.ts`, '@nestjs/common'],
  'no-homeless-package': [`${webhooks}/events/homeless.ts`, 'left-pad'],
  'types-only': [`${webhooks}/express/runs-code.ts`, 'express'],
  'no-cycle': [`${auth}/tokens/one.ts`, `${auth}/tokens/two.ts`],
  'no-own-index': [`${auth}/tokens/inward.ts`, `${auth}/tokens/index.ts`],
  'toolkit-stands-alone': ['packages/toolkit/test/other.test.ts', `${webhooks}/errors.ts`],
  'auth-stands-alone': ['packages/auth/test/other.test.ts', `${webhooks}/errors.ts`],
  'webhooks-stands-alone': ['packages/webhooks/test/other.test.ts', '@acme/auth'],
  'examples-use-what-is-published': ['examples/demo/main.ts', `${webhooks}/errors.ts`],
  'signing-stays-light': [`${webhooks}/signing/index.ts`, `${webhooks}/signing/deep.ts`],
  'command-line-starts-at-once': [`${webhooks}/command-line/main.ts`, `${webhooks}/command-line/deep.ts`],
  'client-stays-light': [`${auth}/client/index.ts`, `${auth}/client/deep.ts`],
  'root-needs-no-host-side': [`${auth}/index.ts`, `${auth}/deep.ts`],
  'no-dead-file': [`${auth}/tokens/dead.ts`, `${auth}/errors.ts`],
  'no-dead-app-file': [`${webhooks}/panel/app/dead.ts`, `${webhooks}/panel/app/target.ts`],
  'panel-serves-what-is-built': [`${webhooks}/panel/server.ts`, `${webhooks}/panel/app/target.ts`],
  'toolkit-knows-its-rooms': [`${toolkit}/attic/breach.ts`, `${toolkit}/mounts/target.ts`],
  'toolkit-knows-its-lone-rooms': [`${toolkit}/cellar/alone.ts`, ''],
  'auth-knows-its-rooms': [`${auth}/attic/breach.ts`, `${auth}/errors.ts`],
  'auth-knows-its-lone-rooms': [`${auth}/cellar/alone.ts`, ''],
  'webhooks-knows-its-rooms': [`${webhooks}/attic/breach.ts`, `${webhooks}/errors.ts`],
  'webhooks-knows-its-lone-rooms': [`${webhooks}/cellar/alone.ts`, ''],
  'no-unresolvable': [`${auth}/tokens/lost.ts`, 'not-installed'],
};

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

/** The packages that are there to be imported wrongly. */
const INSTALLED = [...Object.values(BREACHES), ...ACCOMPLICES]
  .map(([, to]) => to)
  .filter(
    (to) =>
      /^(?:[a-z]|@(?!acme\/))/.test(to) &&
      !to.endsWith('.ts') &&
      !to.startsWith('node:') &&
      to !== 'not-installed',
  );

interface Report {
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
    readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string }[] };
  };
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

  it('have a breach for every rule', () => {
    const rules = report.summary.ruleSetUsed.forbidden.map((rule) => rule.name);
    expect(Object.keys(BREACHES).sort()).toEqual(rules.sort());
  });

  it.each(Object.entries(BREACHES))('report a breach of %s', (rule, [from]) => {
    const files = report.summary.violations
      .filter((found) => found.rule.name === rule)
      .map(({ from }) => from);
    expect(files).toContain(from);
  });

  it('report each thing that a recipient of webhooks must not be made to load', () => {
    const reached = report.summary.violations.filter((found) => found.rule.name === 'signing-stays-light');
    expect(reached.map(({ to }) => to).sort()).toEqual([
      'crypto',
      'node_modules/zod/main.js',
      `${webhooks}/storage/target.ts`,
    ]);
  });
});

function buildTree(tree: string): void {
  const imports = new Map<string, Set<string>>();
  for (const [from, to] of [...Object.values(BREACHES), ...ACCOMPLICES]) {
    imports.set(from, (imports.get(from) ?? new Set()).add(to));
    if (to.endsWith('.ts') && !imports.has(to)) imports.set(to, new Set());
  }
  for (const [from, targets] of imports) {
    const lines = [...targets].filter(Boolean).map((to) => {
      // Types must count as much as code.
      if (to.endsWith('.ts')) return `export type { T } from './${relative(dirname(from), to)}';`;
      return `export { T } from '${to}';`;
    });
    write(join(tree, from), [...lines, 'export type Own = 1;', ''].join('\n'));
  }
  for (const name of INSTALLED) {
    write(
      join(tree, 'node_modules', name, 'package.json'),
      JSON.stringify({ name, version: '1.0.0', main: 'main.js' }),
    );
    write(join(tree, 'node_modules', name, 'main.js'), 'module.exports = {};\n');
  }
  write(join(tree, 'package.json'), '{ "private": true }');
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function cruise(tree: string): Report {
  const bin = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(repository, '.dependency-cruiser.cjs');
  const run = spawnSync(
    process.execPath,
    [bin, '--config', config, '--output-type', 'json', 'packages', 'examples'],
    {
      cwd: tree,
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    },
  );
  if (run.stdout === '') throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}

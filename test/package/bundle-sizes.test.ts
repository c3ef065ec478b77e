import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishedModules } from './consumer.ts';
import { type Installation, installPackages } from './installed-packages.ts';

/**
 * The kilobytes (1,000 bytes) that each import may have in a host's bundle: minified by esbuild,
 * for Node, with the dependencies but without {@link EXTERNAL}. About a tenth above what it has.
 */
const BUDGETS: Readonly<Record<string, number>> = {
  '@acme/auth': 150,
  '@acme/auth/client': 11,
  '@acme/auth/express': 32,
  '@acme/auth/fastify': 32,
  '@acme/auth/fetch': 28,
  '@acme/auth/hono': 30,
  '@acme/auth/kysely': 70,
  '@acme/auth/nest': 28,
  '@acme/auth/testing': 68,
  '@acme/auth/transactions': 6,
  '@acme/webhooks': 190,
  '@acme/webhooks/admin': 185,
  '@acme/webhooks/bullmq': 18,
  '@acme/webhooks/events': 6,
  '@acme/webhooks/express': 6,
  '@acme/webhooks/fastify': 6,
  '@acme/webhooks/hono': 3,
  '@acme/webhooks/kysely': 140,
  '@acme/webhooks/pg-boss': 19,
  '@acme/webhooks/portal': 190,
  '@acme/webhooks/signing': 13,
  '@acme/webhooks/storage': 9,
  '@acme/webhooks/testing': 185,
  '@acme/webhooks/transactions': 6,
};

/** Imports of a single name, which a page or a recipient makes. */
const SINGLE_NAMES: Readonly<Record<string, number>> = {
  "{ matchesPattern } from '@acme/webhooks/events'": 10,
  "{ defineEvents } from '@acme/webhooks/events'": 10,
  "{ verify } from '@acme/webhooks/signing'": 12,
};

/** What the host brings, what is loaded later, and the files of the panel. */
const EXTERNAL = [
  '@nestjs/common',
  'bullmq',
  'express',
  'fastify',
  'hono',
  'kysely',
  'pg-boss',
  'zod',
  '#panel-assets',
];

let installation: Installation;
beforeAll(() => {
  installation = installPackages({ peers: true });
});
afterAll(() => installation.remove());

describe('a bundle', () => {
  it('has no more kilobytes than its budget, whatever it imports', async () => {
    const sizes = await Promise.all(
      publishedModules.map(
        async (module) => [module, await kilobytes(`export * from '${module}';`)] as const,
      ),
    );
    const over = sizes.filter(([module, size]) => !(size <= (BUDGETS[module] ?? 0)));
    expect(over.map(([module, size]) => `${module}: ${size} kB, budget ${BUDGETS[module]}`)).toEqual([]);
    expect(Object.keys(BUDGETS).sort()).toEqual([...publishedModules].sort());
  });

  it.each(Object.entries(SINGLE_NAMES))('of %s has at most %d kB', async (imported, budget) => {
    const size = await kilobytes(`export ${imported};`);
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(budget);
  });
});

describe('a page', () => {
  it.each(['@acme/auth/client', '@acme/webhooks/events', '@acme/webhooks/signing'])(
    'can be bundled with %s, without anything of Node',
    async (module) => {
      expect(await bundle(`export * from '${module}';`, { platform: 'browser', external: [] })).not.toBe('');
    },
  );
});

async function kilobytes(contents: string): Promise<number> {
  return Math.round(Buffer.byteLength(await bundle(contents)) / 100) / 10;
}

async function bundle(contents: string, options: BuildOptions = {}): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: installation.folder, sourcefile: join(installation.folder, 'host.js') },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: EXTERNAL,
    logLevel: 'error',
    ...options,
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}

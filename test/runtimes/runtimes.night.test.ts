import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, installPackages } from '../package/installed-packages.ts';
import { copyPrograms, type Row, rowOf, runProgram } from './run-program.ts';
import { RUNTIMES, runtimesSkipped, WORKERD } from './runtimes.ts';

const HANDLERS = ['fetch', 'hono'];

/** What each program prints when all of it passes. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  'auth.mjs': [
    'passwords',
    ...HANDLERS.flatMap((name) => [
      `${name}: log-in and guard`,
      `${name}: refresh`,
      `${name}: a page of another site`,
      `${name}: API key`,
    ]),
  ],
  'webhooks.mjs': [
    'dispatch, deliver and verify',
    'numbers as they are',
    'a host name',
    'patterns',
    'admin API',
    'panel',
    'no private address',
  ],
  'sqlite.mjs': ['migrations', 'log-in', 'dispatch in a transaction and deliver'],
  'vectors.mjs': ['signing and events'],
};

/** A release of before workerd had modules of Node by default. */
const WORKER_CONFIG = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2024-01-01",
))]);
`;

const rows: Row[] = [];
let installation: Installation;
beforeAll(() => {
  installation = installPackages({ peers: true, beside: ['libsql'] });
  copyPrograms(installation.folder);
});
afterAll(() => {
  installation.remove();
  console.table(rows);
});

describe.skipIf(runtimesSkipped !== undefined)('the packed tarballs', { timeout: 240_000 }, () => {
  describe.each(RUNTIMES)('on $name', (runtime) => {
    it.each(Object.entries(PROGRAMS))('pass %s', async (file, parts) => {
      const { folder } = installation;
      const passed = await runProgram(runtime, { folder, file, proxies: true });
      expect(passed).toEqual(parts);
      rows.push(rowOf(runtime, passed));
    });
  });

  it('sign, verify and match in workerd, where there is nothing of Node', async () => {
    const { folder } = installation;
    await build({
      absWorkingDir: folder,
      entryPoints: ['worker.mjs'],
      outfile: join(folder, 'worker.js'),
      bundle: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['workerd', 'worker'],
      logLevel: 'silent',
    });
    writeFileSync(join(folder, 'worker.capnp'), WORKER_CONFIG);
    const passed = await runProgram(WORKERD, { folder, file: 'worker.capnp' });
    expect(passed).toEqual(['signing and events', 'client']);
    rows.push(rowOf(WORKERD, passed));
  });
});

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createAuth } from '../../src/auth.ts';
import { authenticateAs, withClaims } from '../../src/testing/claims-injection.ts';
import { KEY } from '../tokens/forge-token.ts';

const ADA = { uid: '7', scopes: [] };
const auth = createAuth({ signingKey: KEY });
const OF_THIS_RUNNER = ['VITEST', 'VITEST_MODE', 'VITEST_POOL_ID', 'VITEST_WORKER_ID', 'TEST'];

afterEach(() => void vi.unstubAllEnvs());

/** Injects claims in both ways, in a process that has these variables and none of this runner's. */
async function outcomesIn(env: Record<string, string>): Promise<string[]> {
  for (const name of [...OF_THIS_RUNNER, 'NODE_ENV']) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const attempt = async (work: () => unknown) => {
    try {
      await work();
      return 'works';
    } catch (error) {
      return error instanceof Error ? error.message : 'threw';
    }
  };
  return [
    await attempt(() => withClaims({}, ADA)),
    await attempt(() => authenticateAs(auth, ADA).authenticate({ headers: {} })),
  ];
}

const works = ['works', 'works'];
const refuses = [
  expect.stringMatching(/^withClaims authenticates without a token: it is for tests/),
  expect.stringMatching(/^authenticateAs authenticates without a token: it is for tests/),
];

describe('claims for tests', () => {
  it.each<[string, Record<string, string>]>([
    ['nothing is said', {}],
    ['NODE_ENV is empty', { NODE_ENV: '' }],
    ['NODE_ENV is development', { NODE_ENV: 'development' }],
    ['NODE_ENV is prod', { NODE_ENV: 'prod' }],
    ['NODE_ENV is Production', { NODE_ENV: 'Production' }],
    ['NODE_ENV is staging', { NODE_ENV: 'staging' }],
    ['a variable of a runner is empty', { VITEST: '', NODE_TEST_CONTEXT: '' }],
    ['Vitest is said not to run', { VITEST: 'false' }],
    ['jest-worker runs without Jest', { JEST_WORKER_ID: '1' }],
    ['NODE_ENV is production under a test runner', { NODE_ENV: 'production', VITEST: 'true' }],
  ])('are refused where %s', async (_, env) => {
    expect(await outcomesIn(env)).toEqual(refuses);
  });

  it.each<[string, Record<string, string>]>([
    ['NODE_ENV is test', { NODE_ENV: 'test' }],
    ['Vitest runs', { VITEST: 'true', NODE_ENV: 'development' }],
    ['Jest runs', { JEST_WORKER_ID: '1', NODE_ENV: 'test' }],
    ['node --test runs', { NODE_TEST_CONTEXT: 'child-v8' }],
  ])('work where %s', async (_, env) => {
    expect(await outcomesIn(env)).toEqual(works);
  });

  it.each<[string, readonly string[], string]>([
    ['are refused in a bare process of Node', [], 'refused'],
    ['are refused in a file of node:test that is run by itself', ['--import', 'node:test'], 'refused'],
    ['work under a real node --test', ['--test'], 'works'],
  ])('%s', async (_, runner, outcome) => {
    const folder = mkdtempSync(join(tmpdir(), 'claims-for-tests-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'claims.test.mjs');
    const source = new URL('../../src/testing/claims-injection.ts', import.meta.url);
    writeFileSync(
      file,
      `import { withClaims } from '${source.href}';
      try { withClaims({}, { uid: '7', scopes: [] }); console.log('outcome: works'); }
      catch { console.log('outcome: refused'); }`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', ...runner, file], {
      cwd: new URL('../..', import.meta.url),
      env: { PATH: process.env.PATH },
    });
    expect(stdout).toContain(`outcome: ${outcome}`);
  });
});

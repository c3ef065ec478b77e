import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../structure/workspace-package.ts';
import { codeBlocks } from './code-blocks.ts';

/** The variables of the environment that hold something confidential. */
const CONFIDENTIAL = /process\.env\.(\w*(?:KEY|SECRET|TOKEN|PASSWORD)\w*)/g;

const guarded = codeBlocks().flatMap(({ title, code }, index) => {
  const names = [...code.matchAll(CONFIDENTIAL)].map(([, name = '']) => name);
  return names.length === 0 ? [] : [{ title, name: `${index} ${title}`, code, names }];
});

const RUN_TIMEOUT_MS = 120_000;

describe('a sample whose confidential variables are not set', () => {
  let folder: string;

  beforeAll(() => {
    // Inside the repository, so that the packages are found as a workspace finds them.
    folder = mkdtempSync(join(repository, 'test/readme/blocks-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('exists in the READMEs and guides of both packages', () => {
    expect(guarded.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        'README.md, Guard your routes',
        'packages/webhooks/docs/admin-api.md, Express 4 and 5',
      ]),
    );
    expect(guarded.length).toBeGreaterThan(20);
  });

  it.concurrent.each(guarded)(
    'lets nobody in: it ends at its start, and says why ($name)',
    async ({ code, names, name }) => {
      for (const value of [undefined, '']) {
        const file = join(folder, `${parseInt(name, 10)}.ts`);
        writeFileSync(file, code);
        const env = { ...process.env, PORT: '0', ...Object.fromEntries(names.map((each) => [each, value])) };
        const { exitCode, errors } = await run(file, env, folder);
        expect(errors).toMatch(/(?:Type)?Error: (?:signingKeys?\b.*|\w+ is not set)/);
        expect(exitCode).toBe(1);
      }
    },
    2 * RUN_TIMEOUT_MS,
  );
});

async function run(file: string, env: NodeJS.ProcessEnv, cwd: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env,
    // What a sample may write before it ends, such as a database file, goes with the folder.
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: RUN_TIMEOUT_MS,
  });
  const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { errors, exitCode };
}

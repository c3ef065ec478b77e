import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../structure/workspace-package.ts';
import { codeBlocks } from './code-blocks.ts';

/** The variables of the environment that hold something confidential. */
const CONFIDENTIAL = /process\.env\.(\w*(?:KEY|SECRET|TOKEN|PASSWORD)\w*)/g;

const guarded = codeBlocks().flatMap(({ title, code }, index) => {
  const names = [...code.matchAll(CONFIDENTIAL)].map(([, name = '']) => name);
  return names.length === 0 ? [] : [{ title, file: `${index}.ts`, code, names }];
});

/** Loads each sample without its variables and with empty ones, and prints with what it ended. */
const RUNNER = `
import { readFileSync } from 'node:fs';
const outcomes = [];
for (const { title, file, names } of JSON.parse(readFileSync('samples.json', 'utf8'))) {
  for (const value of [undefined, '']) {
    for (const name of names) if (value === undefined) delete process.env[name]; else process.env[name] = value;
    const outcome = await import('./' + file + '?' + outcomes.length).then(() => 'started', String);
    outcomes.push([title, outcome]);
  }
}
process.stdout.write(JSON.stringify(outcomes), () => process.exit());
`;

describe('a sample whose confidential variables are not set', () => {
  let folder: string;

  beforeAll(() => {
    // Inside the repository, so that the packages are found as a workspace finds them.
    folder = mkdtempSync(join(repository, 'test/readme/blocks-'));
    for (const { file, code } of guarded) writeFileSync(join(folder, file), code);
    writeFileSync(join(folder, 'samples.json'), JSON.stringify(guarded));
    writeFileSync(join(folder, 'runner.mts'), RUNNER);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('lets nobody in: it ends at its start, and says why', () => {
    expect(guarded.map(({ title }) => title)).toContain(
      'packages/webhooks/docs/admin-api.md, Express 4 and 5',
    );
    expect(guarded.length).toBeGreaterThan(20);
    const printed = execFileSync(process.execPath, ['--import', 'tsx', 'runner.mts'], {
      cwd: folder,
      env: { ...process.env, PORT: '0' },
      encoding: 'utf8',
    });
    const outcomes: [title: string, outcome: string][] = JSON.parse(printed);
    expect(outcomes).toHaveLength(2 * guarded.length);
    const refusal = /^(?:Type)?Error: (?:signingKeys?\b.*|\w+ is not set)/;
    expect(outcomes.filter(([, outcome]) => !refusal.test(outcome))).toEqual([]);
  });
});

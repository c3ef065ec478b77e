import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BENCHMARKS } from '../../bench/benchmarks.ts';
import { NIGHT_RUNS } from '../night/night-runs.ts';
import { rowsUnder } from '../readme/markdown.ts';
import { repository } from './workspace-package.ts';

const nightTests = ['packages', 'examples', 'test'].flatMap((folder) =>
  readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.night.test.ts') && !file.includes('node_modules'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
);

it('runs each test of the night in exactly one row', () => {
  const rows = nightTests.map((file) => ({
    file,
    rows: NIGHT_RUNS.filter(({ tests = [] }) => tests.some((path) => file.startsWith(path))).length,
  }));
  expect(rows.filter((row) => row.rows !== 1)).toEqual([]);
});

const names = NIGHT_RUNS.map(({ name }) => name);

it('says of each row in CONTRIBUTING what the night alone covers', () => {
  const rows = rowsUnder(readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8'), 'row');
  expect(rows.map(([name]) => name)).toEqual(names.map((name) => `\`${name}\``));
});

it('runs each row in the nightly workflow', () => {
  const workflow = readFileSync(join(repository, '.github/workflows/nightly.yml'), 'utf8');
  const [, list = ''] = /row: \[(.*)\]/.exec(workflow) ?? [];
  const single = [...workflow.matchAll(/test:night -- (\w+)/g)].map(([, name]) => name);
  expect([...list.split(', '), ...single].sort()).toEqual(names.toSorted());
});

it.each([
  ['test/night/run-night.ts', names],
  ['bench/run-benchmarks.ts', Object.keys(BENCHMARKS)],
])('%s names what there is when it is asked for something else', (program, known) => {
  const run = spawnSync(process.execPath, ['--import', 'tsx', program, 'no-such-name'], {
    cwd: repository,
    encoding: 'utf8',
  });
  expect(run).toMatchObject({
    status: 2,
    stderr: `There is no no-such-name. There are: ${known.join(', ')}\n`,
  });
});

it('runs the benchmark that is named, alone, and writes its figures', () => {
  const run = spawnSync('npm', ['run', 'bench', '--', 'hmac', '--json'], {
    cwd: repository,
    encoding: 'utf8',
  });
  expect([run.status, run.stderr]).toEqual([0, '']);
  const { figures } = JSON.parse(readFileSync(join(repository, 'bench/figures.json'), 'utf8'));
  expect(figures).toEqual(
    ['two one-shot hashes', 'createHmac'].map((name) => ({
      title: 'The MAC of one token',
      run: name,
      value: expect.any(Number),
      unit: 'k/s',
    })),
  );
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NIGHT_RUNS } from '../night/night-runs.ts';
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

it('has a name of its own for each row of the night', () => {
  const names = NIGHT_RUNS.map(({ name }) => name);
  expect(names).toStrictEqual([...new Set(names)]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFigures } from '../../bench/capacity-page.ts';
import { repository } from '../structure/workspace-package.ts';

const read = (file: string) => readFileSync(join(repository, 'docs/operations', file), 'utf8');
const page = read('capacity.md');
const run = JSON.parse(read('capacity.json'));

it('the figures of the capacity page are those of its run', () => {
  expect(withFigures(page, run)).toBe(page);
});

it('every ratio of the run that the page is made of has a cell', () => {
  const doubled = run.ratios.map((ratio: object) => ({ ...ratio, ratio: 77, low: 77, high: 77 }));
  const cells = withFigures(page, { ...run, ratios: doubled }).match(/\| 77\.0(?= \|)/g) ?? [];
  expect(cells.length).toBe(run.ratios.length);
});

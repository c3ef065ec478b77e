import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tablesIn } from '../readme/markdown.ts';
import { workspacePackages } from './workspace-package.ts';

/** A decision begins with its number, its title, and a date as a paragraph of its own. */
const HEAD = /^# (?<number>\d+): (?<title>.+)\n\n(?<date>20\d\d-[01]\d-[0-3]\d)\n\n/;

describe.each(workspacePackages)('the decisions of $manifest.name', ({ folder }) => {
  const decisions = join(folder, 'docs/decisions');
  const read = (file: string) => readFileSync(join(decisions, file), 'utf8');
  const pages = readdirSync(decisions).filter((file) => file !== 'README.md');

  it('are a row each in the index, as their heads say, under the number of their file', () => {
    const heads = pages.map((file) => {
      const { number, title, date } = HEAD.exec(read(file))?.groups ?? {};
      expect(file).toMatch(new RegExp(`^${number}-`));
      return [`[${number}](${file})`, title, date];
    });
    const rows = tablesIn(read('README.md')).flatMap((table) => table.rows);
    expect(rows.toSorted()).toEqual(heads.toSorted());
    expect(new Set(pages.map((file) => file.split('-')[0])).size).toBe(pages.length);
  });
});

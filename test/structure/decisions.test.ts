import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkedFiles } from '../readme/markdown.ts';
import { readDecision, readIndex } from './decision-page.ts';
import { workspacePackages } from './workspace-package.ts';

const INDEX = 'README.md';

describe.each(workspacePackages)('the decisions of $manifest.name', ({ folder }) => {
  const decisions = join(folder, 'docs/decisions');
  const read = (file: string) => readFileSync(join(decisions, file), 'utf8');
  const pages = readdirSync(decisions).filter((file) => file !== INDEX);

  it.each(pages)('%s begins with the number of its file, a title and a date', (file) => {
    expect(readDecision(read(file)).number).toBe(file.split('-')[0]);
  });

  it('have numbers of their own', () => {
    const numbers = pages.map((file) => readDecision(read(file)).number);
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  it('are a row each in the index, as their heads say', () => {
    const heads = pages.map((file) => ({ file, ...readDecision(read(file)) }));
    const rows = readIndex(read(INDEX)).sort((a, b) => (a.file < b.file ? -1 : 1));
    expect(rows).toEqual(heads.sort((a, b) => (a.file < b.file ? -1 : 1)));
  });

  it('link to files that exist', () => {
    const files = [INDEX, ...pages].flatMap((page) => linkedFiles(read(page)));
    expect(files.filter((file) => !existsSync(join(decisions, file)))).toEqual([]);
  });
});

describe('the reading of a decision', () => {
  it.each([
    ['no heading', '2026-11-20\n'],
    ['no number', '# Title\n\n2026-11-20\n'],
    ['no title', '# 001\n\n2026-11-20\n'],
    ['no date', '# 001: Title\n\n**Context.** …\n'],
    ['a date within a text', '# 001: Title\n\n2026-11-20 **Context.** …\n'],
    ['another form of date', '# 001: Title\n\n20 November 2026\n'],
    ['a day that does not exist', '# 001: Title\n\n2026-02-30\n'],
  ])('refuses %s', (_what, markdown) => {
    expect(() => readDecision(markdown)).toThrow(Error);
  });

  it('takes a title with colons and code', () => {
    const page = '# 001: A: `b`\n\n2026-11-20\n\n**Context.** …\n';
    expect(readDecision(page)).toEqual({ number: '001', title: 'A: `b`', date: '2026-11-20' });
  });
});

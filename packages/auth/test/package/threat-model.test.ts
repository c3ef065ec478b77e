import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { anchorsIn, codeSpansIn, tablesIn } from '../../../../test/readme/markdown.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (page: string) => readFileSync(`${root}docs/${page}.md`, 'utf8');
const rows = ['threats-to-sessions', 'threats-to-log-ins']
  .flatMap((page) => tablesIn(read(page)))
  .filter(({ columns }) => columns[0] === 'threat')
  .flatMap((table) => table.rows);

describe('the threat model', () => {
  it.each(rows.map(([threat = '', , shown = '']) => [threat, shown]))('has a test for: %s', (_, shown) => {
    const files = codeSpansIn(shown);
    expect(files).not.toEqual([]);
    expect(files.filter((file) => !/^test\/.+\.test\.ts$/.test(file) || !existsSync(root + file))).toEqual(
      [],
    );
  });

  it('has rows, and says what is not defended', () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(anchorsIn(read('threat-model'))).toContain('what-is-not-defended');
  });
});

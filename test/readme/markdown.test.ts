import { describe, expect, it } from 'vitest';
import { anchorsIn, codeBlocksIn, codeSpansIn, localLinksIn, rowsUnder, tablesIn } from './markdown.ts';

const PAGE = `
# The page

| name | \`is\` |
|---|---|
| \`a\`, \`b \\| c\` | <x> |

## Code, \`in\` it

- an item:

  \`\`\`sh
  # no heading
  [no](link.md)
  \`\`\`

[one](one.md#two), [two](#three) and [three](https://example.com/)
`;

describe('a document', () => {
  it('has its tables under their headings, with escaped pipes in their cells', () => {
    expect(tablesIn(PAGE)).toEqual([
      { section: 'The page', columns: ['name', '`is`'], rows: [['`a`, `b | c`', '<x>']] },
    ]);
    expect(codeSpansIn('`a`, `b | c` and `<d>`')).toEqual(['a', 'b | c', '<d>']);
  });

  it('fails a test that reads a table which is not there, or there twice', () => {
    expect(() => rowsUnder(PAGE, 'name', 'was')).toThrow('0 tables');
    expect(() => rowsUnder(PAGE + PAGE, 'name')).toThrow('2 tables');
  });

  it('has neither headings nor links in its code', () => {
    expect(anchorsIn(PAGE)).toEqual(['the-page', 'code-in-it']);
    expect(localLinksIn(PAGE)).toEqual(['one.md#two', '#three']);
    expect(codeBlocksIn(PAGE)).toEqual([
      { section: 'Code, `in` it', language: 'sh', code: '# no heading\n[no](link.md)\n' },
    ]);
  });
});

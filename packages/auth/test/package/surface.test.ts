import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codeSpansIn, paragraphsIn, rowsUnder } from '../../../../test/readme/markdown.ts';
import { membersOf } from '../../../../test/structure/declarations.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the published surface', () => {
  it('counts its dependencies in the README by name', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const sentence = paragraphsIn(readme).find((text) => text.includes(' dependencies: ')) ?? '';
    const [, named = ''] = sentence.split(' dependencies: ');
    expect(codeSpansIn(named).sort()).toEqual(Object.keys(dependencies).sort());
  });

  it('lists every option on its page', () => {
    const options = membersOf(readFileSync(join(root, 'src/auth-options.ts'), 'utf8'), 'AuthOptions');
    const rows = rowsUnder(readFileSync(join(root, 'docs/options.md'), 'utf8'), 'option');
    expect(options.length).toBeGreaterThan(10);
    expect(rows.flatMap(([option = '']) => codeSpansIn(option)).sort()).toEqual(options.sort());
  });
});

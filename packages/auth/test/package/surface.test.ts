import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codeSpansIn, paragraphsIn, rowsUnder } from '../../../../test/readme/markdown.ts';
import { importedBy, membersOf } from '../../../../test/structure/declarations.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'src');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The packages that a file reaches, through any number of our own files. */
function packagesReachedBy(entry: string): string[] {
  const visited = new Set<string>();
  const packages = new Set<string>();
  const open = [resolve(source, entry)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (visited.has(file)) continue;
    visited.add(file);
    for (const specifier of importedBy(readFileSync(file, 'utf8'))) {
      if (specifier.startsWith('.')) open.push(resolve(dirname(file), specifier));
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  }
  return [...packages].sort();
}

describe('the published surface', () => {
  it('counts its dependencies in the README by name', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const sentence = paragraphsIn(readme).find((text) => text.includes(' dependencies: ')) ?? '';
    const [, named = ''] = sentence.split(' dependencies: ');
    expect(codeSpansIn(named).sort()).toEqual(Object.keys(dependencies).sort());
  });

  it('lists every option in the README', () => {
    const options = membersOf(readFileSync(join(source, 'auth-options.ts'), 'utf8'), 'AuthOptions');
    const rows = rowsUnder(readme, 'option');
    expect(options.length).toBeGreaterThan(10);
    expect(rows.flatMap(([option = '']) => codeSpansIn(option)).sort()).toEqual(options.sort());
  });

  it('reaches no framework and no database driver from the root', () => {
    expect(packagesReachedBy('index.ts')).toEqual(['cookie', 'ipaddr.js', 'jose']);
    for (const adapter of ['express', 'fastify', 'fetch']) {
      expect(packagesReachedBy(`${adapter}/index.ts`)).toEqual(['cookie', 'jose']);
    }
    expect(packagesReachedBy('nest/index.ts')).toEqual(['@nestjs/common', 'cookie', 'jose']);
    expect(packagesReachedBy('hono/index.ts')).toEqual(['cookie', 'hono', 'jose']);
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../packages/toolkit/test/in-one-test.ts';
import { codeSpansIn, rowsUnder } from '../readme/markdown.ts';
import { workspacePackages } from './workspace-package.ts';

const COMMENTS = /\/\*[\s\S]*?\*\/|^\/\/.*/gm;
const NAMED_RE_EXPORTS = /^(?:\s*export (?:type )?\{[^{}*]*\} from '\.[^']+';\s*)+$/;

describe.each(workspacePackages)('the public surface of $manifest.name', ({ folder, manifest, subpaths }) => {
  const source = join(folder, 'src');

  it('is one index.ts for every exported subpath, and no other', () => {
    expect(existsSync(join(source, 'index.ts'))).toBe(true);
    const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const published = folders.filter(({ name }) => existsSync(join(source, name, 'index.ts')));
    expect(['.', ...published.map(({ name }) => `./${name}`)].sort()).toEqual(subpaths);
  });

  it('has no index.ts deeper than a subpath', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
    const deep = files.filter((file) => file.endsWith('index.ts') && file.split(/[\\/]/).length > 2);
    expect(deep).toEqual([]);
  });

  it("is a row each in the README's table", () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const named = rowsUnder(readme, 'import').flatMap(([specifier = '']) => codeSpansIn(specifier));
    const exported = subpaths.map((subpath) => manifest.name + subpath.slice(1));
    expect(named.sort()).toEqual(exported);
  });

  inOneTest(subpaths)('names what %s exports, and holds no code', (subpath) => {
    const file = join(source, subpath, 'index.ts');
    expect(readFileSync(file, 'utf8').replace(COMMENTS, '')).toMatch(NAMED_RE_EXPORTS);
  });
});

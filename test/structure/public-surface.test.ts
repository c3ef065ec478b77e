import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { codeSpansIn, rowsUnder } from '../readme/markdown.ts';
import { workspacePackages } from './workspace-package.ts';

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

  it('is found in both formats, with the types of each', () => {
    for (const subpath of subpaths) {
      const base = subpath === '.' ? './dist/index' : `./dist/${subpath.slice(2)}/index`;
      expect(manifest.exports[subpath]).toEqual({
        import: { types: `${base}.d.ts`, default: `${base}.js` },
        require: { types: `${base}.d.cts`, default: `${base}.cjs` },
      });
    }
  });

  it('needs nothing that only the workspace has', () => {
    const needed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    expect(needed.filter((name) => name.startsWith('@acme/'))).toEqual([]);
  });

  it('is found by resolvers that do not read exports', () => {
    const named = subpaths.filter((subpath) => subpath !== '.').map((subpath) => subpath.slice(2));
    const expected = named.map((name) => [name, [`./dist/${name}/index.d.cts`]]);
    expect(manifest.typesVersions['*']).toEqual(Object.fromEntries(expected));
  });

  it("is a row each in the README's table", () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const named = rowsUnder(readme, 'import').flatMap(([specifier = '']) => codeSpansIn(specifier));
    const exported = subpaths.map((subpath) => manifest.name + subpath.slice(1));
    expect(named.sort()).toEqual(exported);
  });

  it.each(subpaths)('names what %s exports, and holds no code', (subpath) => {
    const file = join(source, subpath, 'index.ts');
    expect(statementsThatAreNoReExport(readFileSync(file, 'utf8'))).toEqual([]);
  });
});

function statementsThatAreNoReExport(source: string): string[] {
  const file = ts.createSourceFile('index.ts', source, ts.ScriptTarget.Latest, true);
  return file.statements
    .filter((statement) => !isNamedReExport(statement))
    .map((statement) => statement.getText());
}

function isNamedReExport(statement: ts.Statement): boolean {
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) return false;
  if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause)) return false;
  return statement.exportClause.elements.every((element) => element.name.text !== 'default');
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'src');
const manifest: { exports: Record<string, unknown>; typesVersions: { '*': Record<string, unknown> } } =
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Everything that a file imports from, for its types or not. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)'/gms)].map(
    ([, specifier = '']) => specifier,
  );
}

/** The packages that a file reaches, through any number of our own files. */
function packagesReachedBy(entry: string): string[] {
  const visited = new Set<string>();
  const packages = new Set<string>();
  const open = [resolve(source, entry)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (visited.has(file)) continue;
    visited.add(file);
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith('.')) open.push(resolve(dirname(file), specifier));
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  }
  return [...packages].sort();
}

const subpaths = Object.keys(manifest.exports).filter((name) => name !== './package.json');

describe('the published surface', () => {
  it('is what the source folder shows: one index.ts per subpath', () => {
    const folders = readdirSync(source, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(source, entry.name, 'index.ts')))
      .map((entry) => `./${entry.name}`);
    expect(subpaths.toSorted()).toEqual(['.', ...folders].sort());
    expect(Object.keys(manifest.typesVersions['*']).sort()).toEqual(
      folders.map((name) => name.slice(2)).sort(),
    );
  });

  it('has a row in the README for each subpath, and none besides', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| `(@acme\/auth[\w/-]*)` \|/gm)].map(([, name = '']) => name);
    expect(rows.toSorted()).toEqual(subpaths.map((name) => `@acme/auth${name.slice(1)}`).sort());
  });

  it('counts its dependencies in the README by name', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const [, named = ''] = /\bdependencies: ([^.]*(?:\.js)?[^.]*)\./.exec(readme) ?? [];
    expect(named.match(/[\w.]+(?=`)/g)?.sort()).toEqual(Object.keys(dependencies).sort());
  });

  it('lists every error code in the README', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const codes = readFileSync(join(source, 'errors.ts'), 'utf8').matchAll(/^ {2}\| '(\w+)'/gm);
    const documented = [...codes]
      .map(([, code = '']) => code)
      .filter((code) => code.includes('_') || code === 'unavailable');
    expect(documented.length).toBeGreaterThan(5);
    for (const code of documented) expect(readme).toContain(`\`${code}\``);
  });

  it('lists every option in the README', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const options =
      readFileSync(join(source, 'auth-options.ts'), 'utf8').split(
        'export interface ResolvedAuthOptions',
      )[0] ?? '';
    const names = [...options.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(readme).toContain(`| \`${name}\``);
  });

  it('reaches no framework and no database driver from the root', () => {
    expect(packagesReachedBy('index.ts')).toEqual(['cookie', 'ipaddr.js', 'jose']);
    for (const adapter of ['express', 'fastify', 'fetch']) {
      expect(packagesReachedBy(`${adapter}/index.ts`)).toEqual(['cookie', 'jose']);
    }
    expect(packagesReachedBy('hono/index.ts')).toEqual(['cookie', 'hono', 'jose']);
  });

  it('holds named re-exports alone in every index.ts', () => {
    for (const entry of ['index.ts', ...subpaths.slice(1).map((name) => join(name, 'index.ts'))]) {
      const rest = readFileSync(join(source, entry), 'utf8').replace(
        /^export (?:type )?\{[^}]*\} from '[^']+';$/gm,
        '',
      );
      expect(rest.trim(), relative(root, entry)).toBe('');
    }
  });
});

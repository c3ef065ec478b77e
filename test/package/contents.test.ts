import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspacePackages } from '../structure/workspace-package.ts';
import { type Installation, installPackages } from './installed-packages.ts';

let installation: Installation;
beforeAll(() => {
  installation = installPackages({ peers: false });
});
afterAll(() => installation.remove());

describe.each(workspacePackages)('the tarball of $manifest.name', ({ manifest: { name, ...manifest } }) => {
  it('holds code, types, documents, test vectors and the licence, and nothing else', () => {
    const files = installation.files(name);
    expect(['LICENSE', 'README.md', 'package.json'].filter((file) => !files.includes(file))).toEqual([]);
    const published =
      /^(LICENSE|README\.md|package\.json|dist\/.+\.(js|cjs|d\.ts|d\.cts|map)|dist\/(panel\/)?licenses\.md|docs\/.+\.md|vectors\/.+\.json|openapi\.json)$/;
    expect(files.filter((file) => !published.test(file))).toEqual([]);
  });

  it('holds the licence of every package that its CommonJS files hold a copy of', () => {
    const read = (file: string) =>
      readFileSync(join(installation.folder, 'node_modules', name, file), 'utf8');
    const maps = installation.files(name).filter((file) => file.endsWith('.cjs.map'));
    const copied = maps.flatMap((map) => read(map).match(/(?<=node_modules\/)(@[^/"]+\/)?[^/"]+/g) ?? []);
    const licences = [...read('dist/licenses.md').matchAll(/^## (\S+) - /gm)].map(([, licensed]) => licensed);
    expect(licences).toEqual([...new Set(copied)].sort());
    expect(licences).not.toEqual([]);
  });

  it('holds every file its exports name', () => {
    const conditions = Object.values(manifest.exports).filter((entry) => typeof entry === 'object');
    const named = conditions.flatMap((entry) => [
      ...Object.values(entry.import),
      ...Object.values(entry.require),
    ]);
    const data = Object.values(manifest.exports).filter((entry) => typeof entry === 'string');
    const files = installation.files(name);
    expect([...named, ...data].filter((file) => !files.includes(file.slice(2)))).toEqual([]);
  });

  it.each(['.js', '.cjs'])('holds no source twice among its %s files', (extension) => {
    const maps = installation.files(name).filter((file) => file.endsWith(`${extension}.map`));
    const sources = maps.flatMap((map) => sourcesOf(map));
    expect(sources).not.toEqual([]);
    expect(sources.filter((source, index) => sources.indexOf(source) !== index)).toEqual([]);

    function sourcesOf(map: string): string[] {
      const text = readFileSync(join(installation.folder, 'node_modules', name, map), 'utf8');
      const { sources }: { sources: string[] } = JSON.parse(text);
      return sources.map((source) => join(dirname(map), source));
    }
  });

  it('holds no path of the machine that built it', () => {
    const texts = installation.files(name).map((file) => {
      return [file, readFileSync(join(installation.folder, 'node_modules', name, file), 'utf8')] as const;
    });
    const telling = texts.filter(([, text]) => text.includes(process.cwd()));
    expect(telling.map(([file]) => file)).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITE_URL } from '../../site/site-url.ts';
import { anchorsIn, localLinksIn } from '../readme/markdown.ts';
import { workspacePackages } from '../structure/workspace-package.ts';
import { type Installation, installPackages } from './installed-packages.ts';

/** What esbuild tells of a build: https://esbuild.github.io/api/#metafile */
interface BuildRecord {
  readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>>;
}

/**
 * The size of each tarball at most. A user downloads it at every clean install. Half a percent is room
 * for the names of chunks, which follow the folder of the build.
 */
const MAX_PACKED_BYTES: Readonly<Record<string, number>> = {
  '@acme/auth': 280_500,
  '@acme/webhooks': 912_400,
};

let installation: Installation;
beforeAll(() => {
  installation = installPackages({ peers: false });
});
afterAll(() => installation.remove());

describe.each(workspacePackages)('the tarball of $manifest.name', ({ folder, manifest }) => {
  const { name } = manifest;

  /** The sources of which each built file was made: as often as they stand in one. */
  function sourcesOf(format: string): string[] {
    const { outputs }: BuildRecord = JSON.parse(
      readFileSync(join(folder, `dist/metafile-${format}.json`), 'utf8'),
    );
    return Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  }

  it('holds code, types, the README, test vectors and the licence, and nothing else', () => {
    const files = installation.files(name);
    expect(['LICENSE', 'README.md', 'package.json'].filter((file) => !files.includes(file))).toEqual([]);
    const published =
      /^(LICENSE|README\.md|package\.json|dist\/.+\.(js|cjs|d\.ts|d\.cts)|dist\/(panel\/)?licenses\.md|vectors\/.+\.json|openapi\.json)$/;
    expect(files.filter((file) => !published.test(file))).toEqual([]);
  });

  it('links, in its README, to what it holds, and says where the guides are', () => {
    const readme = readFileSync(join(installation.folder, 'node_modules', name, 'README.md'), 'utf8');
    const files = installation.files(name);
    const dead = localLinksIn(readme).filter((target) => {
      const [path = '', anchor] = target.split('#');
      return path === '' ? !anchorsIn(readme).includes(anchor ?? '') : !files.includes(path);
    });
    expect(dead).toEqual([]);
    expect(readme).toContain(`(${SITE_URL}/${name.slice('@acme/'.length)}/guides)`);
  });

  it('is no larger than it may be', () => {
    expect(installation.packedBytes(name)).toBeLessThanOrEqual(MAX_PACKED_BYTES[name] ?? 0);
  });

  it('declares each type once, but for the types of a package with two formats', () => {
    const declarations = installation.files(name).filter((file) => file.endsWith('.d.ts'));
    const whole = declarations.filter((file) => {
      const text = readFileSync(join(installation.folder, 'node_modules', name, file), 'utf8');
      return (
        !/^export \* from '\.\/[\w-]+\.cjs';\n$/.test(text) &&
        !/ from '(?:@nestjs\/common|bullmq|hono|kysely)'/.test(text)
      );
    });
    expect(declarations.length).toBeGreaterThan(5);
    expect(whole).toEqual([]);
  });

  it('holds the licence of every package that its CommonJS files hold a copy of', () => {
    const copied = sourcesOf('cjs').flatMap(
      (source) => /(?<=node_modules\/)(@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? [],
    );
    const licences = readFileSync(
      join(installation.folder, 'node_modules', name, 'dist/licenses.md'),
      'utf8',
    );
    const licensed = [...licences.matchAll(/^## (\S+) - /gm)].map(([, copy]) => copy);
    expect(licensed).toEqual([...new Set(copied)].sort());
    expect(licensed).not.toEqual([]);
  });

  it.each(['esm', 'cjs'])('holds no source twice among its %s files', (format) => {
    const sources = sourcesOf(format);
    expect(sources).not.toEqual([]);
    expect(sources.filter((source, index) => sources.indexOf(source) !== index)).toEqual([]);
  });

  it('holds no path of the machine that built it', () => {
    const texts = installation.files(name).map((file) => {
      return [file, readFileSync(join(installation.folder, 'node_modules', name, file), 'utf8')] as const;
    });
    const telling = texts.filter(([, text]) => text.includes(process.cwd()));
    expect(telling.map(([file]) => file)).toEqual([]);
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../structure/workspace-package.ts';
import { anchorsIn, codeSpansIn, linkedFiles, localLinksIn } from './markdown.ts';

/** The folders, of the repository or of a package, that a path in a code span begins with. */
const FOLDERS = ['.ci', 'bench', 'dist', 'docs', 'examples', 'packages', 'prove', 'src', 'test', 'vectors'];
const PACKAGES = ['packages/auth', 'packages/toolkit', 'packages/webhooks'];
/** Folders of code: what they hold in Markdown is no document. */
const CODE_FOLDERS = ['node_modules', 'dist', 'test', 'src', 'bench', 'prove', 'site'];

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const documents = documentsIn('.').map((document) => {
  const text = read(document);
  return { document, links: localLinksIn(text), paths: citedPathsIn(text) };
});

it('knows the documents', () => {
  const some = ['README.md', 'docs/frameworks/next.md', 'examples/recipient/README.md'];
  expect(documents.map(({ document }) => document)).toEqual(expect.arrayContaining(some));
  expect(documents.length).toBeGreaterThan(100);
  expect(documents.flatMap(({ paths }) => paths).length).toBeGreaterThan(150);
});

describe.each(documents)('$document', ({ document, links, paths }) => {
  it('links to files and headings, and cites paths, that exist', () => {
    expect(links.filter((link) => isBroken(document, link))).toEqual([]);
    const isThere = (path: string) =>
      basesOf(document).some((base) => existsSync(join(repository, base, path)));
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });
});

describe.each(['packages/auth', 'packages/webhooks'])('the README in the tarball of %s', (folder) => {
  const text = read(`${folder}/README.md`);
  const { files }: { files: readonly string[] } = JSON.parse(read(`${folder}/package.json`));
  const isPacked = (path: string) => files.some((entry) => path === entry || path.startsWith(`${entry}/`));
  const isInRepository = (path: string) => /^(?:docs|packages)\//.test(path);

  it('links to what is packed, and cites files of the repository by their whole path', () => {
    const links = linkedFiles(text).filter((path) => path !== '');
    expect(links.filter((path) => !isPacked(path))).toEqual([]);
    const paths = citedPathsIn(text).filter((path) => !isPacked(path));
    expect(paths.filter((path) => !isInRepository(path) || !existsSync(join(repository, path)))).toEqual([]);
  });
});

/** Whether a link of a document leads to no file, or to no heading of a document. */
function isBroken(document: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? document : join(dirname(document), file);
  if (!existsSync(join(repository, target))) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsIn(read(target)).includes(anchor);
}

/** Every document of the repository, by path, but for changelogs: they cite what was there once. */
function documentsIn(folder: string): string[] {
  return readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return entry.name.endsWith('.md') && entry.name !== 'CHANGELOG.md' ? [path] : [];
    const isSkipped = !entry.isDirectory() || entry.name.startsWith('.') || CODE_FOLDERS.includes(entry.name);
    return isSkipped ? [] : documentsIn(path);
  });
}

/** The code spans that are paths; of `src/<name>` and `src/*.ts`, what precedes the placeholder. */
function citedPathsIn(markdown: string): string[] {
  return codeSpansIn(markdown)
    .filter((span) => FOLDERS.some((folder) => span.startsWith(`${folder}/`)) && !/\s/.test(span))
    .map((span) => span.replace(/[<*{…].*$/, ''));
}

/** The folders that the paths of a document may start from. */
function basesOf(document: string): readonly string[] {
  const own = PACKAGES.filter((folder) => document.startsWith(`${folder}/`));
  return ['.', dirname(document), ...(own.length > 0 ? own : PACKAGES)];
}

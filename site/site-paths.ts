import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../test/structure/workspace-package.ts';

/** Where documents of the repository are on the site: the first row that fits counts. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^README\.md$/, 'index.md'],
  [/^SECURITY\.md$/, 'reporting.md'],
  [/^docs\/README\.md$/, 'guides.md'],
  [/^docs\/(.+\.md)$/, '$1'],
  [/^packages\/(auth|webhooks)\/docs\/README\.md$/, '$1/guides.md'],
  [/^packages\/(auth|webhooks)\/docs\/(.+\.md)$/, '$1/$2'],
  [/^packages\/(auth|webhooks)\/(README\.md)$/, '$1/$2'],
  [/^examples\/README\.md$/, 'examples/index.md'],
  [/^examples\/([\w-]+)\/README\.md$/, 'examples/$1.md'],
];

/** Files that the site serves as they are. */
const FILES: readonly (readonly [RegExp, string])[] = [
  [/^packages\/webhooks\/(openapi\.json)$/, 'webhooks/$1'],
  [/^packages\/webhooks\/vectors\/(\w+\.json)$/, 'webhooks/vectors/$1'],
  [/^docs\/(pictures\/.+\.webp)$/, '$1'],
];

/** The page of a document, or undefined if the site has none. */
export function pageOf(document: string): string | undefined {
  return placeOf(document, PLACES)?.replace(/(^|\/)README\.md$/, '$1index.md');
}

/** The address of a file that is served as it is, or undefined. */
export function fileOf(path: string): string | undefined {
  return placeOf(path, FILES);
}

/** What the site is made of: every document that has a page, and every file that is served. */
export function sourcesOfSite(): { readonly documents: string[]; readonly files: string[] } {
  const folders = ['docs', 'examples', 'packages'].flatMap(pathsIn);
  const paths = [...readdirSync(repository).filter((name) => name.endsWith('.md')), ...folders];
  return {
    documents: paths.filter((path) => pageOf(path) !== undefined),
    files: paths.filter((path) => fileOf(path) !== undefined),
  };
}

function placeOf(path: string, places: typeof PLACES): string | undefined {
  const place = places.find(([pattern]) => pattern.test(path));
  return place && path.replace(...place);
}

function pathsIn(folder: string): string[] {
  return readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile()) return [path];
    return ['node_modules', 'dist', 'src', 'contract', 'test'].includes(entry.name) ? [] : pathsIn(path);
  });
}

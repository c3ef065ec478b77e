import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../structure/workspace-package.ts';
import { codeBlocksIn } from './markdown.ts';

/** The folder whose pages build one application, each with another server. */
export const FRAMEWORK_PAGES = 'docs/frameworks';

/** A file that a page tells its reader to save. */
export interface PageFile {
  readonly name: string;
  readonly code: string;
}

/** The files of a page, by the comment that each block begins with, such as `// lib/auth.ts`. */
export function filesOf(page: string): PageFile[] {
  const markdown = readFileSync(join(repository, FRAMEWORK_PAGES, `${page}.md`), 'utf8');
  return codeBlocksIn(markdown).flatMap(({ language, code }) => {
    const [, name] = /^\/\/ ([\w./[\]+-]+\.ts)\n/.exec(code) ?? [];
    return language === 'ts' && name !== undefined ? [{ name, code }] : [];
  });
}

/** The application of a page: what it adds to what all pages share. */
export function applicationOf(page: string): PageFile[] {
  return [...filesOf('README'), ...filesOf(page)];
}

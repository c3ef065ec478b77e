import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { repository } from '../test/structure/workspace-package.ts';
import { openApiPage } from './openapi-page.ts';
import { withSiteLinks } from './site-links.ts';
import { fileOf, pageOf, sourcesOfSite } from './site-paths.ts';
import { versionsPage } from './versions-page.ts';

/** Where VitePress reads the pages. Git ignores it. */
const PAGES = join(repository, 'site/pages');

/** Writes the pages of the site: the documents with links of the site, and those made of data. */
export function writePages(): void {
  rmSync(PAGES, { recursive: true, force: true });
  const { documents, files } = sourcesOfSite();
  for (const document of documents) {
    const page = pageOf(document) ?? '';
    const text = withSiteLinks(document, withCode(document));
    write(page, page.includes('decisions/') ? unsearched(text) : text);
  }
  for (const file of files) {
    const target = join(PAGES, 'public', fileOf(file) ?? '');
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(repository, file), target);
  }
  write('index.md', readFileSync(join(repository, 'site/home.md'), 'utf8'));
  write('webhooks/operations.md', unsearched(openApiPage()));
  write('versions.md', unsearched(versionsPage()));
}

/** A document that shows the code of each file that a list of it links to, and what it says of it. */
function withCode(document: string): string {
  const text = readFileSync(join(repository, document), 'utf8');
  return text.replace(
    /^- \[(.+)\]\(((?:recipients|samples)\/.+?)\)(.*)$/gm,
    (_item, language: string, file: string, about: string) => {
      const code = readFileSync(join(repository, dirname(document), file), 'utf8');
      return `### ${language}${about}\n\n\`\`\`${extname(file).slice(1)}\n${code}\`\`\`\n`;
    },
  );
}

/** A page that the search leaves out: guides come first. */
const unsearched = (text: string): string => `---\nsearch: false\n---\n\n${text}`;

function write(page: string, text: string): void {
  const path = join(PAGES, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

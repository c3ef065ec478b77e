import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../structure/workspace-package.ts';
import { anchorsIn, linkedFiles, localLinksIn } from './markdown.ts';

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const pagesIn = (folder: string) =>
  readdirSync(join(repository, folder)).filter((name) => name.endsWith('.md'));

/** The links of a document of the repository that lead nowhere. */
function brokenLinksIn(document: string): string[] {
  return localLinksIn(read(document)).filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? document : join(dirname(document), file);
    if (!existsSync(join(repository, target))) return true;
    return anchor !== undefined && !anchorsIn(read(target)).includes(anchor);
  });
}

describe('the guides to both packages', () => {
  const guides = pagesIn('docs');

  it('are each linked from their index', () => {
    const linked = linkedFiles(read('docs/README.md'));
    expect(guides.filter((name) => name !== 'README.md' && !linked.includes(name))).toEqual([]);
  });

  it.each(guides)('link to what exists: %s', (name) => {
    expect(brokenLinksIn(`docs/${name}`)).toEqual([]);
  });
});

describe.each(['packages/auth', 'packages/webhooks'])('the documents of %s', (folder) => {
  const guides = pagesIn(join(folder, 'docs'));
  const documents = [...pagesIn(folder), ...guides.map((name) => `docs/${name}`)];

  it('are each linked from their index', () => {
    const linked = linkedFiles(read(join(folder, 'docs/README.md')));
    expect(guides.filter((name) => name !== 'README.md' && !linked.includes(name))).toEqual([]);
    expect(guides.length).toBeGreaterThan(5);
  });

  it.each(documents)('link to what exists: %s', (document) => {
    expect(brokenLinksIn(join(folder, document))).toEqual([]);
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../structure/workspace-package.ts';
import { anchorsIn, linkedFiles, localLinksIn } from './markdown.ts';

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const pagesIn = (folder: string) =>
  readdirSync(join(repository, folder)).filter((name) => name.endsWith('.md'));

describe.each(['packages/auth', 'packages/webhooks'])('the documents of %s', (folder) => {
  const guides = pagesIn(join(folder, 'docs'));
  const documents = [...pagesIn(folder), ...guides.map((name) => `docs/${name}`)];

  it('are each linked from the README', () => {
    const linked = linkedFiles(read(join(folder, 'README.md')));
    expect(guides.filter((name) => !linked.includes(`docs/${name}`))).toEqual([]);
    expect(guides.length).toBeGreaterThan(5);
  });

  it.each(documents)('link to what exists: %s', (document) => {
    const broken = localLinksIn(read(join(folder, document))).filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = join(folder, file === '' ? document : join(dirname(document), file));
      if (!existsSync(join(repository, target))) return true;
      return anchor !== undefined && !anchorsIn(read(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

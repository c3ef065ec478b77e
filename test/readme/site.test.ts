import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../packages/toolkit/test/in-one-test.ts';
import { openApiPage } from '../../site/openapi-page.ts';
import { withSiteLinks } from '../../site/site-links.ts';
import { pageOf, sourcesOfSite } from '../../site/site-paths.ts';
import { SITE_URL } from '../../site/site-url.ts';
import { repository } from '../structure/workspace-package.ts';
import { anchorsIn } from './markdown.ts';

const read = (file: string) => readFileSync(join(repository, file), 'utf8');

/** The documents of the site by their addresses. */
const documents = new Map(
  sourcesOfSite().documents.map((document) => {
    const page = pageOf(document) ?? '';
    return [`/${page.replace(/(?:index)?\.md$/, '')}`, document];
  }),
);

describe.each(['packages/auth/README.md', 'packages/webhooks/README.md'])('%s', (readme) => {
  it('links to pages and headings that the site has', () => {
    const targets = [...read(readme).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const links = targets.filter((target) => target.startsWith(SITE_URL));
    expect(links.length).toBeGreaterThan(5);
    const dead = links.filter((link) => {
      const [path = '', anchor] = link.slice(SITE_URL.length).split('#');
      const document = documents.get(path);
      return document === undefined || (anchor !== undefined && !anchorsIn(read(document)).includes(anchor));
    });
    expect(dead).toEqual([]);
  });
});

it('the page of operations has a row for each code that the admin API answers with', () => {
  const rows = [...openApiPage().matchAll(/^\| `(\w+)` \| (\d{3}) \| \S/gm)].map(([, code]) => code);
  expect(rows.length).toBeGreaterThan(20);
  const document = read('packages/webhooks/openapi.json');
  const codes = new Set([...document.matchAll(/- `(\w+)`: /g)].map(([, code]) => code));
  expect(new Set(rows)).toEqual(codes);
});

describe('a document on the site', () => {
  inOneTest([
    ['docs/getting-started.md', '[a](operations/README.md)', '[a](/operations/)'],
    [
      'docs/operations/data.md',
      '[a](../../packages/webhooks/docs/retries.md#order)',
      '[a](/webhooks/retries#order)',
    ],
    [
      'packages/webhooks/docs/admin-api.md',
      '[`openapi.json`](../openapi.json)',
      '[`openapi.json`](/webhooks/openapi.json)',
    ],
    ['packages/auth/README.md', `[a](${SITE_URL}/auth/errors)`, '[a](/auth/errors)'],
    ['docs/upgrading.md', '[`.changeset`](../.changeset)', '`.changeset`'],
    ['docs/upgrading.md', '[a](#peers), [b](https://semver.org)', '[a](#peers), [b](https://semver.org)'],
    ['docs/upgrading.md', '```md\n[a](migrations.md)\n```', '```md\n[a](migrations.md)\n```'],
  ])('%s: %s', (document, markdown, expected) => {
    expect(withSiteLinks(document, markdown)).toBe(expected);
  });
});

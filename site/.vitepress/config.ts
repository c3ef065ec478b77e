import { readFileSync } from 'node:fs';
import { type DefaultTheme, defineConfig } from 'vitepress';

const pages = new URL('../pages/', import.meta.url);

/** The anchor of a heading, as GitHub makes it: the documents are read there, too. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

type Highlight = (...args: [code: string, language: string, attributes: string]) => string;

/** Remembers what was coloured: each page is rendered for itself, and twice for the search. */
function remembered(highlight: Highlight): Highlight {
  const done = new Map<string, string>();
  return (...args) => {
    const key = JSON.stringify(args);
    const html = done.get(key) ?? highlight(...args);
    done.set(key, html);
    return html;
  };
}

/** The links in the first column of an index page's tables, in their order. */
function itemsOf(index: string): DefaultTheme.SidebarItem[] {
  const text = readFileSync(new URL(index, pages), 'utf8');
  return [...text.matchAll(/^\| \[([^\]]+)\]\((\/[^)]+)\)/gm)].map(([, label = '', link = '']) => ({
    text: label.replaceAll('`', ''),
    link,
  }));
}

const group = (
  text: string,
  items: DefaultTheme.SidebarItem[],
  collapsed = true,
): DefaultTheme.SidebarItem => ({
  text,
  items,
  collapsed,
});
const start = ['getting-started', 'your-app', 'compared', 'typescript-and-javascript'];
const guides = itemsOf('guides.md').filter(
  ({ link = '' }) => !start.includes(link.slice(1)) && !link.endsWith('/'),
);

const sidebar: DefaultTheme.SidebarItem[] = [
  group(
    'Start',
    itemsOf('guides.md').filter(({ link = '' }) => start.includes(link.slice(1))),
    false,
  ),
  group('Frameworks', itemsOf('frameworks/index.md')),
  group('@acme/auth', [{ text: 'Overview', link: '/auth/' }, ...itemsOf('auth/guides.md')]),
  group('@acme/webhooks', [
    { text: 'Overview', link: '/webhooks/' },
    ...itemsOf('webhooks/guides.md'),
    { text: 'Operations of the admin API', link: '/webhooks/operations' },
  ]),
  group('Operations', [
    { text: 'Overview', link: '/operations/' },
    ...itemsOf('operations/index.md'),
    ...guides,
  ]),
  group('Examples', [{ text: 'Overview', link: '/examples/' }, ...itemsOf('examples/index.md')]),
  group('API reference', [
    { text: '@acme/auth', link: '/reference/auth/', target: '_self' },
    { text: '@acme/webhooks', link: '/reference/webhooks/', target: '_self' },
  ]),
];

export default defineConfig({
  title: '@acme/auth and @acme/webhooks',
  description: 'Log-ins and outgoing webhooks inside the Node app you already have',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: true,
  // Without one, browsers ask for a file that is not there.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // TypeDoc writes these pages, and the check of dead links knows them.
  ignoreDeadLinks: [/^\/reference\//],
  markdown: {
    anchor: { slugify },
    html: false,
    // Vue takes two braces for an expression, also in text and in code spans.
    config(md) {
      const { highlight } = md.options;
      if (highlight) md.options.highlight = remembered(highlight);
      for (const name of ['text', 'code_inline'] as const) {
        const render = md.renderer.rules[name];
        md.renderer.rules[name] = (...args) => render?.(...args).replaceAll('{{', '&#123;&#123;') ?? '';
      }
    },
  },
  themeConfig: {
    siteTitle: 'auth + webhooks',
    nav: [
      { text: 'Guides', link: '/guides' },
      { text: 'API', link: '/reference/webhooks/', target: '_self' },
      { text: 'Versions', link: '/versions' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
});

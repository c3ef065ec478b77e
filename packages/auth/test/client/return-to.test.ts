import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { listen } from '../../../toolkit/test/loopback.ts';
import { words } from '../../../toolkit/test/words.ts';
import { goToLogin, readReturnTo } from '../../src/client/return-to.ts';
import { type PageFiles, pageFiles, serveFile } from './status-server.ts';
import { BROWSER_TIMEOUT, openContext } from './tabs.ts';

const DEFAULT = '/home';

const LOCAL = [
  ...words(`
    / /a /a/ /a/b?c=d&e=//f#g//h /a?url=https://example.com/ /#/hash/router
  `),
  '/a b',
  '/ä/😀',
  '/group%2Fname/a%20b',
  '/a?url=%2F%2Fexample.com%5C%0A',
  '/a?url=%25252525252F%252F#%252f',
  '/100%25/%E4%B8%80%C3%80/%zz%',
  '/a%253Fb/%25252520',
  '/@evil.example',
  '/:80',
  '/.',
  '/javascript:alert(1)',
  `/${'x'.repeat(2_047)}`,
];

const FOREIGN = [
  '',
  ' ',
  'a',
  '?a',
  '#a',
  '.',
  '../a',
  'evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '//evil.example/%2f..',
  '//',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/a\\b',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/a\0',
  '/\u0085/evil.example',
  '/\u007f',
  '/a?b=\n',
  '/a#\\',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/a//b',
  '/%2Fevil.example',
  '/%2fevil.example',
  '/%2f%2fevil.example',
  '/%5Cevil.example',
  '/%5cevil.example',
  '/.%2f/evil.example',
  '/..%2f..%2f/x',
  '/a/..%2F%2Fevil.example',
  '/%09/evil.example',
  '/%0d%0aevil.example',
  '/%7f',
  '/%252Fevil.example',
  '/%252f%252fevil.example',
  '/%25%32%66evil.example',
  '/%25%32%46evil.example',
  '/%2%46evil.example',
  '/%25252Fevil.example',
  '/%255Cevil.example',
  '/%25%35%63evil.example',
  '/a%2509b',
  '/a%3F//evil.example',
  '/.%252F%252Fevil.example',
  '/a%25252525252520b',
  'https:evil.example',
  'https:/evil.example',
  'https://evil.example',
  'HTTPS://evil.example',
  'https:\\\\evil.example',
  'http://localhost.evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'blob:https://app.example/x',
  'vbscript:x',
  'file:///etc/passwd',
  '／／evil.example',
  '@evil.example',
  `/${'x'.repeat(2_048)}`,
];

/** The query of a log-in page. */
const queryOf = (returnTo: string) => `?return_to=${encodeURIComponent(returnTo)}`;

describe('readReturnTo', () => {
  inOneTest(LOCAL)('gives the path %j', (path) => {
    expect(readReturnTo(DEFAULT, queryOf(path))).toBe(path);
    const resolved = new URL(path, 'https://app.example/login');
    expect(resolved.origin).toBe('https://app.example');
    // A link that is made of its path stays on the origin, too.
    expect(new URL(resolved.pathname, resolved).origin).toBe('https://app.example');
  });

  inOneTest(FOREIGN)('gives the default in place of %j', (path) => {
    expect(readReturnTo(DEFAULT, queryOf(path))).toBe(DEFAULT);
  });

  it('gives the default in place of every spelling before a host', () => {
    const marks = [
      '/',
      '\\',
      '\t',
      '\n',
      '\r',
      ' ',
      '.',
      '..',
      '\0',
      'https:',
      'javascript:',
      '%2f',
      '%5C',
      '%09',
      '@',
      ':',
    ];
    const local = new URL('https://app.example/login');
    for (const first of marks) {
      for (const second of marks) {
        for (const third of ['', ...marks]) {
          const wanted = `${first}${second}${third}evil.example`;
          const given = readReturnTo(DEFAULT, queryOf(wanted));
          const { origin, pathname } = new URL(given, local);
          const decoded = decodeURIComponent(pathname);
          const origins = [origin, new URL(pathname, local).origin, new URL(decoded, local).origin];
          expect(origins, JSON.stringify(wanted)).toEqual(Array(3).fill(local.origin));
        }
      }
    }
  });

  it('gives the default where the parameter is missing, and judges the first of several', () => {
    for (const query of ['', '?', '?x=/a', '?return_to', '?RETURN_TO=/a', '?return_to[]=/a']) {
      expect(readReturnTo(DEFAULT, query)).toBe(DEFAULT);
    }
    expect(readReturnTo(DEFAULT, '?return_to=/a&return_to=//evil.example')).toBe('/a');
    expect(readReturnTo(DEFAULT, '?return_to=//evil.example&return_to=/a')).toBe(DEFAULT);
    expect(readReturnTo(DEFAULT, '?return_to=/a%3Fb%3Dc%26d')).toBe('/a?b=c&d');
  });

  inOneTest(['', 'home', '//home', 'https://app.example/', '/a\\b', undefined, null])(
    'refuses the default %j',
    (byDefault) => {
      expect(() => readReturnTo(byDefault as string, '')).toThrow(
        new TypeError('byDefault must be a path of this origin'),
      );
    },
  );

  it('needs the query where there is no page', () => {
    expect(() => readReturnTo(DEFAULT)).toThrow(/^readReturnTo needs a page/);
    expect(() => goToLogin('/login')).toThrow(/^goToLogin needs a page/);
  });
});

describe.skipIf(chromiumSkipped)('the way to the log-in page and back, in Chromium', BROWSER_TIMEOUT, () => {
  let context: BrowserContext;
  let files: PageFiles;

  beforeAll(async () => {
    files = await pageFiles();
    context = await openContext();
  });
  afterAll(() => context.close());

  /** A page of any path, with the client in it. */
  async function openedAt(path: string) {
    const server = await listen((request, response) => {
      serveFile(files, request.url === '/client.js' ? request.url : '/login', response);
    });
    const page = await context.newPage();
    await page.goto(server.origin + path);
    const imported = (call: string) => page.evaluate(`import('/client.js').then((client) => client.${call})`);
    // A page that leaves may answer no evaluation any more: where it went to is what counts.
    const left = (call: string) =>
      Promise.all([page.waitForURL('**/login**'), imported(call).catch(() => undefined)]);
    return { page, imported, left, origin: server.origin };
  }

  it('goes to the log-in page and comes back to path, query and fragment', async () => {
    const { page, imported, left, origin } = await openedAt('/orders/7?tab=a%26b#total');
    await left("goToLogin('/login?from=app')");
    expect(page.url()).toBe(`${origin}/login?from=app&return_to=%2Forders%2F7%3Ftab%3Da%2526b%23total`);
    const back = await imported("readReturnTo('/home')");
    expect(back).toBe('/orders/7?tab=a%26b#total');
    await page.evaluate(`location.assign(${JSON.stringify(back)})`);
    await page.waitForURL(`${origin}/orders/7?tab=a%26b#total`);
  });

  it('names no place to return to where the present path could be taken for a host', async () => {
    const { page, left, origin } = await openedAt('//evil.example/');
    await left("goToLogin('/login')");
    expect(page.url()).toBe(`${origin}/login`);
  });

  it('refuses a log-in page of another origin', async () => {
    const { imported } = await openedAt('/');
    await expect(imported("goToLogin('//evil.example/login')")).rejects.toThrow('loginPath must be a path');
  });

  it('resolves no spelling to another origin', async () => {
    const { page, imported, origin } = await openedAt('/login');
    for (const wanted of [...FOREIGN, ...LOCAL]) {
      // Changes the address without any request, even to an address that is hostile.
      await page.evaluate(`history.replaceState(null, '', ${JSON.stringify(`/login${queryOf(wanted)}`)})`);
      const resolved = await imported("readReturnTo('/home')").then((path) =>
        page.evaluate(`new URL(${JSON.stringify(path)}, location.href).origin`),
      );
      expect(resolved, wanted).toBe(origin);
    }
  });
});

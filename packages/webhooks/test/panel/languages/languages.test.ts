import { describe, expect, it, vi } from 'vitest';
import { createAdminPanel } from '../../../src/panel/admin-panel.ts';
import type { AdminPanelOptions } from '../../../src/panel/panel-options.ts';

const ORIGIN = 'http://app.example.com';
const SCRIPT = /<script defer src="(\/admin\/webhooks\/assets\/([\w-]+)-[\w-]{8}\.js)"><\/script>/;

/** A panel whose visitors say their language in a header, and what it logs. */
function panelOf(options: Partial<AdminPanelOptions>) {
  const logged: [string, object, string][] = [];
  const log = (level: string) => (fields: object, message: string) => logged.push([level, fields, message]);
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  const panel = createAdminPanel({
    apiPath: '/api/admin/webhooks',
    logger,
    language: ({ headers }) => headers.get('x-language') ?? undefined,
    ...options,
  });
  const get = (path: string, language?: string) =>
    panel(new Request(ORIGIN + path, language === undefined ? {} : { headers: { 'x-language': language } }));
  const page = async (language?: string) => (await get('/admin/webhooks', language)).text();
  return { get, page, logged };
}

const head = (html: string) => ({
  lang: /<html lang="([^"]*)"/.exec(html)?.[1],
  script: SCRIPT.exec(html)?.[2],
});

describe('the language of a page', () => {
  it('is the one that the host names for its request', async () => {
    const { get, page } = panelOf({});
    const german = await page('de');
    expect(head(german)).toEqual({ lang: 'de', script: 'de' });
    expect(german).toContain('Wird geladen');
    expect(head(await page())).toEqual({ lang: 'en', script: undefined });
    const missing = await get('/admin/webhooks/nothing', 'de');
    expect(missing.headers.get('cache-control')).toBe('no-store');
    expect(await missing.text()).toContain('<h1>Nicht gefunden</h1>');
  });

  it('is that of the pages without the app, too', async () => {
    const { get } = panelOf({ authorize: () => null });
    expect(await (await get('/admin/webhooks', 'de')).text()).toContain('<h1>Nicht angemeldet</h1>');
  });

  it('has its texts in a script that is cached, before the app', async () => {
    const { get, page } = panelOf({ language: 'de' });
    const html = await page();
    const [tag = '', path = ''] = SCRIPT.exec(html) ?? [];
    expect(html.indexOf(tag)).toBeLessThan(html.indexOf('<script type="module"'));
    const script = await get(path);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(await script.text()).toMatch(/^globalThis\.panelTexts=\{.*"Wird geladen/);
  });

  it('takes the texts of a wider language, and keeps its own tag for dates and numbers', async () => {
    const { page } = panelOf({});
    expect(head(await page('de-at'))).toEqual({ lang: 'de-AT', script: 'de' });
    expect(head(await page('en-GB'))).toEqual({ lang: 'en-GB', script: undefined });
  });

  it('is English if nobody has texts of it', async () => {
    const { page, logged } = panelOf({});
    expect(head(await page('ja'))).toEqual({ lang: 'en', script: undefined });
    expect(head(await panelOf({ language: 'ja' }).page())).toEqual({ lang: 'en', script: undefined });
    expect(logged).toEqual([]);
  });

  it('is English if the tag is malformed, which the log says once', async () => {
    const { page, logged } = panelOf({});
    for (const tag of ['de_DE', `"><script>${'x'.repeat(100)}`, 'de_DE']) {
      expect(head(await page(tag))).toEqual({ lang: 'en', script: undefined });
    }
    const message = 'language of a page is no BCP 47 tag';
    expect(logged).toEqual([['warn', { language: 'de_DE', count: 1 }, message]]);
  });

  it('is English if the host’s function fails, which the log says', async () => {
    const refuse = () => Promise.reject(new Error('No session'));
    const { page, logged } = panelOf({ language: refuse });
    expect(head(await page('de'))).toEqual({ lang: 'en', script: undefined });
    expect(logged.map(([level, , message]) => [level, message])).toEqual([
      ['error', 'language of a page refused'],
    ]);
  });

  it('is English if the host’s function is late', async () => {
    vi.useFakeTimers();
    try {
      const { page } = panelOf({ language: () => new Promise(() => {}) });
      const html = page('de');
      await vi.advanceTimersByTimeAsync(10_000);
      expect(head(await html)).toEqual({ lang: 'en', script: undefined });
    } finally {
      vi.useRealTimers();
    }
  });

  it('is asked for pages only, and with what the framework gives', async () => {
    const asked: unknown[] = [];
    const panel = createAdminPanel({
      apiPath: '/api/admin/webhooks',
      language: (_request, native: { tongue: string }) => {
        asked.push(native);
        return native.tongue;
      },
    });
    const native = { tongue: 'de' };
    const html = await (await panel(new Request(`${ORIGIN}/admin/webhooks`), native)).text();
    expect(head(html).lang).toBe('de');
    await panel(new Request(ORIGIN + (SCRIPT.exec(html)?.[1] ?? '')), native);
    expect(asked).toEqual([native]);
  });
});

describe('the texts of a host', () => {
  const texts = {
    de: { document: { title: 'Haken' }, list: { title: 'Haken' } },
    'de-ch': { document: { title: 'Häklein' } },
    nl: { document: { loading: 'Laden…' } },
  };

  it('win over the built-in ones of their language, and of no other', async () => {
    const { page } = panelOf({ texts });
    const german = await page('de-AT');
    expect(german).toContain('<title>Haken</title>');
    expect(german).toContain('Wird geladen');
    expect(german).toContain('data-texts="{&quot;document&quot;:{&quot;title&quot;:&quot;Haken&quot;}');
    expect(await page('de-CH')).toContain('<title>Häklein</title>');
    expect(await page('en')).not.toContain('data-texts');
  });

  it('make a language known that is not built in; what they lack is English', async () => {
    const html = await panelOf({ texts }).page('nl-BE');
    expect(head(html)).toEqual({ lang: 'nl-BE', script: undefined });
    expect(html).toContain('<p>Laden…</p>');
    expect(html).toContain('<title>Webhooks</title>');
  });

  it.each([
    ['texts.document must have the BCP 47 tag', { document: { title: 'x' } }],
    ['texts.de_DE must have the BCP 47 tag', { de_DE: {} }],
    ['texts.de.documents is no section', { de: { documents: {} } }],
    ['texts must be an object by language', 'de'],
  ])('are refused if they cannot be meant: %s', (message, given) => {
    const create: (options: never) => unknown = createAdminPanel;
    const options = { apiPath: '/api/admin/webhooks', texts: given };
    expect(() => create(options as never)).toThrow(message);
  });
});

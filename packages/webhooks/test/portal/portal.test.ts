import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { createPortal } from '../../src/portal/portal.ts';
import type { AuthorizePortal } from '../../src/portal/portal-options.ts';

type Options = Parameters<typeof createPortal>[0];

const USER = { uid: '7', tenant: 'acme', scopes: ['webhooks'] };

function call(
  options: Partial<Options>,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const portal = createPortal({ apiPath: '/api/webhooks', ...options });
  return portal(new Request(`https://app.example.com${path}`, { headers }));
}

describe('the portal', () => {
  inOneTest(['/webhooks', '/webhooks/7', '/webhooks/deliveries', '/webhooks/events'])(
    'has a page at %s, which asks the customers’ API',
    async (path) => {
      const response = await call({}, path);
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await response.text()).toContain(
        '<div id="root" data-base-path="/webhooks" data-api-path="/api/webhooks"',
      );
    },
  );

  it('has no log-in page of its own', async () => {
    expect((await call({}, '/webhooks/login')).status).toBe(404);
    const withEndpoint = { apiPath: '/api/webhooks', loginEndpoint: '/login' };
    expect(() => createPortal(withEndpoint)).toThrow('createPortal: unknown option "loginEndpoint"');
  });

  it('lets nobody frame it unless an origin is named', async () => {
    const { headers } = await call({}, '/webhooks');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    const framed = await call({ frameAncestors: ['self'], embed: true }, '/webhooks');
    expect(framed.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    expect(framed.headers.get('x-frame-options')).toBeNull();
  });

  it('has a theme for each request', async () => {
    const theme = (request: Request) => ({ radius: Number(request.headers.get('x-radius')) });
    const portal = createPortal({ apiPath: '/api/webhooks', theme });
    const styles = ['4', '8'].map(async (radius) => {
      const request = new Request('https://app.example.com/webhooks', { headers: { 'x-radius': radius } });
      return /href="(\S+theme-\S+)"/.exec(await (await portal(request)).text())?.[1];
    });
    const [first, second] = await Promise.all(styles);
    expect(first).toMatch(/^\/webhooks\/assets\/theme-/);
    expect(second).not.toBe(first);
  });

  it('tells the console once of colours that it corrected, if the host has no logger', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    const theme = () => ({ light: { text: '#eeeeee' } });
    const portal = createPortal({ apiPath: '/api/webhooks', theme });
    for (const path of ['/webhooks', '/webhooks/events']) {
      await portal(new Request(`https://app.example.com${path}`));
    }
    const said = { tokens: expect.arrayContaining(['light.text']) };
    expect(warn.mock.calls).toEqual([[said, 'theme colours corrected to be legible']]);
  });

  it('says the name of the application, in the host’s texts, too', async () => {
    const texts = {
      en: { list: { lead: 'What {product} tells you.' }, document: { notFound: 'Not in {product}.' } },
    };
    const page = await (await call({ product: 'A & "B"', title: 'Shop', texts }, '/webhooks')).text();
    const written = /data-texts="([^"]+)"/
      .exec(page)?.[1]
      ?.replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    const read = JSON.parse(written ?? '');
    expect(read.list.lead).toBe('What A & "B" tells you.');
    expect(read.failureTitle.http).toBe('Your server answered HTTP {status}');
    expect(read.ui.contact).toBe('Contact A & "B"');
    expect(await (await call({ title: 'Shop', texts }, '/webhooks/none')).text()).toContain('Not in Shop.');
    expect(await (await call({}, '/webhooks')).text()).toContain('Contact this application');
  });

  it('speaks to customers in built-in languages, and English where the texts are the host’s', async () => {
    const written = async (language: string, texts: Options['texts'] = {}) => {
      const html = await (await call({ product: 'Shop', language, texts }, '/webhooks')).text();
      return html.replaceAll('&quot;', '"');
    };
    expect(await written('pt', { pt: { list: { lead: 'O que {product} diz.' } } })).toMatch(
      /O que Shop diz\..*Contact Shop|Contact Shop.*O que Shop diz\./,
    );
    const german = await written('de');
    expect(german).not.toContain('Contact Shop');
    expect(german).toContain('Ihr Server hat mit HTTP {status} geantwortet');
    expect(german).toContain('Alle Ereignisse, die Shop Ihnen senden kann');
  });

  inOneTest(['/help?from=webhooks', 'https://help.example.com/webhooks', 'mailto:help@example.com'])(
    'names %s as the place for help',
    async (supportUrl) => {
      expect(await (await call({ supportUrl }, '/webhooks')).text()).toContain(
        `data-support-url="${supportUrl}"`,
      );
    },
  );

  inOneTest([
    ['apiPath', { apiPath: 'api/webhooks' }],
    ['basePath must be a path such as /webhooks', { basePath: '/webhooks/' }],
    ['basePath /webhooks and apiPath /webhooks/api must not', { apiPath: '/webhooks/api' }],
    ['createPortal: texts must not be null', { texts: null }],
    ['createPortal: supportUrl must not be null', { supportUrl: null }],
    ['authorize', { authorize: true }],
    ['embed needs frameAncestors', { embed: true }],
    ['product', { product: '' }],
    ['product', { product: '{count}' }],
    ['product', { product: 'Shop\u202E' }],
    ['product', { title: '{time}' }],
    ['texts.pt.document.product', { texts: { pt: { document: { product: 'a {product}' } } } }],
    ['texts.en.document.product', { texts: { en: { document: { product: '{' } } } }],
    ['supportUrl', { supportUrl: 'javascript:alert(1)' }],
    ['supportUrl', { supportUrl: '//help.example.com' }],
    ['supportUrl', { supportUrl: 'mailto:help@example.com?bcc=all@example.com' }],
    ['supportUrl', { supportUrl: 7 }],
    [
      'texts.en.list.lead contains {shop}, which nothing fills',
      { texts: { en: { list: { lead: '{shop}' } } } },
    ],
  ])('refuses what cannot be meant, naming %s', (message, options) => {
    const create: (options: never) => unknown = createPortal;
    expect(() => create({ apiPath: '/api/webhooks', ...options } as never)).toThrow(message);
  });
});

describe('a guarded portal', () => {
  const refused = Object.assign(new Error('Not a customer'), { status: 403 });

  it('is shown to a user of a customer', async () => {
    expect((await call({ authorize: () => USER }, '/webhooks')).status).toBe(200);
  });

  it('sends who is not logged in to the application’s log-in, and back', async () => {
    const response = await call({ authorize: () => null, loginUrl: '/login' }, '/webhooks/7?tab=verify');
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/login?return_to=%2Fwebhooks%2F7%3Ftab%3Dverify');
  });

  it('does not open the log-in in a frame, but a link that leads out of it', async () => {
    const options = { authorize: () => null, loginUrl: '/login', frameAncestors: ['self'] };
    const response = await call(options, '/webhooks/7', { 'sec-fetch-dest': 'iframe' });
    expect(response.status).toBe(401);
    const link = '<a href="/login?return_to=%2Fwebhooks%2F7" target="_blank">Log in</a>';
    expect(await response.text()).toContain(link);
  });

  inOneTest([
    [401, 'Log in, then open this page again.', () => null],
    [403, 'Your account at this application may not manage webhooks.', () => Promise.reject(refused)],
    // What is forgotten opens nothing.
    [503, 'Your identity cannot be verified', () => ({ ...USER, tenant: '' })],
  ] satisfies [number, string, AuthorizePortal][])(
    'answers %i with a plain sentence: %s',
    async (status, sentence, authorize) => {
      const errors: object[] = [];
      const logger = { ...silentLogger, error: (fields: object) => void errors.push(fields) };
      const response = await call({ authorize, logger }, '/webhooks');
      const html = await response.text();
      expect(response.status).toBe(status);
      // Only that is the operator's business.
      expect(errors).toHaveLength(status === 503 ? 1 : 0);
      expect(html).toContain(sentence);
      expect(html).not.toContain('<script');
    },
  );
});

import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { words } from '../../../toolkit/test/words.ts';
import type { Authorize } from '../../src/admin/authorize.ts';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';
import type { AdminPanelOptions } from '../../src/panel/panel-options.ts';

const API = { apiPath: '/api/admin/webhooks' };

function call(options: Partial<AdminPanelOptions>, path: string, init: RequestInit = {}): Promise<Response> {
  return createAdminPanel({ ...API, ...options })(new Request(`http://app.example.com${path}`, init));
}

/** The files that the first page names, as a browser would fetch them. */
async function filesOfPage(basePath = '/admin/webhooks'): Promise<string[]> {
  const html = await (await call({ basePath }, basePath)).text();
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
}

describe('the pages', () => {
  inOneTest([
    '/admin/webhooks',
    '/admin/webhooks/7',
    '/admin/webhooks?search=x',
    '/admin/webhooks/9007199254740991',
    '/admin/webhooks/deliveries',
    '/admin/webhooks/events',
  ])('are one document at %s, never stored', async (path) => {
    const response = await call({}, path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain('<div id="root" data-base-path="/admin/webhooks"');
  });

  it('forbid every source but this origin’s files, with no unsafe word', async () => {
    const { headers } = await call({}, '/admin/webhooks');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it('carry neither an inline script nor an inline style', async () => {
    const html = await (await call({}, '/admin/webhooks')).text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|style=|\son\w+=/);
  });

  it('tell the app where it is and what to ask, escaped', async () => {
    const html = await (
      await call(
        {
          basePath: "/a'b/&hooks",
          statusUrl: '/status?a=1&b=2',
          loginUrl: "https://sso.example.com/?x='><script>alert(1)</script>",
        },
        "/a'b/&hooks",
      )
    ).text();
    expect(html).toContain('data-base-path="/a&#39;b/&amp;hooks"');
    expect(html).toContain('data-api-path="/api/admin/webhooks"');
    expect(html).toContain('data-status-url="/status?a=1&amp;b=2"');
    expect(html).toContain('&#39;&gt;&lt;script&gt;');
    expect(html).not.toContain('<script>');
  });

  it('leave out what there is not', async () => {
    const html = await (await call({}, '/admin/webhooks')).text();
    expect(html).not.toContain('data-status-url');
    expect(html).not.toContain('data-login-url');
  });

  inOneTest([
    ['/admin/webhooks/', '/admin/webhooks'],
    ['/admin/webhooks/7/', '/admin/webhooks/7'],
    ['/admin/webhooks/?search=x', '/admin/webhooks?search=x'],
  ])('redirect %s to its one spelling', async (path, target) => {
    const response = await call({}, path);
    expect(response.status).toBe(308);
    expect(response.headers.get('location')).toBe(target);
  });

  inOneTest(
    words(`
    /admin/webhooks/0 /admin/webhooks/07 /admin/webhooks/-1 /admin/webhooks/abc
    /admin/webhooks/7/deliveries /admin/webhooks// /admin/webhooks2 /admin / /admin/webhooks/assets/
    /admin/webhooks/assets/nothing.js /admin/webhooks/%37
  `),
  )('are not at %s', async (path) => {
    const response = await call({}, path);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).toContain('<a href="/admin/webhooks">');
  });

  it('are answered to HEAD without a body', async () => {
    const response = await call({}, '/admin/webhooks', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(300);
    expect(await response.text()).toBe('');
  });

  inOneTest(['POST', 'PUT', 'DELETE', 'OPTIONS'])('refuse %s', async (method) => {
    const response = await call({}, '/admin/webhooks', { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('the files', () => {
  it('are all there, under the base path, with their types', async () => {
    const types = new Map<string, string | null>();
    for (const path of await filesOfPage('/tools/hooks')) {
      const response = await call({ basePath: '/tools/hooks' }, path);
      expect(path).toMatch(/^\/tools\/hooks\/assets\/[A-Za-z-]+-[\w-]{8}\.(js|css|svg)$/);
      expect(response.status).toBe(200);
      types.set(path.split('.').at(-1) ?? '', response.headers.get('content-type'));
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(Object.fromEntries(types)).toEqual({
      js: 'text/javascript; charset=utf-8',
      css: 'text/css; charset=utf-8',
      svg: 'image/svg+xml',
    });
  });

  it('may be kept for ever, and are not sent again to who has them', async () => {
    for (const path of await filesOfPage()) {
      const first = await call({}, path);
      expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{22}"$/);
      for (const name of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await call({}, path, { headers: { 'if-none-match': name } });
        expect(again.status).toBe(304);
        expect(again.headers.get('etag')).toBe(etag);
        expect(await again.text()).toBe('');
      }
      const other = await call({}, path, { headers: { 'if-none-match': '"other"' } });
      expect(other.status).toBe(200);
    }
  });

  it('are compressed for who accepts it, under an ETag of their own', async () => {
    const path = (await filesOfPage()).find((file) => /main-[^/]*\.js$/.test(file)) ?? '';
    const plain = await call({}, path);
    const bytes = Buffer.from(await plain.arrayBuffer());
    expect(plain.headers.get('content-encoding')).toBeNull();
    const accepting = [
      ['gzip', 'gzip', gunzipSync],
      ['deflate, gzip;q=1.0, *;q=0.5', 'gzip', gunzipSync],
      ['br;q=0, GZIP;q=0.8', 'gzip', gunzipSync],
      ['gzip, deflate, BR', 'br', brotliDecompressSync],
      ['gzip;q=1.0, br;q=0.1', 'br', brotliDecompressSync],
    ] as const;
    for (const [accepted, coding, decompress] of accepting) {
      const response = await call({}, path, { headers: { 'accept-encoding': accepted } });
      expect(response.headers.get('content-encoding')).toBe(coding);
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(response.headers.get('etag')).not.toBe(plain.headers.get('etag'));
      const compressed = Buffer.from(await response.arrayBuffer());
      expect(compressed.length).toBeLessThan(bytes.length / 2);
      expect(decompress(compressed).equals(bytes)).toBe(true);
    }
    for (const refused of ['', 'zstd', 'gzip;q=0', 'br;q=0, gzip;q=0.000', 'x-gzip', '*']) {
      const response = await call({}, path, { headers: { 'accept-encoding': refused } });
      expect(response.headers.get('content-encoding')).toBeNull();
    }
  });

  it('are as they are with compress: false', async () => {
    const path = (await filesOfPage()).find((file) => file.endsWith('.js')) ?? '';
    const response = await call({ compress: false }, path, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toBe(await (await call({}, path)).text());
    expect(() => createAdminPanel({ apiPath: '/api', compress: 'no' as never })).toThrow(/^compress must be/);
  });

  it('are named by what is in them', async () => {
    for (const path of await filesOfPage()) {
      const response = await call({}, path);
      const hash = createHash('sha256')
        .update(await response.text())
        .digest('base64url')
        .slice(0, 22);
      expect(response.headers.get('etag')).toBe(`"${hash}"`);
    }
  });
});

describe('a panel in the look of its host', () => {
  const theme = { light: { accent: '#0B6E4F', logoUrl: '/images/logo.svg' } };
  const look = { title: 'Shop <1>', theme, backUrl: '/admin' };

  async function themePath(options: Partial<AdminPanelOptions>): Promise<string> {
    const html = await (await call(options, '/admin/webhooks')).text();
    return /\/admin\/webhooks\/assets\/theme-[\w-]+\.css/.exec(html)?.[0] ?? '';
  }

  it('carries its theme in a stylesheet that is served and cached like the others', async () => {
    const path = await themePath(look);
    const response = await call(look, path);
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(await response.text()).toContain('--mantine-color-indigo-filled: #0b6e4f;');
    expect((await call({}, path)).status).toBe(404);
  });

  it('tells the app its title and its ways, escaped', async () => {
    const html = await (await call(look, '/admin/webhooks')).text();
    expect(html).toContain(
      'data-title="Shop &lt;1&gt;" data-logo-url="/images/logo.svg" data-dark-logo-url="/images/logo.svg" data-back-url="/admin"',
    );
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|style=/);
  });

  it('has a theme for each request, whose stylesheet every process serves', async () => {
    const logger = recordingLogger();
    const options = {
      logger,
      theme: async (request: Request, native: unknown) => {
        expect(native).toBe('native');
        const accent = request.headers.get('x-accent');
        return accent === null ? undefined : { light: { accent } };
      },
    };
    const asks = (path: string, headers: Record<string, string> = {}) =>
      createAdminPanel({ ...API, ...options })(
        new Request(`http://app.example.com${path}`, { headers }),
        'native',
      );
    const html = await (await asks('/admin/webhooks', { 'x-accent': '#ff5722' })).text();
    const [path = ''] = /\/admin\/webhooks\/assets\/theme-[\w-]+\.css/.exec(html) ?? [];
    expect(await (await asks(path, { 'x-accent': '#ff5722' })).text()).toContain('#ff5722');
    expect((await asks(path, { 'x-accent': '#0b6e4f' })).status).toBe(404);
    expect(await (await asks('/admin/webhooks')).text()).not.toContain('theme-');
    expect(await (await asks('/admin/webhooks', { 'x-accent': 'red' })).text()).not.toContain('theme-');
    expect(logger.messages.at(-1)).toBe('theme of a page refused');
  });

  it('asks for the theme of a request only where a stylesheet of one is wanted', async () => {
    let asked = 0;
    const panel = createAdminPanel({
      ...API,
      theme() {
        asked += 1;
        return undefined;
      },
    });
    for (const path of ['/wp-login.php', '/.env', '/assets/none.js', '/assets/theme-x.js']) {
      await panel(new Request(`http://app.example.com/admin/webhooks${path}`));
    }
    expect(asked).toBe(0);
  });

  it('says once that a theme was corrected, also after it was forgotten among others', async () => {
    const logger = recordingLogger();
    const theme = ({ headers }: Request) => ({
      light: { text: '#eeeeee' },
      radius: Number(headers.get('x-radius')),
    });
    const panel = createAdminPanel({ ...API, logger, theme });
    const radii = Array.from({ length: 240 }, (_, index) => String(index / 10));
    for (const radius of [...radii, ...radii]) {
      await panel(new Request('http://app.example.com/admin/webhooks', { headers: { 'x-radius': radius } }));
    }
    expect(logger.messages).toHaveLength(radii.length);
  });

  it('fixes the scheme of its pages', async () => {
    const html = await (await call({ colorScheme: 'dark' }, '/admin/webhooks')).text();
    expect(html).toContain('data-color-scheme="dark">');
    expect(html).toContain('<meta name="color-scheme" content="dark">');
  });

  it('names who may frame it, and only then', async () => {
    const frameAncestors = ['self', 'https://app.example.com'];
    const { headers } = await call({ frameAncestors }, '/admin/webhooks');
    expect(headers.get('content-security-policy')).toContain(
      "frame-ancestors 'self' https://app.example.com",
    );
    expect(headers.get('x-frame-options')).toBeNull();
  });
});

describe('a guarded panel', () => {
  const admin = { uid: '1', scopes: ['admin:webhooks'] };
  const guarded = (authorize: Authorize, loginUrl?: string) => ({ authorize, loginUrl });

  it('is shown to administrators of webhooks', async () => {
    const response = await call(
      guarded(() => admin),
      '/admin/webhooks',
    );
    expect(response.status).toBe(200);
  });

  it('gives its files also to a page whose session has ended', async () => {
    const [file = ''] = (await filesOfPage()).filter((path) => path.endsWith('.js'));
    const asset = await call(
      guarded(() => null, '/login'),
      file,
    );
    expect(asset.status).toBe(200);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('sends who is not logged in to the log-in and back', async () => {
    const response = await call(
      guarded(() => null, '/admin/login?theme=dark'),
      '/admin/webhooks/7?delivery=ab',
    );
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(
      '/admin/login?theme=dark&return_to=%2Fadmin%2Fwebhooks%2F7%3Fdelivery%3Dab',
    );
  });

  inOneTest([
    [401, () => null],
    [403, () => ({ uid: '1', scopes: ['admin'] })],
    [
      503,
      (): never => {
        throw new Error('the database is away');
      },
    ],
  ] satisfies [number, Authorize][])(
    'answers %i, without the app and its reason',
    async (status, authorize) => {
      const response = await call(guarded(authorize), '/admin/webhooks');
      const html = await response.text();
      expect(response.status).toBe(status);
      expect(html).not.toContain('<script');
      expect(html).not.toContain('database');
    },
  );
});

describe('the log-in page of the panel', () => {
  const LOGIN = { loginEndpoint: '/api/admin/auth/login?from=panel&x=1' };

  it('is there only with loginEndpoint', async () => {
    expect((await call({ loginUrl: '/admin/login' }, '/admin/webhooks/login')).status).toBe(404);
    const response = await call(LOGIN, '/admin/webhooks/login?return_to=%2Fadmin');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const slashed = await call(LOGIN, '/admin/webhooks/login/?return_to=%2Fadmin');
    expect(slashed.headers.get('location')).toBe('/admin/webhooks/login?return_to=%2Fadmin');
  });

  it('is where every page sends visitors without a session', async () => {
    const html = await (await call({ ...LOGIN, basePath: '/tools/hooks' }, '/tools/hooks/7')).text();
    expect(html).toContain('data-login-url="/tools/hooks/login"');
    expect(html).toContain('data-login-endpoint="/api/admin/auth/login?from=panel&amp;x=1"');
  });

  it('is open with its files although the other pages are guarded', async () => {
    const guarded = { ...LOGIN, authorize: () => null };
    const refused = await call(guarded, '/admin/webhooks/7');
    expect(refused.status).toBe(303);
    expect(refused.headers.get('location')).toBe('/admin/webhooks/login?return_to=%2Fadmin%2Fwebhooks%2F7');
    expect((await call(guarded, '/admin/webhooks/login')).status).toBe(200);
    for (const path of await filesOfPage()) {
      const file = await call(guarded, path);
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('is only read: the log-in is sent elsewhere', async () => {
    expect((await call(LOGIN, '/admin/webhooks/login', { method: 'POST' })).status).toBe(405);
  });
});

describe('createAdminPanel', () => {
  it('takes a title in any script, and URLs of other hosts with a query', () => {
    const loginUrl = 'https://sso.example.com:8443/login?realm=a%20b&client=%C3%BC';
    const look = { title: 'متجر 🛒', backUrl: 'https://app.example.com' };
    expect(createAdminPanel({ ...API, ...look, loginUrl }).basePath).toBe('/admin/webhooks');
  });

  it('says where it lives', () => {
    expect(createAdminPanel(API).basePath).toBe('/admin/webhooks');
    expect(createAdminPanel({ ...API, basePath: '/x' }).basePath).toBe('/x');
  });

  inOneTest([
    ['apiPath', {}],
    ['apiPath', { apiPath: 'api' }],
    ['apiPath', { apiPath: 'https://api.example.com/webhooks' }],
    ['apiPath', { apiPath: '//api.example.com' }],
    ['apiPath', { apiPath: '/api/' }],
    ['basePath', { ...API, basePath: '/' }],
    ['basePath', { ...API, basePath: '/a/../b' }],
    ['basePath', { ...API, basePath: 7 }],
    ['must not be the same, nor one below the other', { ...API, basePath: API.apiPath }],
    ['must not be the same, nor one below the other', { ...API, basePath: `${API.apiPath}/panel` }],
    ...['basePath', 'texts', 'language', 'logger', 'compress', 'authorize', 'loginEndpoint'].map(
      (name): [string, object] => [`${name} must not be null`, { ...API, [name]: null }],
    ),
    ['statusUrl', { ...API, statusUrl: 'https://other.example.com/status' }],
    ['loginUrl', { ...API, loginUrl: 'javascript:alert(1)' }],
    ['loginUrl', { ...API, loginUrl: '//other.example.com' }],
    ['loginUrl', { ...API, loginUrl: '/login#x' }],
    ['loginUrl', { ...API, loginUrl: 'https://sso.example.com/login#x' }],
    ['loginUrl', { ...API, loginUrl: 'https://user@sso.example.com/login' }],
    ['loginUrl', { ...API, loginUrl: 'https://:secret@sso.example.com/login' }],
    ['loginUrl', { ...API, loginUrl: 'https://sso.example.com\\@other.example.com' }],
    ['loginUrl', { ...API, loginUrl: 'https://\\other.example.com' }],
    ['loginUrl', { ...API, loginUrl: 'https://sso.example.com/\nlogin' }],
    ['loginUrl', { ...API, loginUrl: 'https://sso.example.com/ login' }],
    ['loginUrl', { ...API, loginUrl: 'https://sso.example.com/anmeldung/ü' }],
    ['loginUrl', { ...API, loginUrl: '/login\r\n' }],
    ['loginEndpoint', { ...API, loginEndpoint: 'https://sso.example.com/login' }],
    ['loginEndpoint', { ...API, loginEndpoint: 7 }],
    ['/admin/webhooks/login', { ...API, loginEndpoint: '/admin/webhooks/login' }],
    ['loginUrl and loginEndpoint exclude each other', { ...API, loginUrl: '/a', loginEndpoint: '/b' }],
    ['title', { ...API, title: '' }],
    ['title', { ...API, title: 'x'.repeat(61) }],
    ['title', { ...API, title: 'Shop\n' }],
    ['title', { ...API, title: 'Shop \u202Etxt.exe' }],
    ['title', { ...API, title: 'Sh\u2028op' }],
    ['title', { ...API, title: 'Shop \uD800' }],
    ['theme.light.logoUrl', { ...API, theme: { light: { logoUrl: `/${'x'.repeat(2_048)}` } } }],
    ['colorScheme', { ...API, colorScheme: 'sepia' }],
    ['frameAncestors', { ...API, frameAncestors: ['*'] }],
    ['frameAncestors', { ...API, frameAncestors: ['https://*.example.com'] }],
    ['frameAncestors', { ...API, frameAncestors: ['https://a;sandbox'] }],
    ['frameAncestors', { ...API, frameAncestors: ["https://a.example; script-src 'unsafe-inline'"] }],
    ['frameAncestors', { ...API, frameAncestors: 'self' }],
    ['frameAncestors', { ...API, frameAncestors: Array(65).fill('self') }],
    ['embed needs frameAncestors', { ...API, embed: true }],
    ['logger', { ...API, logger: console.log }],
    ['backUrl', { ...API, backUrl: 'javascript:alert(1)' }],
    ['backUrl', { ...API, backUrl: 'http://app.example.com' }],
    ['backUrl', { ...API, backUrl: 'https://user:secret@app.example.com' }],
    ['backUrl', { ...API, backUrl: 'https://app.example.com/\u202E' }],
    ['logoutUrl', { ...API, logoutUrl: 'https://sso.example.com/logout' }],
    ['authorize', { ...API, authorize: true }],
    ['unknown option "apiUrl"', { ...API, apiUrl: '/api' }],
  ])('refuses what cannot be meant, naming %s', (name, options) => {
    const create: (options: never) => unknown = createAdminPanel;
    expect(() => create(options as never)).toThrow(TypeError);
    expect(() => create(options as never)).toThrow(name);
  });
});

function recordingLogger() {
  const messages: string[] = [];
  const log = (_fields: object, message: string) => messages.push(message);
  return { messages, debug: log, info: log, warn: log, error: log };
}

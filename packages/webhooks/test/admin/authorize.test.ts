import { describe, expect, it } from 'vitest';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import type { AdminApiOptions } from '../../src/admin/admin-options.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { ADMIN, caller, engineOn, HOOK_URL, startAdmin } from './admin-harness.ts';
import { everyRequest } from './routes/every-request.ts';

const HEX = '0123456789abcdef0123456789abcdef';
/** Every route, and paths that are none. */
const REQUESTS: [string, string][] = [
  ...everyRequest(HEX).map(({ method, path }): [string, string] => [method, path]),
  ['HEAD', '/1'],
  ['GET', '/999'],
  ['GET', '/nothing/here'],
  ['PATCH', '/1'],
  ['OPTIONS', '/1'],
  ['GET', '?limit=nonsense'],
];

async function startWith(authorize: AdminApiOptions['authorize'], options: Partial<AdminApiOptions> = {}) {
  const webhooks = engineOn(memoryStorage());
  await webhooks.create({ url: HOOK_URL });
  return { webhooks, call: caller(createAdminApi(webhooks, { authorize, ...options })) };
}

function rejecting(error: unknown): AdminApiOptions['authorize'] {
  return async () => {
    throw error;
  };
}

/** As a row that is loaded when it is looked at, and cannot be. */
const unreadable = new Proxy(
  {},
  {
    has: () => {
      throw new Error('connection lost');
    },
  },
) as never;

describe('authorisation', () => {
  const coded = (status: unknown, code?: unknown) =>
    Object.assign(new Error('token of alice expired'), { status, code });

  it.each<[string, unknown, number, string]>([
    ['nobody', async () => null, 401, 'unauthenticated'],
    ['nothing', async () => undefined, 401, 'unauthenticated'],
    ['an error of status 401', rejecting(coded(401)), 401, 'unauthenticated'],
    ['an error of status 403', rejecting(coded(403)), 403, 'forbidden'],
    ['an error of status 401 with a code', rejecting(coded(401, 'token_expired')), 401, 'token_expired'],
    ['an error of status 403 with a code', rejecting(coded(403, 'cross_site')), 403, 'cross_site'],
    ['an error whose code is a sentence', rejecting(coded(401, 'bad key hunter2')), 401, 'unauthenticated'],
    ['an error whose code is a number', rejecting(coded(401, 7)), 401, 'unauthenticated'],
    ['an error of status 503 with a code', rejecting(coded(503, 'x')), 503, 'authorization_unavailable'],
    ['an error of status 503', rejecting(coded(503)), 503, 'authorization_unavailable'],
    ['an error of status 200', rejecting(coded(200)), 503, 'authorization_unavailable'],
    ['an error of status 404', rejecting(coded(404)), 503, 'authorization_unavailable'],
    ['an error of status "401"', rejecting(coded('401')), 503, 'authorization_unavailable'],
    ['an error without status', rejecting(new Error('db down')), 503, 'authorization_unavailable'],
    ['a thrown string', rejecting('no'), 503, 'authorization_unavailable'],
    ['a thrown null', rejecting(null), 503, 'authorization_unavailable'],
    ['an actor that cannot be looked at', async () => unreadable, 503, 'authorization_unavailable'],
    ['an error that cannot be looked at', rejecting(unreadable), 503, 'authorization_unavailable'],
    [
      'a synchronous throw',
      () => {
        throw coded(401);
      },
      401,
      'unauthenticated',
    ],
    ['true', async () => true, 503, 'authorization_unavailable'],
    ['false', async () => false, 503, 'authorization_unavailable'],
    ['an empty object', async () => ({}), 503, 'authorization_unavailable'],
    [
      'scopes as text',
      async () => ({ uid: '1', scopes: 'admin:webhooks' }),
      503,
      'authorization_unavailable',
    ],
    [
      'scopes of a wrong kind',
      async () => ({ uid: '1', scopes: [1, 'admin:webhooks'] }),
      503,
      'authorization_unavailable',
    ],
    [
      'a number as uid',
      async () => ({ uid: 1, scopes: ['admin:webhooks'] }),
      503,
      'authorization_unavailable',
    ],
    ['no scopes', async () => ({ uid: '1', scopes: [] }), 403, 'insufficient_scope'],
    ['the scope admin', async () => ({ uid: '1', scopes: ['admin'] }), 403, 'insufficient_scope'],
    ['a wildcard', async () => ({ uid: '1', scopes: ['admin:*', '*'] }), 403, 'insufficient_scope'],
    [
      'the scope in capitals',
      async () => ({ uid: '1', scopes: ['Admin:Webhooks'] }),
      403,
      'insufficient_scope',
    ],
    [
      'a longer scope',
      async () => ({ uid: '1', scopes: ['admin:webhooks:read', ' admin:webhooks'] }),
      403,
      'insufficient_scope',
    ],
  ])(
    'that answers %s lets no request through and tells them nothing apart',
    async (_, authorize, status, code) => {
      const { call, webhooks } = await startWith(authorize as AdminApiOptions['authorize']);
      const answers = new Set<string>();
      for (const [method, path] of REQUESTS) {
        const answer = await call(
          method,
          path,
          method === 'PUT' || method === 'POST' ? { body: { url: HOOK_URL } } : {},
        );
        expect(answer.status).toBe(status);
        expect(answer.headers.get('allow')).toBeNull();
        if (method === 'HEAD') continue;
        expect(answer.json.code).toBe(code);
        answers.add(answer.text);
      }
      expect(answers.size).toBe(1);
      expect([...answers].join()).not.toMatch(/alice|db down/);
      expect((await webhooks.list()).total).toBe(1);
      expect((await webhooks.deliveries(1)).deliveries).toEqual([]);
    },
  );

  it('is challenged as RFC 6750 says', async () => {
    const { call } = startAdmin();
    const nobody = await call('GET', '', { actor: null });
    expect(nobody.headers.get('www-authenticate')).toBe('Bearer');
    const weak = await call('GET', '', { actor: { uid: '1', scopes: ['admin'] } });
    expect(weak.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="admin:webhooks"',
    );
    const down = await startWith(rejecting(new Error()));
    expect((await down.call('GET', '')).headers.get('retry-after')).toBe('5');
  });

  it('is asked before the body is read', async () => {
    const { call } = startAdmin();
    let pulled = false;
    const pull = () => {
      pulled = true;
    };
    const raw = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    expect((await call('POST', '', { raw, actor: null })).status).toBe(401);
    expect(pulled).toBe(false);
  });

  it.each<[string, (request: Request) => Promise<unknown>]>([
    ['has read the body', (request) => request.text()],
    ['holds the body', async ({ body }) => body?.getReader()],
  ])('that %s is 503 with the cause in the log', async (_, readBody) => {
    const logged: unknown[] = [];
    const log = (fields: object) => void logged.push(fields);
    const { call } = await startWith(
      async (request) => {
        await readBody(request);
        return ADMIN;
      },
      { logger: { debug: log, info: log, warn: log, error: log } },
    );
    const answer = await call('POST', '', { body: { url: HOOK_URL } });
    expect([answer.status, answer.json.code]).toEqual([503, 'authorization_unavailable']);
    expect(logged).toMatchObject([
      { error: { message: expect.stringMatching(/authorize must not read it/) }, method: 'POST' },
    ]);
    expect((await call('GET', '')).status).toBe(200);
  });

  it('may read a copy of the body', async () => {
    const { call } = await startWith(async (request) => {
      await request.clone().text();
      return ADMIN;
    });
    expect((await call('POST', '', { body: { url: HOOK_URL } })).status).toBe(201);
  });

  it('sees the request with its headers', async () => {
    const seen: string[] = [];
    const { call } = await startWith((request) => {
      seen.push(`${request.method} ${request.headers.get('cookie')}`);
      return ADMIN;
    });
    await call('GET', '', { headers: { cookie: 'access_token=x' } });
    expect(seen).toEqual(['GET access_token=x']);
  });

  it('that fails is logged, without the credential', async () => {
    const logged: object[] = [];
    const log = (fields: object) => logged.push(fields);
    const error = new Error('db down');
    const { call } = await startWith(rejecting(error), {
      logger: { debug: log, info: log, warn: log, error: log },
    });
    await call('GET', '', { headers: { authorization: 'Bearer hunter2' } });
    expect(logged).toEqual([
      {
        error: { name: 'Error', message: 'db down', stack: expect.stringMatching(/^\s+at /) },
        code: 'authorization_unavailable',
        method: 'GET',
      },
    ]);
  });
});

describe('a request from another site', () => {
  const ours = 'http://admin.example.com';
  const cookie = 'access_token=x';

  it.each<[Record<string, string>, boolean]>([
    [{ cookie }, true],
    [{ cookie, 'sec-fetch-site': 'same-origin' }, true],
    [{ cookie, 'sec-fetch-site': 'none' }, true],
    [{ cookie, 'sec-fetch-site': 'same-site' }, false],
    [{ cookie, 'sec-fetch-site': 'cross-site' }, false],
    [{ cookie, 'sec-fetch-site': '' }, false],
    [{ cookie, 'sec-fetch-site': 'Same-Origin' }, false],
    [{ cookie, 'sec-fetch-site': 'same-origin, cross-site' }, false],
    [{ cookie, 'sec-fetch-site': 'cross-site', origin: ours }, false],
    [{ cookie, 'sec-fetch-site': 'cross-site', origin: 'https://trusted.example.org' }, true],
    [{ cookie, 'sec-fetch-site': 'cross-site', origin: 'https://trusted.example.org.evil.example' }, false],
    [{ cookie, origin: ours }, true],
    [{ cookie, origin: 'https://admin.example.com' }, true],
    [{ cookie, origin: 'https://admin.example.com:8443' }, false],
    [{ cookie, origin: 'https://evil.example' }, false],
    [{ cookie, origin: 'null' }, false],
    [{ cookie, origin: '' }, false],
    [{ cookie, origin: 'https://proxy.example', host: 'proxy.example' }, true],
    [{ cookie, origin: 'https://proxy.example', host: 'Proxy.Example:443' }, true],
    [{ cookie, origin: 'https://proxy.example', host: 'proxy.example:80' }, false],
    [{ cookie, origin: 'https://proxy.example', host: 'proxy.example@evil.example' }, false],
    [{ cookie, origin: 'file://', host: '' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'https://evil.example', authorization: 'Basic YTpi' }, false],
    [{ origin: 'https://evil.example', authorization: 'Bearer key' }, true],
    [{ origin: 'https://evil.example', authorization: 'Bearer key', cookie }, false],
    [{ origin: 'https://evil.example', 'content-type': 'application/json', cookie }, false],
  ])('with %j may change things: %s', async (headers, passes) => {
    const { call, webhooks } = await startWith(() => ADMIN, {
      trustedOrigins: ['https://trusted.example.org'],
    });
    for (const [method, path, success] of [
      ['POST', '/1/test', 202],
      ['PUT', '/1', 200],
      ['POST', '', 201],
      ['DELETE', '/1', 204],
    ] as const) {
      const withBody = method === 'PUT' || path === '' ? { body: { url: HOOK_URL } } : {};
      const answer = await call(method, path, { headers, ...withBody });
      expect(answer.status).toBe(passes ? success : 403);
      if (!passes) expect(answer.json.code).toBe('cross_site');
    }
    expect((await webhooks.list()).total).toBe(1);
    expect((await call('GET', '', { headers })).status).toBe(200);
  });
});

describe('createAdminApi', () => {
  const webhooks = engineOn(memoryStorage());
  const authorize = () => ADMIN;

  it.each<[string, unknown]>([
    ['no options', undefined],
    ['null', null],
    ['no authorize', {}],
    ['authorize that is no function', { authorize: true }],
    ['an unknown option', { authorize, autorize: authorize }],
    ['a base path without a slash', { authorize, basePath: 'api' }],
    ['an empty base path', { authorize, basePath: '' }],
    ['the root', { authorize, basePath: '/' }],
    ['a trailing slash', { authorize, basePath: '/api/' }],
    ['a double slash', { authorize, basePath: '/api//x' }],
    ['dot segments', { authorize, basePath: '/api/../x' }],
    ['encoded dot segments', { authorize, basePath: '/api/%2e%2e/x' }],
    ['a query', { authorize, basePath: '/api?x' }],
    ['a space', { authorize, basePath: '/a b' }],
    ['a base path that is no text', { authorize, basePath: 7 }],
    ['trusted origins that are no list', { authorize, trustedOrigins: 'https://a.example' }],
    ['a wildcard origin', { authorize, trustedOrigins: ['*'] }],
    ['the null origin', { authorize, trustedOrigins: ['null'] }],
    ['an origin with a path', { authorize, trustedOrigins: ['https://a.example/'] }],
  ])('refuses %s', (_, options) => {
    expect(() => createAdminApi(webhooks, options as AdminApiOptions)).toThrow(TypeError);
  });

  it('refuses to be made without an engine', () => {
    expect(() => createAdminApi(undefined as never, { authorize })).toThrow(TypeError);
  });

  it('says where it lives', () => {
    expect(createAdminApi(webhooks, { authorize }).basePath).toBe('/api/admin/webhooks');
  });
});

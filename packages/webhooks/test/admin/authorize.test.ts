import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import type { AdminApiOptions } from '../../src/admin/admin-options.ts';
import type { AdminActor, Authorize } from '../../src/admin/authorize.ts';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';
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

const coded = (status: unknown, code?: unknown) =>
  Object.assign(new Error('token of alice expired'), { status, code });

type Refused = readonly [what: string, authorize: unknown, status: number, code: string];

/** Ways in which the host's function fails. */
const FAILURES: readonly Refused[] = [
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
  ['an error that cannot be looked at', rejecting(unreadable), 503, 'authorization_unavailable'],
  [
    'a synchronous throw',
    () => {
      throw coded(401);
    },
    401,
    'unauthenticated',
  ],
];

/** What it may answer that is no administrator with the scope. */
const ACTORS: readonly Refused[] = [
  ['nobody', async () => null, 401, 'unauthenticated'],
  ['nothing', async () => undefined, 401, 'unauthenticated'],
  ['an actor that cannot be looked at', async () => unreadable, 503, 'authorization_unavailable'],
  ['true', async () => true, 503, 'authorization_unavailable'],
  ['false', async () => false, 503, 'authorization_unavailable'],
  ['an empty object', async () => ({}), 503, 'authorization_unavailable'],
  ['scopes as text', async () => ({ uid: '1', scopes: 'admin:webhooks' }), 503, 'authorization_unavailable'],
  [
    'scopes of a wrong kind',
    async () => ({ uid: '1', scopes: [1, 'admin:webhooks'] }),
    503,
    'authorization_unavailable',
  ],
  ['a number as uid', async () => ({ uid: 1, scopes: ['admin:webhooks'] }), 503, 'authorization_unavailable'],
  ...['', 'x'.repeat(256), 'a\0', 'a\nb', 'a\u007f', '\ud800', 'a\u2028', 'a\u202eb', 'a\u2066b'].map(
    (uid): Refused => [
      `the uid ${JSON.stringify(uid.slice(0, 9))}`,
      async () => ({ uid, scopes: ['admin:webhooks'] }),
      503,
      'authorization_unavailable',
    ],
  ),
  [
    'more than a thousand scopes',
    async () => ({ uid: '1', scopes: Array.from({ length: 1_001 }, () => 'admin:webhooks') }),
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
];

describe('authorisation', () => {
  it.each([...FAILURES, ...ACTORS])(
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

const SECONDS = 1_000;
const handlers = {
  'the admin API': {
    url: 'http://admin.example.com/api/admin/webhooks',
    create: (authorize: Authorize, logger: typeof silent) =>
      createAdminApi(engineOn(memoryStorage()), { authorize, logger }),
  },
  'the panel': {
    url: 'http://admin.example.com/admin/webhooks',
    create: (authorize: Authorize, logger: typeof silent) =>
      createAdminPanel({ apiPath: '/api/admin/webhooks', authorize, logger }),
  },
};
const silent = { debug() {}, info() {}, warn() {}, error: (_fields: object, _message: string) => {} };

describe.each(Object.entries(handlers))('authorize of %s', (_, { url, create }) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  beforeEach(async () => {
    // The first page of a process reads its files, which no timer of the test moves.
    await create(() => null, silent)(new Request(url));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    process.on('unhandledRejection', note);
  });
  afterEach(() => {
    process.off('unhandledRejection', note);
    vi.useRealTimers();
    unhandled.length = 0;
  });

  it('that never answers is 503 after ten seconds, and not before', async () => {
    const handler = create(() => new Promise<never>(() => {}), silent);
    let response: Response | undefined;
    const answered = handler(new Request(url)).then((answer) => {
      response = answer;
      return answer;
    });
    await vi.advanceTimersByTimeAsync(10 * SECONDS - 1);
    expect(response).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    const { status, headers } = await answered;
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each<[string, (settle: PromiseWithResolvers<AdminActor | null>) => void]>([
    ['an administrator', ({ resolve }) => resolve(ADMIN)],
    ['a rejection', ({ reject }) => reject(new Error('late'))],
  ])('whose answer is %s, and late, changes nothing any more', async (_name, settle) => {
    const answer = withResolvers<AdminActor | null>();
    const handler = create(() => answer.promise, silent);
    const responding = handler(new Request(url));
    await vi.advanceTimersByTimeAsync(10 * SECONDS);
    expect((await responding).status).toBe(503);
    settle(answer);
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });

  it('that answers in time leaves no timer behind, whatever it answers', async () => {
    for (const authorize of [async () => ADMIN, () => null, () => Promise.reject(new Error('db down'))]) {
      await create(authorize, silent)(new Request(url));
      expect(vi.getTimerCount()).toBe(0);
    }
  });
});

it('makes no change for an administrator who is known too late, and the log says why', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const answer = withResolvers<AdminActor>();
    const logged: object[] = [];
    const webhooks = engineOn(memoryStorage());
    const logger = { ...silent, error: (fields: object) => void logged.push(fields) };
    const api = createAdminApi(webhooks, { authorize: () => answer.promise, logger });
    const body = JSON.stringify({ url: HOOK_URL });
    const headers = { 'content-type': 'application/json' };
    const responding = api(
      new Request('http://admin.example.com/api/admin/webhooks', { method: 'POST', headers, body }),
    );
    await vi.advanceTimersByTimeAsync(10 * SECONDS);
    const response = await responding;
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'authorization_unavailable' }),
    ]);
    answer.resolve(ADMIN);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await webhooks.list()).total).toBe(0);
    expect(logged).toMatchObject([
      { code: 'authorization_unavailable', error: { message: 'authorize has not answered within 10000 ms' } },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

interface PromiseWithResolvers<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(reason: unknown): void;
}

function withResolvers<Value>(): PromiseWithResolvers<Value> {
  let resolvers: Omit<PromiseWithResolvers<Value>, 'promise'> | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    resolvers = { resolve, reject };
  });
  if (resolvers === undefined) throw new Error('a promise runs its executor at once');
  return { promise, ...resolvers };
}

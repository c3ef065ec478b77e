import { describe, expect, it } from 'vitest';
import { generateApiKey, hashApiKey } from '../../src/api-keys/api-key.ts';
import type { ApiKeyValidator } from '../../src/api-keys/api-key-validator.ts';
import { createApiKeys } from '../../src/api-keys/api-keys.ts';
import { memoryApiKeyStore } from '../../src/api-keys/memory-api-key-store.ts';
import { type Auth, createAuth } from '../../src/auth.ts';
import { Claims } from '../../src/claims.ts';
import { AuthError, ErrInvalidToken, ErrTokenExpired } from '../../src/errors.ts';
import { authenticateAs } from '../../src/testing/claims-injection.ts';
import { fakeClock, START } from '../fake-clock.ts';
import { forgeToken, KEY } from '../tokens/forge-token.ts';
import type { Framework, Route, Started } from './framework.ts';
import { cookies, createGuardHarness, EXPIRED, OF_USERS, problemOf } from './guard-harness.ts';
import { OF_THE_HOST } from './headers-before.ts';

const { key, hash } = generateApiKey('acme');
const knowsKey: ApiKeyValidator = (asked) => (asked === hash ? { uid: 'key', scopes: ['read'] } : null);
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What every guard promises, whatever the framework, wherever it is mounted. */
export function guardContract<G>(framework: Framework<G>, prefix: string): void {
  const { requireAuth, requireScope, requireApiKey, requireAuthOrApiKey, requireSameOrigin } = framework;

  /** Serves one route, and notes the requests that reached its handler. */
  async function serveRoute(guards: readonly G[]) {
    const reached: string[] = [];
    const route: Route<G> = {
      path: '/x',
      guards,
      answer(claims) {
        reached.push('/x');
        return claims();
      },
    };
    const started = await framework.start({ prefix, routes: [route] });
    const ask = (headers: Record<string, string> = {}, method = 'GET') =>
      started.fetch(`${prefix}/x`, { method, headers });
    return { ...started, ask, reached };
  }

  describe('requireAuth', () => {
    it('passes the claims of a valid cookie to the handler', async () => {
      const { auth } = createGuardHarness();
      const { ask } = await serveRoute([requireAuth(auth)]);
      const response = await ask(cookies(forgeToken()));
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({
        uid: '42',
        scopes: ['admin'],
        audience: '/api/admin',
        issuedAt: START,
        expiresAt: START + 300,
      });
    });

    it.each([
      ['no cookie', {}, 'token_missing'],
      ['a cookie of another name', { cookie: 'refresh_token=x' }, 'token_missing'],
      ['an empty Cookie header', { cookie: '' }, 'token_missing'],
      ['a malformed Cookie header', { cookie: '=;=;%;access_token' }, 'token_missing'],
      ['an empty cookie', { cookie: 'access_token=' }, 'token_invalid'],
      ['no token', { cookie: 'access_token=garbage' }, 'token_invalid'],
      ['an expired token', cookies(EXPIRED), 'token_expired'],
      ['an unsigned token', cookies(forgeToken({ header: { alg: 'none' } })), 'token_invalid'],
      ['a token signed with another key', cookies(forgeToken({ key: `${KEY}!` })), 'token_invalid'],
      ['a token of another instance', cookies(OF_USERS), 'token_invalid'],
      ['a token as a bearer', { authorization: `Bearer ${forgeToken()}` }, 'token_missing'],
    ])('answers 401 to %s', async (_, headers, code) => {
      const { auth, logged } = createGuardHarness();
      const { ask, reached } = await serveRoute([requireAuth(auth)]);
      const response = await ask(headers);
      expect(response.status).toBe(401);
      const problem = await problemOf(response);
      expect(problem.code).toBe(code);
      expect(problem.challenge).toMatch(
        code === 'token_missing' ? /^Bearer realm="api"$/ : /^Bearer realm="api", error="invalid_token"/,
      );
      expect([reached, logged]).toEqual([[], []]);
    });

    it('answers HEAD and OPTIONS as any other method', async () => {
      const { auth } = createGuardHarness();
      const { ask, reached } = await serveRoute([requireAuth(auth)]);
      for (const method of METHODS) {
        const refused = await ask({}, method);
        expect([method, refused.status]).toEqual([method, 401]);
        expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="api"');
        expect(refused.headers.get('cache-control')).toBe('no-store');
        if (method === 'HEAD') expect(await refused.text()).toBe('');
      }
      expect(reached).toEqual([]);
      for (const method of METHODS) expect((await ask(cookies(forgeToken()), method)).status).toBe(200);
    });

    it('guards every spelling of the path it stands before', async () => {
      const { auth } = createGuardHarness();
      const reached: string[] = [];
      const answer = () => ({ reached: reached.push('reached') });
      const started = await framework.start({
        prefix,
        outer: [requireAuth(auth)],
        routes: ['/x', '/', '/X', '/x/'].map((path) => ({ path, guards: [], answer })),
      });
      const paths = [
        '/x',
        '/X',
        '/x/',
        '//x',
        '/./x',
        '/%2e/x',
        '/a/%2e%2e/x',
        '/%78',
        '/x;a=b',
        '/x?y',
        '/x%00',
      ];
      for (const path of paths) {
        for (const method of METHODS) {
          for (const headers of [{}, { 'x-http-method-override': 'GET' }, { 'x-original-url': '/login' }]) {
            const { status } = await started.fetch(prefix + path, { method, headers });
            expect([400, 401, 404], `${method} ${path}`).toContain(status);
          }
        }
      }
      expect(reached).toEqual([]);
    });

    it('guards the handler it is attached to, however the request finds it', async () => {
      const { auth } = createGuardHarness();
      const { fetch, reached } = await serveRoute([requireAuth(auth)]);
      const spellings = ['//x', '/%78', '/x/', '/X', '/x;a=b', '/a/../x', ';a=b/x'].map(
        (path) => prefix + path,
      );
      for (const path of [...spellings, `/${prefix}/x`, `${prefix.toUpperCase()}/x`]) {
        if (!path.startsWith('/')) continue;
        expect([400, 401, 404], path).toContain((await fetch(path)).status);
      }
      expect(reached).toEqual([]);
    });

    it('finds the one cookie of several that is its own', async () => {
      const { auth } = createGuardHarness();
      const { ask } = await serveRoute([requireAuth(auth)]);
      const own = forgeToken();
      for (const tokens of [
        [OF_USERS, own],
        [own, OF_USERS],
        [own, own],
        ['garbage', EXPIRED, OF_USERS, own],
      ]) {
        const response = await ask(cookies(...tokens));
        expect(await response.json()).toMatchObject({ uid: '42' });
      }
      const planted = forgeToken({ payload: { uid: '43' } });
      for (const tokens of [
        [own, planted],
        [own, 'a', 'b', 'c', 'd'],
        [OF_USERS, EXPIRED],
      ]) {
        expect((await ask(cookies(...tokens))).status).toBe(401);
      }
    });

    it('refuses what a page of another site sent', async () => {
      const { auth } = createGuardHarness({ trustedOrigins: ['https://app.example'] });
      const { ask, reached } = await serveRoute([requireAuth(auth)]);
      const own = cookies(forgeToken());
      const refused = [
        { origin: 'https://attacker.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: 'https://attacker.example' },
        { 'sec-fetch-site': 'cross-site', authorization: `Bearer ${key}` },
      ];
      for (const headers of refused) {
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          const response = await ask({ ...own, ...headers }, method);
          expect([method, response.status]).toEqual([method, 403]);
          expect((await problemOf(response)).code).toBe('cross_site');
        }
      }
      expect(reached).toEqual([]);
      for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }, { origin: 'https://app.example' }]) {
        expect((await ask({ ...own, ...headers }, 'POST')).status).toBe(200);
      }
      expect((await ask({ ...own, 'sec-fetch-site': 'cross-site' })).status).toBe(200);
    });

    it('answers 503 when the clock fails, and reports it', async () => {
      const { auth, logged } = createGuardHarness({ clock: () => Number.NaN });
      const { ask, reached } = await serveRoute([requireAuth(auth)]);
      const response = await ask(cookies(forgeToken()));
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await problemOf(response)).code).toBe('unavailable');
      expect([reached.length, logged.length]).toEqual([0, 1]);
    });

    it('lets nobody pass when the logger fails as well', async () => {
      const logger = {
        error() {
          throw new Error('disk is full');
        },
      };
      const { auth } = createGuardHarness({ clock: () => Number.NaN, logger });
      const { ask, reached } = await serveRoute([requireAuth(auth)]);
      expect((await ask(cookies(forgeToken()))).status).toBe(503);
      expect(reached).toEqual([]);
    });

    it('refuses with its own headers and the cookies of a middleware before it', async () => {
      const { auth } = createGuardHarness();
      const answer = () => {
        throw new AuthError('hashing_busy', 'busy');
      };
      const routes: Route<G>[] = [
        { path: '/x', guards: [requireAuth(auth)], answer },
        { path: '/busy', guards: [], answer },
      ];
      const { fetch } = await framework.start({ prefix, routes, before: OF_THE_HOST });
      for (const path of ['/x', '/busy']) {
        const refused = await fetch(prefix + path);
        expect((await problemOf(refused)).code).toBe(path === '/x' ? 'token_missing' : 'hashing_busy');
        expect(refused.headers.get('x-host')).toBe('kept');
        expect(refused.headers.getSetCookie()).toContain(OF_THE_HOST['set-cookie']);
      }
    });

    it('refuses what is no instance, at construction', () => {
      expect(() => requireAuth({} as never)).toThrow(TypeError);
      expect(() => requireSameOrigin(undefined as never)).toThrow(TypeError);
    });
  });

  describe('requireScope', () => {
    it('lets exactly the scope pass', async () => {
      const { auth } = createGuardHarness();
      const admin = await serveRoute([requireAuth(auth), requireScope('admin')]);
      expect((await admin.ask(cookies(forgeToken()))).status).toBe(200);
      const webhooks = await serveRoute([requireAuth(auth), requireScope('admin:webhooks')]);
      for (const method of METHODS) {
        const refused = await webhooks.ask(cookies(forgeToken()), method);
        expect(refused.status).toBe(403);
        expect(refused.headers.get('www-authenticate')).toMatch(
          /^Bearer realm="api", error="insufficient_scope".*, scope="admin:webhooks"$/,
        );
        if (method !== 'HEAD') expect((await problemOf(refused)).code).toBe('insufficient_scope');
      }
      expect(webhooks.reached).toEqual([]);
    });

    it('fails closed without a guard before it', async () => {
      const { ask, reached } = await serveRoute([requireScope('admin')]);
      const response = await ask(cookies(forgeToken()));
      expect(response.status).toBe(401);
      expect((await problemOf(response)).code).toBe('token_missing');
      expect(reached).toEqual([]);
    });

    it('judges the claims of the innermost guard', async () => {
      const { auth } = createGuardHarness();
      const users = createAuth({ signingKey: KEY, clock: fakeClock(), cookiePath: '/api' });
      const { ask } = await serveRoute([requireAuth(users), requireAuth(auth), requireScope('admin')]);
      const ofUser = forgeToken({ payload: { aud: '/api', uid: '7', scopes: ['admin'] } });
      expect(await (await ask(cookies(ofUser, forgeToken()))).json()).toMatchObject({ uid: '42' });
      expect((await ask(cookies(ofUser))).status).toBe(401);
    });

    it('of an instance refuses the claims of another, by whatever credential', async () => {
      const { auth } = createGuardHarness();
      const users = createAuth({ signingKey: KEY, clock: fakeClock(), cookiePath: '/api' });
      const ofUser = forgeToken({ payload: { aud: '/api', scopes: ['admin'] } });
      const userKeys = createApiKeys({ store: memoryApiKeyStore(), auth: users });
      const created = await userKeys.create(new Claims({ uid: '42', scopes: ['admin'] }), {
        name: 'x',
        scopes: ['admin'],
      });
      const byKey = { authorization: `Bearer ${created.key}` };
      const lookUp = () => ({ uid: '42', scopes: ['admin'] });
      for (const [guard, headers] of [
        [requireAuth(users), cookies(ofUser)],
        [requireApiKey(userKeys.validator), byKey],
        [requireAuthOrApiKey(users, userKeys.validator), byKey],
        [requireAuthOrApiKey(users, lookUp), byKey],
        [requireApiKey(lookUp, { auth: users }), byKey],
        [requireAuth(authenticateAs(users, lookUp())), {}],
        [framework.injecting({ ...lookUp(), audience: '/api' }), {}],
      ] as const) {
        const { ask, reached } = await serveRoute([guard, requireScope(auth, 'admin')]);
        const refused = await ask(headers);
        expect(refused.status).toBe(403);
        expect((await problemOf(refused)).code).toBe('insufficient_scope');
        expect(reached).toEqual([]);
        expect((await (await serveRoute([guard, requireScope(users, 'admin')])).ask(headers)).status).toBe(
          200,
        );
      }
    });

    it('of an instance compares audiences, not objects, and takes claims of the host at their word', async () => {
      const { auth } = createGuardHarness();
      const reloaded = createAuth({ signingKey: KEY, clock: fakeClock() });
      const foreign = createAuth({ signingKey: KEY, clock: fakeClock(), audience: false });
      const statusOf = async (guard: G, instance: Auth) =>
        (await (await serveRoute([guard, requireScope(instance, 'admin')])).ask(cookies(forgeToken())))
          .status;
      expect(await statusOf(requireAuth(auth), reloaded)).toBe(200);
      expect(await statusOf(framework.injecting({ uid: '42', scopes: ['admin'] }), auth)).toBe(200);
      expect(await statusOf(requireAuth(foreign), foreign)).toBe(200);
      expect(await statusOf(requireAuth(foreign), auth)).toBe(403);
      expect(await statusOf(requireAuth(auth), foreign)).toBe(403);
    });

    it.each<[unknown]>([[''], [undefined], [['admin']], ['x'.repeat(65)]])(
      'refuses to require %j',
      (scope) => {
        expect(() => requireScope(scope as string)).toThrow(TypeError);
      },
    );
  });

  describe('requireApiKey', () => {
    it('gives the validator the hash and the handler the claims', async () => {
      const asked: string[] = [];
      const validator: ApiKeyValidator = async (hash) => {
        asked.push(hash);
        return { uid: '7', scopes: ['read'], issuedAt: 5, expiresAt: 0 };
      };
      const { ask } = await serveRoute([requireApiKey(validator), requireScope('read')]);
      const claims = { uid: '7', scopes: ['read'], issuedAt: 5, expiresAt: 0, credential: 'api_key' };
      for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`]) {
        expect(await (await ask({ authorization })).json()).toEqual(claims);
      }
      expect(asked).toEqual([hash, hash, hash]);
    });

    it.each([
      '12|aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7b',
      'user:aB3dE5fG7hI9',
      '$2y$notahash$but-a-key',
      'team#4f5e6d7c',
      'ak,live,4f5e6d7c',
      'SK4f5e6d7c8b9a0f1e2d3c4b5a6978',
      'sk-live-4f5e6d7c8b9a',
      '!"%&\'()*;<>?@[]^`{}=',
    ])('gives the validator the key %s of another system', async (foreign) => {
      const lookUp: ApiKeyValidator = (asked) =>
        asked === hashApiKey(foreign) ? { uid: 'foreign', scopes: [] } : null;
      const { ask } = await serveRoute([requireApiKey(lookUp)]);
      const response = await ask({ authorization: `Bearer ${foreign}` });
      expect(await response.json()).toMatchObject({ uid: 'foreign' });
    });

    it('refuses an option that does not exist', () => {
      const misspelt = { log: console } as object;
      expect(() => requireApiKey(() => null, misspelt)).toThrow('requireApiKey: unknown option "log"');
    });

    it.each([
      '',
      'Bearer',
      'Basic eDp5',
      `Bearer ${key} ${key}`,
      `Bearer ${key}, Bearer ${key}`,
      `Token ${key}`,
      key,
    ])('counts %j as no key', async (authorization) => {
      const { ask, reached } = await serveRoute([requireApiKey(() => ({ uid: '7', scopes: [] }))]);
      const response = await ask({ authorization, ...cookies(forgeToken()) });
      expect(response.status).toBe(401);
      expect((await problemOf(response)).code).toBe('token_missing');
      expect(reached).toEqual([]);
    });

    it.each<[string, number, string, ApiKeyValidator]>([
      ['gives null', 401, 'token_invalid', () => null],
      ['throws ErrInvalidToken', 401, 'token_invalid', () => Promise.reject(new ErrInvalidToken('revoked'))],
      ['throws ErrTokenExpired', 401, 'token_expired', () => Promise.reject(new ErrTokenExpired())],
      ['gives expired claims', 401, 'token_expired', () => ({ uid: '7', scopes: [], expiresAt: START })],
      ['rejects', 503, 'unavailable', () => Promise.reject(new Error('connection refused'))],
      ['rejects with nothing', 503, 'unavailable', () => Promise.reject(undefined)],
      ['gives claims without uid', 503, 'unavailable', () => ({ scopes: [] }) as never],
      ['gives true', 503, 'unavailable', () => true as never],
      ['throws a Response', 503, 'unavailable', () => Promise.reject(new Response('x', { status: 200 }))],
    ])('lets nobody pass when the validator %s: %d %s', async (_, status, code, validator) => {
      const { logger, logged } = createGuardHarness();
      const { ask, reached } = await serveRoute([requireApiKey(validator, { logger })]);
      const response = await ask({ authorization: `Bearer ${key}` });
      expect(response.status).toBe(status);
      expect((await problemOf(response)).code).toBe(code);
      expect(reached).toEqual([]);
      expect(logged).toHaveLength(status === 503 ? 1 : 0);
      expect(JSON.stringify(logged)).not.toContain(key);
    });

    it('reports what a validator threw, and what it has to throw for a 401', async () => {
      const reports: [object, string][] = [];
      const logger = { error: (...report: [object, string]) => void reports.push(report) };
      for (const [thrown, err] of [
        [new Error('no such row'), { name: 'Error', message: 'no such row' }],
        ['text', { message: 'text' }],
        [undefined, { name: 'AuthError' }],
      ] as const) {
        const { ask } = await serveRoute([requireApiKey(() => Promise.reject(thrown), { logger })]);
        expect((await ask({ authorization: `Bearer ${key}` })).status).toBe(503);
        const [fields, message] = reports.pop() ?? [];
        expect(fields).toEqual({ err: expect.any(Error) });
        expect(fields).toMatchObject({ err });
        expect(message).toContain('throw ErrInvalidToken');
      }
      expect(reports).toEqual([]);
    });
  });

  describe('requireAuthOrApiKey', () => {
    const own = cookies(forgeToken());
    const bearer = { authorization: `Bearer ${key}` };
    const crossSite = { 'sec-fetch-site': 'cross-site' };

    it.each<[string, Record<string, string>, number, string]>([
      ['the cookie', own, 200, '42'],
      ['the key', bearer, 200, 'key'],
      ['the cookie before the key', { ...own, ...bearer }, 200, '42'],
      ['the cookie beside a wrong key', { ...own, authorization: 'Bearer wrong' }, 200, '42'],
      ['the key after an expired cookie', { ...cookies(EXPIRED), ...bearer }, 200, 'key'],
      ['the key of a cross-site request', { ...own, ...bearer, ...crossSite }, 200, 'key'],
      ['no wrong key', { ...cookies(EXPIRED), authorization: 'Bearer wrong' }, 401, 'token_invalid'],
      ['no expired cookie', cookies(EXPIRED), 401, 'token_expired'],
      ['no cross-site cookie', { ...own, ...crossSite }, 403, 'cross_site'],
      ['no token as a key', { authorization: `Bearer ${forgeToken()}` }, 401, 'token_invalid'],
      ['nothing', {}, 401, 'token_missing'],
    ])('accepts %s', async (_, headers, status, outcome) => {
      const { auth } = createGuardHarness();
      const { ask } = await serveRoute([requireAuthOrApiKey(auth, knowsKey)]);
      const response = await ask(headers, 'POST');
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject(status === 200 ? { uid: outcome } : { code: outcome });
    });

    it('does not fall back to the key when the server failed to judge the cookie', async () => {
      let readings = 0;
      const { auth, logged } = createGuardHarness({
        clock: () => (++readings === 1 ? Number.NaN : START * 1000),
      });
      const { ask, reached } = await serveRoute([requireAuthOrApiKey(auth, knowsKey)]);
      expect((await ask({ ...own, ...bearer })).status).toBe(503);
      expect([reached.length, logged.length]).toEqual([0, 1]);
    });
  });

  describe('requireSameOrigin', () => {
    it('guards a log-in, which has no token yet', async () => {
      const { auth } = createGuardHarness();
      const started: Started = await framework.start({
        prefix,
        routes: [{ path: '/login', guards: [requireSameOrigin(auth)], answer: () => ({}) }],
      });
      for (const [headers, status] of [
        [{}, 200],
        [{ 'sec-fetch-site': 'same-origin' }, 200],
        [{ authorization: `Bearer ${key}`, 'sec-fetch-site': 'cross-site' }, 200],
        [{ origin: 'https://attacker.example' }, 403],
        [{ 'sec-fetch-site': 'same-site' }, 403],
      ] as const) {
        const response = await started.fetch(`${prefix}/login`, { method: 'POST', headers });
        expect(response.status).toBe(status);
        if (status === 403) expect((await problemOf(response)).code).toBe('cross_site');
      }
    });
  });

  describe('an error that a handler throws', () => {
    it('is answered as a problem when it is of this package, and by the host otherwise', async () => {
      const errors: Record<string, unknown> = {
        '/busy': new AuthError('hashing_busy', 'x', { retryAfterSeconds: 3 }),
        '/expired': new ErrTokenExpired(),
        '/other': new Error('of the handler'),
      };
      const throwing = Object.entries(errors).map(
        ([path, error]): Route<G> => ({
          path,
          guards: [],
          answer() {
            throw error;
          },
        }),
      );
      const unguarded: Route<G> = { path: '/unguarded', guards: [], answer: (claims) => claims() };
      const { fetch } = await framework.start({ prefix, routes: [...throwing, unguarded] });
      const busy = await fetch(`${prefix}/busy`);
      expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '3']);
      expect((await problemOf(busy)).code).toBe('hashing_busy');
      expect((await problemOf(await fetch(`${prefix}/expired`))).code).toBe('token_expired');
      expect((await problemOf(await fetch(`${prefix}/unguarded`))).code).toBe('token_missing');
      const other = await fetch(`${prefix}/other`);
      expect(other.status).toBe(500);
      expect(other.headers.get('content-type')).not.toBe('application/problem+json');
    });
  });
}

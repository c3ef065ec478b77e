import { describe, expect, it } from 'vitest';
import { words } from '../../../toolkit/test/words.ts';
import { generateApiKey } from '../../src/api-keys/api-key.ts';
import { createApiKeys } from '../../src/api-keys/api-keys.ts';
import { memoryApiKeyStore } from '../../src/api-keys/memory-api-key-store.ts';
import { type Auth, createAuth } from '../../src/auth.ts';
import { Claims } from '../../src/claims.ts';
import { authenticateAs } from '../../src/testing/claims-injection.ts';
import { fakeClock } from '../fake-clock.ts';
import { forgeToken, KEY } from '../tokens/forge-token.ts';
import type { Framework } from './framework.ts';
import { cookies, createGuardHarness, EXPIRED, METHODS, OF_USERS, problemOf } from './guard-harness.ts';
import { serveRoute } from './serve-route.ts';

const { key } = generateApiKey('acme');

/** What every guard promises, whatever the framework, wherever it is mounted. */
export function guardContract<G>(framework: Framework<G>, prefix: string): void {
  const { requireAuth, requireScope, requireApiKey, requireAuthOrApiKey, requireSameOrigin } = framework;
  const serve = (guards: readonly G[]) => serveRoute(framework, prefix, guards);

  describe('requireAuth', () => {
    it('answers 401 to what is no token of its own', async () => {
      const { auth, logged } = createGuardHarness();
      const { ask, reached } = await serve([requireAuth(auth)]);
      const refused: readonly [string, Record<string, string>, string][] = [
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
      ];
      for (const [what, headers, code] of refused) {
        const response = await ask(headers);
        expect(response.status, what).toBe(401);
        const problem = await problemOf(response);
        expect([what, problem.code]).toEqual([what, code]);
        expect(problem.challenge, what).toMatch(
          code === 'token_missing' ? /^Bearer realm="api"$/ : /^Bearer realm="api", error="invalid_token"/,
        );
      }
      expect([reached, logged]).toEqual([[], []]);
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
      const paths = words(`
        /x /X /x/ //x /./x /%2e/x /a/%2e%2e/x /%78 /x;a=b /x?y /x%00
      `);
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
      const { fetch, reached } = await serve([requireAuth(auth)]);
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
      const { ask } = await serve([requireAuth(auth)]);
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
      const { ask, reached } = await serve([requireAuth(auth)]);
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
      const { ask, reached } = await serve([requireAuth(auth)]);
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
      const { ask, reached } = await serve([requireAuth(auth)]);
      expect((await ask(cookies(forgeToken()))).status).toBe(503);
      expect(reached).toEqual([]);
    });

    it('refuses what is no instance, at construction', () => {
      expect(() => requireAuth({} as never)).toThrow(TypeError);
      expect(() => requireSameOrigin(undefined as never)).toThrow(TypeError);
    });
  });

  describe('requireScope', () => {
    it('lets exactly the scope pass', async () => {
      const { auth } = createGuardHarness();
      const admin = await serve([requireAuth(auth), requireScope('admin')]);
      expect((await admin.ask(cookies(forgeToken()))).status).toBe(200);
      const webhooks = await serve([requireAuth(auth), requireScope('admin:webhooks')]);
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
      const { ask, reached } = await serve([requireScope('admin')]);
      const response = await ask(cookies(forgeToken()));
      expect(response.status).toBe(401);
      expect((await problemOf(response)).code).toBe('token_missing');
      expect(reached).toEqual([]);
    });

    it('judges the claims of the innermost guard', async () => {
      const { auth } = createGuardHarness();
      const users = createAuth({ signingKey: KEY, clock: fakeClock(), cookiePath: '/api' });
      const { ask } = await serve([requireAuth(users), requireAuth(auth), requireScope('admin')]);
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
        const { ask, reached } = await serve([guard, requireScope(auth, 'admin')]);
        const refused = await ask(headers);
        expect(refused.status).toBe(403);
        expect((await problemOf(refused)).code).toBe('insufficient_scope');
        expect(reached).toEqual([]);
        expect((await (await serve([guard, requireScope(users, 'admin')])).ask(headers)).status).toBe(200);
      }
    });

    it('of an instance compares audiences, not objects, and takes claims of the host at their word', async () => {
      const { auth } = createGuardHarness();
      const reloaded = createAuth({ signingKey: KEY, clock: fakeClock() });
      const foreign = createAuth({ signingKey: KEY, clock: fakeClock(), audience: false });
      const statusOf = async (guard: G, instance: Auth) =>
        (await (await serve([guard, requireScope(instance, 'admin')])).ask(cookies(forgeToken()))).status;
      expect(await statusOf(requireAuth(auth), reloaded)).toBe(200);
      expect(await statusOf(framework.injecting({ uid: '42', scopes: ['admin'] }), auth)).toBe(200);
      expect(await statusOf(requireAuth(foreign), foreign)).toBe(200);
      expect(await statusOf(requireAuth(foreign), auth)).toBe(403);
      expect(await statusOf(requireAuth(auth), foreign)).toBe(403);
    });

    it('refuses to require what is no scope, at construction', () => {
      for (const scope of ['', undefined, ['admin'], 'x'.repeat(65)]) {
        expect(() => requireScope(scope as string), String(scope)).toThrow(TypeError);
      }
    });
  });

  describe('requireSameOrigin', () => {
    it('guards a log-in, which has no token yet', async () => {
      const { auth } = createGuardHarness();
      const started = await framework.start({
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
}

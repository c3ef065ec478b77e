import { expect, it } from 'vitest';
import { AuthError, ErrTokenExpired } from '../../src/errors.ts';
import { START } from '../fake-clock.ts';
import { forgeToken } from '../tokens/forge-token.ts';
import type { Framework, Route } from './framework.ts';
import { cookies, createGuardHarness, METHODS, problemOf } from './guard-harness.ts';
import { OF_THE_HOST } from './headers-before.ts';
import { serveRoute } from './serve-route.ts';

/** What a framework, and what else touches its answers, has to leave of those of guards. */
export function answerContract<G>(framework: Framework<G>, prefix: string): void {
  const { requireAuth } = framework;

  it('passes the claims of a valid cookie to the handler', async () => {
    const { auth } = createGuardHarness();
    const { ask } = await serveRoute(framework, prefix, [requireAuth(auth)]);
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

  it('answers HEAD and OPTIONS as any other method', async () => {
    const { auth } = createGuardHarness();
    const { ask, reached } = await serveRoute(framework, prefix, [requireAuth(auth)]);
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

  it('answers an error of a handler as a problem where it is of this package, and leaves others to the host', async () => {
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
}

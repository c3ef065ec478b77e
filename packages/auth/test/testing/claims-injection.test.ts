import { afterEach, describe, expect, it, vi } from 'vitest';
import { HONO } from '../../../toolkit/test/hono-hosts.ts';
import { authenticateAs, withClaims } from '../../src/testing/claims-injection.ts';
import { onExpress4, onExpress5 } from '../guards/express-framework.ts';
import { onFastify } from '../guards/fastify-framework.ts';
import { onFetch } from '../guards/fetch-framework.ts';
import type { Framework } from '../guards/framework.ts';
import { cookies, createGuardHarness } from '../guards/guard-harness.ts';
import { onHono } from '../guards/hono-framework.ts';
import { forgeToken } from '../tokens/forge-token.ts';

const ADA = { uid: '7', scopes: ['admin'] };

function injectionContract<G>(framework: Framework<G>): void {
  async function ask(guards: readonly G[], init?: RequestInit) {
    const { fetch } = await framework.start({
      prefix: '',
      routes: [{ path: '/x', guards, answer: (claims) => ({ uid: claims().uid }) }],
    });
    const response = await fetch('/x', init);
    return response.status === 200 ? await response.json() : response.status;
  }

  it('gives a route its claims without a token', async () => {
    expect(await ask([framework.injecting(ADA)])).toEqual({ uid: '7' });
  });

  it('is judged by requireScope', async () => {
    expect(await ask([framework.injecting(ADA), framework.requireScope('admin')])).toEqual({ uid: '7' });
    expect(await ask([framework.injecting(ADA), framework.requireScope('root')])).toBe(403);
  });

  it('opens no guard', async () => {
    const guards = [framework.injecting(ADA), framework.requireAuth(createGuardHarness().auth)];
    expect(await ask(guards)).toBe(401);
    expect(await ask(guards, { headers: cookies(forgeToken()) })).toEqual({ uid: '42' });
  });

  it('authenticates every request to an instance made for tests, but those of other sites', async () => {
    const auth = authenticateAs(createGuardHarness().auth, ADA);
    const guards = [framework.requireAuth(auth), framework.requireScope('admin')];
    expect(await ask(guards)).toEqual({ uid: '7' });
    expect(await ask([framework.requireAuthOrApiKey(auth, () => null)])).toEqual({ uid: '7' });
    expect(await ask([framework.requireAuth(auth), framework.requireScope('root')])).toBe(403);
    expect(await ask(guards, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403);
  });
}

describe.each([
  ['an Express 4 request', () => injectionContract(onExpress4)],
  ['an Express 5 request', () => injectionContract(onExpress5)],
  ['a Fastify request', () => injectionContract(onFastify)],
  ['a Hono context', () => injectionContract(onHono(HONO))],
  ['a Web Request', () => injectionContract(onFetch)],
] as const)('withClaims on %s', (_, contract) => contract());

describe('claims for tests', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('gives back what it was given', () => {
    const request = new Request('http://localhost/');
    expect(withClaims(request, ADA)).toBe(request);
  });

  it('leaves the instance that it was given alone', async () => {
    const { auth } = createGuardHarness();
    authenticateAs(auth, ADA);
    await expect(auth.authenticate({ headers: {} })).rejects.toThrow();
  });

  it('has the bounds of claims', () => {
    expect(() => withClaims({}, { uid: '', scopes: [] })).toThrow(TypeError);
    expect(() => authenticateAs(createGuardHarness().auth, { uid: '7', scopes: [''] })).toThrow(TypeError);
  });

  it('refuses to work in production', () => {
    vi.stubEnv('NODE_ENV', 'production');
    expect(() => withClaims({}, ADA)).toThrow(/for tests/);
    expect(() => authenticateAs(createGuardHarness().auth, ADA)).toThrow(/for tests/);
  });

  it('stops authenticating once the process turns out to be in production', async () => {
    const auth = authenticateAs(createGuardHarness().auth, ADA);
    expect(await auth.authenticate({ headers: {} })).toMatchObject(ADA);
    vi.stubEnv('NODE_ENV', 'production');
    await expect(auth.authenticate({ headers: {} })).rejects.toThrow(/for tests/);
    const { fetch } = await onExpress5.start({
      prefix: '',
      routes: [{ path: '/x', guards: [onExpress5.requireAuth(auth)], answer: (claims) => claims() }],
    });
    expect((await fetch('/x')).status).toBe(503);
  });
});

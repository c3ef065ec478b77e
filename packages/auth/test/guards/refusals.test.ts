import { describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/api-keys/api-key.ts';
import { createAuth } from '../../src/auth.ts';
import { AuthError } from '../../src/errors.ts';
import type { TokenRefusedEvent } from '../../src/http/token-refusal.ts';
import { fakeClock } from '../fake-clock.ts';
import { Browser, sessionHost } from '../sessions/session-host.ts';
import { forgeToken, KEY } from '../tokens/forge-token.ts';
import { onExpress4, onExpress5 } from './express-framework.ts';
import { onFastify } from './fastify-framework.ts';
import { onFetch } from './fetch-framework.ts';
import type { Framework } from './framework.ts';
import { cookies, OF_USERS } from './guard-harness.ts';
import { onHonoAlone, onHonoServer } from './hono-framework.ts';

const { key, displayPrefix } = generateApiKey('acme');

interface Line {
  readonly code: string;
  readonly method: string;
  readonly path: string;
  readonly message: string;
}

function audited() {
  const events: TokenRefusedEvent[] = [];
  const lines: Line[] = [];
  const logger = {
    error: () => {},
    debug: (fields: object, message: string) => void lines.push({ ...(fields as Line), message }),
  };
  const clock = fakeClock();
  const auth = createAuth({
    signingKey: KEY,
    clock,
    logger,
    onTokenRefused: (event) => void events.push(event),
  });
  return { auth, events, lines, logger };
}

function refusals<G>(framework: Framework<G>, prefix: string): void {
  const { requireAuth, requireScope, requireApiKey, requireAuthOrApiKey, requireSameOrigin } = framework;
  const path = `${prefix}/x`;

  async function ask(guards: readonly G[], headers: Record<string, string>, method = 'GET') {
    const route = { path: '/x', guards, answer: () => ({}) };
    const { fetch } = await framework.start({ prefix, routes: [route] });
    return (await fetch(`${path}?token=hunter2`, { method, headers })).status;
  }

  it('tells once of a token for another audience, with a line that says so', async () => {
    const { auth, events, lines } = audited();
    expect(await ask([requireAuth(auth)], cookies(OF_USERS))).toBe(401);
    await auth.idle();
    expect(events).toMatchObject([
      { reason: 'audience', audience: '/api/admin', presented: { audience: '/api' }, method: 'GET', path },
    ]);
    expect(lines).toMatchObject([{ code: 'token_invalid', method: 'GET', path }]);
    expect(lines[0]?.message).toMatch(
      /audience \(aud\) "\/api", and this instance accepts "\/api\/admin" alone/,
    );
  });

  it('writes a line, and tells no hook, where there is no token', async () => {
    const { auth, events, lines, logger } = audited();
    const none = () => null;
    for (const guard of [
      requireAuth(auth),
      requireApiKey(none, { logger }),
      requireAuthOrApiKey(auth, none),
    ]) {
      expect(await ask([guard], {})).toBe(401);
    }
    await auth.idle();
    const line = {
      code: 'token_missing',
      method: 'GET',
      path,
      message: 'Refused a request: Authentication is required.',
    };
    expect(lines).toMatchObject([line, line, line]);
    expect(events).toEqual([]);
  });

  it('writes a line for a scope that is missing, with the instance or without', async () => {
    const { auth, lines } = audited();
    expect(await ask([requireAuth(auth), requireScope('root')], cookies(forgeToken()))).toBe(403);
    expect(lines).toMatchObject([{ code: 'insufficient_scope', scope: 'root', method: 'GET', path }]);
  });

  it('writes a line for a page of another site', async () => {
    const { auth, lines } = audited();
    expect(await ask([requireSameOrigin(auth)], { 'sec-fetch-site': 'cross-site' }, 'POST')).toBe(403);
    expect(lines).toMatchObject([{ code: 'cross_site', secFetchSite: 'cross-site', method: 'POST', path }]);
  });

  it('tells of a refused API key where the guard knows the instance, each time with one line', async () => {
    const { auth, events, lines, logger } = audited();
    const headers = { authorization: `Bearer ${key}` };
    const none = () => null;
    for (const guard of [
      requireApiKey(none, { auth }),
      requireAuthOrApiKey(auth, none),
      requireApiKey(none, { logger }),
    ]) {
      expect(await ask([guard], headers)).toBe(401);
    }
    await auth.idle();
    const event = { kind: 'api_key', reason: 'unknown', presented: { displayPrefix }, path };
    expect(events).toMatchObject([event, event]);
    expect(lines.map(({ message }) => message)).toEqual(
      Array(3).fill('Refused an API key: there is no such one'),
    );
  });

  it('writes a line for a log-in that is too long ago', async () => {
    const { auth, lines } = audited();
    expect(await ask([requireAuth(auth), framework.requireRecentLogin(60)], cookies(forgeToken()))).toBe(401);
    expect(lines).toMatchObject([{ method: 'GET', path }]);
  });

  it('writes a line for an error that a handler throws, where the error handler has the logger', async () => {
    const { auth, lines, logger } = audited();
    const answer = () => {
      throw new AuthError('invalid_credentials', 'not correct-horse');
    };
    const routes = [{ path: '/x', guards: [requireAuth(auth)], answer }];
    for (const given of [logger, undefined]) {
      const { fetch } = await framework.start({ prefix, routes, logger: given });
      const { status } = await fetch(`${path}?token=hunter2`, { headers: cookies(forgeToken()) });
      expect(status).toBe(401);
    }
    const message = 'Refused a request: The credentials are not right.';
    expect(lines).toMatchObject([{ code: 'invalid_credentials', method: 'GET', path, message }]);
  });

  it('says nothing where a request passes', async () => {
    const { auth, events, lines } = audited();
    expect(await ask([requireAuth(auth), requireScope('admin')], cookies(forgeToken()))).toBe(200);
    await auth.idle();
    expect([events, lines]).toEqual([[], []]);
  });
}

describe.each<[string, (prefix: string) => void]>([
  ['Express 4', (prefix) => refusals(onExpress4, prefix)],
  ['Express 5', (prefix) => refusals(onExpress5, prefix)],
  ['Fastify 5', (prefix) => refusals(onFastify, prefix)],
  ['Hono 4 on Node', (prefix) => refusals(onHonoServer, prefix)],
  ['Hono 4 without a server', (prefix) => refusals(onHonoAlone, prefix)],
  ['fetch on Node', (prefix) => refusals(onFetch, prefix)],
])('a refusal by the guards of %s', (_, contract) => {
  describe('at the root', () => contract(''));
  describe('under a prefix', () => contract('/api/admin'));
});

describe('a refusal by the endpoints of sessions', () => {
  function sessionsAudited() {
    const { events, lines, logger } = audited();
    const onTokenRefused = (event: TokenRefusedEvent) => void events.push(event);
    const host = sessionHost({ authOptions: { logger, onTokenRefused } });
    return { ...host, host, browser: new Browser(host), events, lines };
  }

  it('tells of refresh tokens with the client and the request, and why, each once', async () => {
    const { host, browser, clock, sessions, events, lines } = sessionsAudited();
    const poll = (cookie: string) => browser.request('POST', '/status', { cookie });
    await poll(`refresh_token=${'ab'.repeat(32)}`);
    await poll('refresh_token=garbage');
    await poll(
      Array(5)
        .fill(`refresh_token=${'ab'.repeat(32)}`)
        .join('; '),
    );
    await browser.logIn();
    const first = `refresh_token=${browser.refreshToken}`;
    clock.advance(900);
    await browser.poll();
    await browser.poll();
    clock.advance(30);
    await poll(first);
    await poll(first);
    await new Browser(host).logIn();
    await browser.logIn();
    clock.advance(86_400);
    await browser.poll();
    await sessions.idle();
    const reasons = ['unknown', 'malformed', 'too_many', 'reused', 'revoked', 'expired'];
    expect(events.map(({ reason }) => reason)).toEqual(reasons);
    expect(events[0]).toMatchObject({
      kind: 'refresh_token',
      method: 'POST',
      path: '/api/admin/auth/status',
      ip: '192.0.2.1',
      userAgent: 'Mozilla/5.0',
      presented: { isVerified: false },
    });
    expect(lines.map(({ message }) => message)).toHaveLength(reasons.length);
    expect(lines).toMatchObject(reasons.map((reason) => ({ reason, path: '/api/admin/auth/status' })));
  });

  it('writes one line each: no cookie, wrong credentials, throttled, cross-site, an invalid access token', async () => {
    const { browser, sessions, lines, events } = sessionsAudited();
    await browser.poll();
    for (let n = 0; n < 11; n++) await browser.logIn('7', 'hunter2');
    await browser.send('GET', '/sessions', { cookie: 'access_token=garbage' });
    browser.headers['sec-fetch-site'] = 'cross-site';
    await browser.logIn('7');
    await browser.send('POST', '/status', { cookie: `refresh_token=${'ab'.repeat(32)}` });
    await sessions.idle();
    expect(lines.map(({ code, path }) => `${code} ${path.replace('/api/admin/auth', '')}`)).toEqual([
      'token_missing /status',
      ...Array(10).fill('invalid_credentials /login'),
      'rate_limited /login',
      'token_invalid /sessions',
      'cross_site /login',
      'cross_site /status',
    ]);
    expect(events).toMatchObject([{ kind: 'access_token', reason: 'malformed' }]);
  });
});

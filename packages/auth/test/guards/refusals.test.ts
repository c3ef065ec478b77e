import { describe, expect, it } from 'vitest';
import { HONO } from '../../../toolkit/test/hono-hosts.ts';
import type { TokenRefusedEvent } from '../../src/http/token-refusal.ts';
import { Browser, sessionHost } from '../sessions/session-host.ts';
import { onExpress5 } from './express-framework.ts';
import { onFastify } from './fastify-framework.ts';
import { onFetch } from './fetch-framework.ts';
import { onHono } from './hono-framework.ts';
import { audited, refusalContract } from './refusal-contract.ts';

describe.each<[string, (prefix: string) => void]>([
  ['Express 5', (prefix) => refusalContract(onExpress5, prefix)],
  ['Fastify 5', (prefix) => refusalContract(onFastify, prefix)],
  ['fetch on Node', (prefix) => refusalContract(onFetch, prefix)],
  [HONO.name, (prefix) => refusalContract(onHono(HONO), prefix)],
])('a refusal by the guards of %s', (_, contract) => contract('/api/admin'));

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

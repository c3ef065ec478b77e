import { describe, expect, it } from 'vitest';
import { AuthError } from '../../../src/errors.ts';
import type {
  LoginEvent,
  LoginFailedEvent,
  ThrottledEvent,
} from '../../../src/sessions/events/session-events.ts';
import { START } from '../../fake-clock.ts';
import { Browser, type SessionHostOptions, sessionHost } from '../session-host.ts';

function auditedHost(options: SessionHostOptions = {}) {
  const loggedIn: LoginEvent[] = [];
  const failed: LoginFailedEvent[] = [];
  const throttled: ThrottledEvent[] = [];
  const host = sessionHost({
    onLogin: (event) => void loggedIn.push(event),
    onLoginFailed: (event) => void failed.push(event),
    onThrottled: (event) => void throttled.push(event),
    ...options,
  });
  return { ...host, browser: new Browser(host), loggedIn, failed, throttled };
}

const ORIGIN = { method: 'credentials', ip: '192.0.2.1', userAgent: 'Mozilla/5.0' } as const;
const REFUSED = { ...ORIGIN, uid: undefined } as const;

describe('onLogin', () => {
  it('is called once for a log-in, with the session, the user and the client', async () => {
    const { browser, sessions, loggedIn, failed, throttled } = auditedHost();
    await browser.logIn('7');
    const [session] = (await sessions.list('7')).sessions;
    expect(loggedIn).toEqual([{ ...ORIGIN, sessionId: session?.id, uid: '7', loggedInAt: START }]);
    expect([failed, throttled]).toEqual([[], []]);
  });

  it('is called for a user whom the host has identified, with the client as the session lists it', async () => {
    const { sessions, loggedIn } = auditedHost();
    const client = { ip: '[2001:db8::1]:443', userAgent: `curl\r\n${'x'.repeat(1_000)}` };
    await sessions.loginAs('42', client);
    await sessions.loginAs('42');
    await sessions.idle();
    const { sessions: listed } = await sessions.list('42');
    const session = listed.find(({ ip }) => ip !== '');
    expect(loggedIn).toMatchObject([
      { method: 'loginAs', uid: '42', ip: session?.ip, userAgent: session?.userAgent },
      { method: 'loginAs', uid: '42', ip: '', userAgent: '' },
    ]);
    expect(loggedIn[0]?.ip).toBe('2001:db8::1');
  });
});

describe('onLoginFailed', () => {
  it('is called once for a wrong password, an unknown user and a disabled one, without the credentials', async () => {
    const { browser, users, failed, loggedIn } = auditedHost();
    await browser.logIn('7', 'hunter2');
    await browser.send('POST', '/login', { body: '{"username":" Ada ","email":"a@b.c","otp":"472119"}' });
    users.delete('42');
    await browser.logIn('42');
    const event = { ...REFUSED, code: 'invalid_credentials', failedAt: START };
    expect(failed).toEqual([
      { ...event, logins: ['7'] },
      { ...event, logins: [' Ada ', 'a@b.c'] },
      { ...event, logins: ['42'] },
    ]);
    expect(loggedIn).toEqual([]);
  });

  it('is called for an impossible login, of which it is told 256 characters, and never more than text', async () => {
    const { browser, failed } = auditedHost();
    const body = JSON.stringify({ login: 'x'.repeat(300), username: ['ada'], email: 42 });
    expect((await browser.send('POST', '/login', { body })).status).toBe(422);
    expect(failed).toMatchObject([{ code: 'login_invalid', logins: ['x'.repeat(256)] }]);
  });

  it('is called for an error of the host that refuses, with its code', async () => {
    const { browser, failed } = auditedHost({
      verifyCredentials: async ({ password }) => {
        throw new AuthError('session_required', `not with ${String(password)}`);
      },
    });
    expect((await browser.logIn('7')).status).toBe(403);
    expect(failed).toMatchObject([{ code: 'session_required', logins: ['7'] }]);
  });

  it('is called for a user of loginAs who is not there, and for one who is logged out meanwhile', async () => {
    const { sessions, failed } = auditedHost({
      loadUser: async (uid) => {
        if (uid === '7') await sessions.revokeAll('7');
        return uid === '7' ? { scopes: [] } : undefined;
      },
    });
    for (const uid of ['666', '7']) await expect(sessions.loginAs(uid)).rejects.toThrow(AuthError);
    await sessions.idle();
    const event = { method: 'loginAs', logins: [] };
    expect(failed).toMatchObject([
      { ...event, uid: '666', code: 'invalid_credentials' },
      { ...event, uid: '7', code: 'session_revoked' },
    ]);
  });

  it('is not called where a part of the host fails, nor for a request that is no log-in', async () => {
    const { browser, failed, throttled } = auditedHost({
      verifyCredentials: () => Promise.reject(new Error('down')),
    });
    expect((await browser.logIn('7')).status).toBe(503);
    expect((await browser.send('POST', '/login', { body: 'no JSON' })).status).toBe(400);
    browser.headers['sec-fetch-site'] = 'cross-site';
    expect((await browser.logIn('7')).status).toBe(403);
    expect([failed, throttled]).toEqual([[], []]);
  });
});

describe('onThrottled', () => {
  it.each<[string, ThrottledEvent['by'], SessionHostOptions, Partial<ThrottledEvent>]>([
    ['the throttle', 'throttle', { loginThrottle: { maxFailuresPerAccount: 1 } }, { retryAfterSeconds: 900 }],
    [
      'beforeLogin',
      'beforeLogin',
      { beforeLogin: () => ({ retryAfterSeconds: 7.5 }) },
      { retryAfterSeconds: 8 },
    ],
    [
      'an error of beforeLogin',
      'beforeLogin',
      { beforeLogin: () => Promise.reject(new AuthError('rate_limited', 'x')) },
      { retryAfterSeconds: 60 },
    ],
    [
      'the hashing that is busy',
      'verifier',
      { verifyCredentials: () => Promise.reject(new AuthError('hashing_busy', 'x')) },
      { code: 'hashing_busy', retryAfterSeconds: 2 },
    ],
  ])('is called once for what %s refuses, and onLoginFailed is not', async (_, by, options, expected) => {
    const { browser, throttled, failed } = auditedHost(options);
    if (by === 'throttle') await browser.logIn('7', 'wrong');
    const before = failed.length;
    const answer = await browser.logIn('7', 'hunter2');
    expect(throttled).toEqual([
      { ...REFUSED, logins: ['7'], code: 'rate_limited', by, throttledAt: START, ...expected },
    ]);
    expect(answer.headers.get('retry-after')).toBe(String(expected.retryAfterSeconds));
    expect(failed).toHaveLength(before);
  });
});

describe('a log-in', () => {
  it('is answered all the same where the clock fails before its refusal is reported', async () => {
    let isBroken = false;
    const { browser, failed, logged } = auditedHost({
      clock: () => (isBroken ? Number.NaN : START * 1_000),
      loginThrottle: false,
      verifyCredentials: async () => {
        isBroken = true;
        return undefined;
      },
    });
    expect((await browser.logIn('7')).status).toBe(401);
    expect([failed, logged]).toEqual([[], ['A refused log-in could not be reported']]);
  });
});

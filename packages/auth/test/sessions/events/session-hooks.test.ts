import { beforeEach, describe, expect, it, vi } from 'vitest';
import { HOOK_TIMEOUT_MS, MAX_HOOKS_AT_ONCE } from '../../../src/hooks/hook-queue.ts';
import type { ReuseDetectedEvent } from '../../../src/sessions/events/session-events.ts';
import { Browser, sessionHost } from '../session-host.ts';

const never = () => new Promise<never>(() => {});

describe('hooks that never settle', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

  it('delay no log-in, log-out or refusal, and change none of them', async () => {
    const host = sessionHost({
      onLogin: never,
      onLoginFailed: never,
      onThrottled: never,
      onSessionRevoked: never,
      authOptions: { onTokenRefused: never },
      loginThrottle: { maxFailuresPerAccount: 1 },
    });
    const browser = new Browser(host);
    const logIn = (password: string) =>
      browser.request('POST', '/login', { body: JSON.stringify({ login: '7', password }) });
    const answers = [await logIn('secret of 7')];
    for (const answer of answers) browser.receive(answer);
    answers.push(await browser.request('POST', '/logout'));
    answers.push(await browser.request('POST', '/status'));
    answers.push(await logIn('wrong'), await logIn('wrong'));
    expect(answers.map(({ status }) => status)).toEqual([200, 204, 401, 401, 429]);
    await expect(host.auth.validateAccessToken(browser.accessToken ?? '')).rejects.toMatchObject({
      reason: 'revoked',
    });
    await vi.advanceTimersByTimeAsync(HOOK_TIMEOUT_MS);
    await host.sessions.idle();
    const hooks = ['onLogin', 'onSessionRevoked', 'onTokenRefused', 'onLoginFailed', 'onThrottled'];
    expect(host.logged.sort()).toEqual(hooks.map((hook) => `The hook ${hook} failed`).sort());
  });

  it('keep revokeAll from no session: it returns at once, and every session is told of', async () => {
    const told: string[] = [];
    const { sessions, auth } = sessionHost({
      onSessionRevoked({ sessionId }) {
        told.push(sessionId);
        return never();
      },
    });
    const tokens: string[] = [];
    for (let n = 0; n < MAX_HOOKS_AT_ONCE + 1; n++) tokens.push((await sessions.loginAs('7')).accessToken);
    const ended = await sessions.revokeAll('7');
    for (const token of tokens) {
      await expect(auth.validateAccessToken(token)).rejects.toMatchObject({ reason: 'revoked' });
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toHaveLength(MAX_HOOKS_AT_ONCE);
    await vi.advanceTimersByTimeAsync(HOOK_TIMEOUT_MS);
    expect([...ended].sort()).toEqual(told.sort());
  });
});

describe('the hooks of sessions', () => {
  it('hear of a reuse before they hear of the end of the session', async () => {
    const told: string[] = [];
    const { sessions, clock } = sessionHost({
      async onReuseDetected() {
        await Promise.resolve();
        told.push('reuse');
      },
      onSessionRevoked: () => told.push('revoked'),
    });
    const { refreshToken = '' } = await sessions.loginAs('7');
    clock.advance(900);
    const rotated = await sessions.status([refreshToken]);
    await sessions.status([rotated.refreshToken ?? '']);
    clock.advance(30);
    await expect(sessions.status([refreshToken])).rejects.toMatchObject({ code: 'session_revoked' });
    await sessions.idle();
    expect(told).toEqual(['reuse', 'revoked']);
  });

  it('hear of the client of a reuse in the bounded texts that a session lists', async () => {
    const reuses: ReuseDetectedEvent[] = [];
    const { sessions, clock } = sessionHost({ onReuseDetected: (event) => reuses.push(event) });
    for (const client of [{ ip: '192.0.2.1, '.repeat(1_000), userAgent: `a\nb${'x'.repeat(10_000)}` }, {}]) {
      const { refreshToken = '' } = await sessions.loginAs('7');
      clock.advance(900);
      const rotated = await sessions.status([refreshToken]);
      await sessions.status([rotated.refreshToken ?? '']);
      clock.advance(30);
      await expect(sessions.status([refreshToken], client)).rejects.toThrow();
    }
    await sessions.idle();
    expect(reuses).toMatchObject([
      { ip: '192.0.2.1, '.repeat(6).slice(0, 64), userAgent: `a\uFFFDb${'x'.repeat(253)}` },
      { ip: '', userAgent: '' },
    ]);
  });

  it('change nothing when both they and the logger fail', async () => {
    const { sessions } = sessionHost({
      onSessionRevoked: () => Promise.reject(new Error('down')),
      logger: {
        error() {
          throw new Error('the disk is full');
        },
      },
    });
    expect(await sessions.revoke((await sessions.loginAs('7')).sessionId)).toBe(true);
    await sessions.idle();
  });

  it('are called once for a session that fifty requests of two processes end at once', async () => {
    const first = sessionHost();
    const second = sessionHost({ store: first.store });
    const { sessionId, refreshToken = '' } = await first.sessions.loginAs('7');
    const ends = Array.from({ length: 50 }, (_, n) => {
      const { sessions } = n % 2 === 0 ? first : second;
      return n % 3 === 0 ? sessions.logout([refreshToken]) : sessions.revoke(sessionId);
    });
    await Promise.all(ends);
    await first.sessions.idle();
    await second.sessions.idle();
    expect([...first.revoked, ...second.revoked]).toMatchObject([{ sessionId, uid: '7' }]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOOK_TIMEOUT_MS, MAX_HOOKS_AT_ONCE } from '../../src/sessions/session-hooks.ts';
import { Browser, sessionHost } from './session-host.ts';

const never = () => new Promise<never>(() => {});

describe('a hook that never settles', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('holds a log-out up for five seconds and is logged', async () => {
    const host = sessionHost({ onSessionRevoked: never });
    const browser = new Browser(host);
    await browser.logIn();
    const token = browser.accessToken ?? '';
    let status = 0;
    const loggedOut = browser.send('POST', '/logout').then((response) => {
      status = response.status;
    });
    await vi.advanceTimersByTimeAsync(HOOK_TIMEOUT_MS - 1);
    expect([status, host.logged]).toEqual([0, []]);
    await expect(host.auth.validateAccessToken(token)).rejects.toMatchObject({ reason: 'revoked' });
    await vi.advanceTimersByTimeAsync(1);
    await loggedOut;
    expect([status, host.logged]).toEqual([204, ['The hook onSessionRevoked failed']]);
  });

  it('keeps revokeAll from no session: all tokens are refused at once, and every session is told of', async () => {
    const told: string[] = [];
    const { sessions, auth, logged } = sessionHost({
      onSessionRevoked({ sessionId }) {
        told.push(sessionId);
        return never();
      },
    });
    const tokens: string[] = [];
    for (let n = 0; n < MAX_HOOKS_AT_ONCE + 1; n++) tokens.push((await sessions.loginAs('7')).accessToken);
    const ended = sessions.revokeAll('7');
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toHaveLength(MAX_HOOKS_AT_ONCE);
    for (const token of tokens) {
      await expect(auth.validateAccessToken(token)).rejects.toMatchObject({ reason: 'revoked' });
    }
    await vi.advanceTimersByTimeAsync(2 * HOOK_TIMEOUT_MS);
    expect([...(await ended)].sort()).toEqual(told.sort());
    expect(logged).toHaveLength(MAX_HOOKS_AT_ONCE + 1);
  });

  it('leaves no timer behind where hooks settle, nor an unhandled rejection where one fails too late', async () => {
    let fail = (_: Error) => {};
    const { sessions, logged } = sessionHost({
      onSessionRevoked: () =>
        new Promise<never>((_, reject) => {
          fail = reject;
        }),
    });
    const { sessionId } = await sessions.loginAs('7');
    const revoked = sessions.revoke(sessionId);
    await vi.advanceTimersByTimeAsync(HOOK_TIMEOUT_MS);
    expect(await revoked).toBe(true);
    fail(new Error('late'));
    await vi.advanceTimersByTimeAsync(0);
    expect(logged).toEqual(['The hook onSessionRevoked failed']);
    expect(vi.getTimerCount()).toBe(0);
    const quick = sessionHost();
    await quick.sessions.revoke((await quick.sessions.loginAs('7')).sessionId);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the hooks', () => {
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
    expect(told).toEqual(['reuse', 'revoked']);
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
  });
});

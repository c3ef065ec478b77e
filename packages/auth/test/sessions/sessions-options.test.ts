import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createAuth } from '../../src/auth.ts';
import { createSessions } from '../../src/sessions/create-sessions.ts';
import type { SessionsOptions } from '../../src/sessions/sessions-options.ts';
import { memorySessionStore } from '../../src/sessions/store/memory-session-store.ts';
import { SIGNING_KEY, sessionHost } from './session-host.ts';

const auth = createAuth({ signingKey: SIGNING_KEY, scopes: ['admin', 'admin:webhooks'] });
const sound = {
  auth,
  store: memorySessionStore(),
  loadUser: async () => undefined,
  verifyCredentials: async () => undefined,
};

describe('the options of createSessions', () => {
  inOneTest([
    [undefined, /object of options/],
    [null, /object of options/],
    [{ ...sound, auth: undefined }, /auth/],
    [{ ...sound, auth: {} }, /auth/],
    [{ ...sound, store: {} }, /^store lacks the methods create, useRefreshToken, .* of SessionStore$/],
    [{ ...sound, loadUser: undefined }, /loadUser/],
    [{ ...sound, verifyCredentials: 'x' }, /verifyCredentials/],
    [{ ...sound, rotateEverySeconds: 0 }, /rotateEverySeconds.*1 to 86400/],
    [{ ...sound, rotateEverySeconds: 1.5 }, /rotateEverySeconds/],
    [{ ...sound, rotateEverySecond: 900 }, /rotateEverySecond/],
    [{ ...sound, maxSessionsPerUser: 0 }, /maxSessionsPerUser.*1 to 1000, not 0/],
    [{ ...sound, maxSessionsPerUser: 1_001 }, /maxSessionsPerUser/],
    [{ ...sound, maxSessionsPerUser: 2.5 }, /maxSessionsPerUser/],
    [{ ...sound, maxSessionsPerUser: true }, /maxSessionsPerUser/],
    [{ ...sound, maxSessionsPerUser: null }, /maxSessionsPerUser/],
    [{ ...sound, rememberMeTtlSeconds: 3_600 }, /rememberMeTtlSeconds.*86400 to 34560000/],
    [{ ...sound, onLogin: 'x' }, /onLogin/],
    [{ ...sound, onLoginFailed: {} }, /onLoginFailed/],
    [{ ...sound, onThrottled: 1 }, /onThrottled/],
    [{ ...sound, onSessionRevoked: 'x' }, /onSessionRevoked/],
    [{ ...sound, onReuseDetected: {} }, /onReuseDetected/],
    [{ ...sound, onSessionAnomaly: 'x' }, /onSessionAnomaly/],
    [{ ...sound, beforeLogin: {} }, /beforeLogin/],
    [{ ...sound, clientAddress: '192.0.2.1' }, /clientAddress/],
    [{ ...sound, loginOf: 'login' }, /loginOf/],
    [{ ...sound, clock: 5 }, /clock/],
    [{ ...sound, logger: {} }, /logger/],
  ])('refuse %o at construction', (options, message) => {
    const loose: unknown = options;
    expect(() => createSessions(loose as SessionsOptions)).toThrow(message);
    expect(() => createSessions(loose as SessionsOptions)).toThrow(TypeError);
  });

  it('take a misspelt scope for a compile error', () => {
    createSessions({ ...sound, loadUser: async () => ({ scopes: ['admin:webhooks'] }) });
    // @ts-expect-error the instance knows no such scope
    createSessions({ ...sound, loadUser: async () => ({ scopes: ['admin:webhoks'] }) });
    expect(auth.options.cookiePath).toBe('/api/admin');
  });

  it('use methods of the object that they came in', async () => {
    class Host {
      readonly auth = auth;
      readonly store = memorySessionStore();
      readonly users = new Map([['7', { scopes: ['admin'] as const }]]);
      readonly told: string[] = [];
      loadUser = async (uid: string) => this.users.get(uid);
      verifyCredentials = async () => ({ uid: '7' });
      onSessionRevoked = ({ uid }: { readonly uid: string }) => void this.told.push(uid);
    }
    const { users: _users, told, ...options } = new Host();
    const sessions = createSessions(options);
    await sessions.login({});
    await sessions.revokeAll('7');
    await sessions.idle();
    expect(told).toEqual(['7']);
  });

  it('keep sessions of an instance without an audience apart by its cookie path', async () => {
    const { sessions } = sessionHost({ authOptions: { audience: false } });
    await sessions.loginAs('7');
    expect((await sessions.list('7')).sessions).toMatchObject([{ instance: '/api/admin' }]);
  });

  it('refuse a user whose id no token can carry, before a session is made', async () => {
    const { sessions } = sessionHost({ loadUser: async () => ({ scopes: [] }) });
    for (const uid of ['', 'x'.repeat(129)]) await expect(sessions.loginAs(uid)).rejects.toThrow(TypeError);
  });
});

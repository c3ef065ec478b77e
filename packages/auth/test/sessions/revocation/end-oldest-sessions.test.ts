import { describe, expect, it } from 'vitest';
import type { Sessions } from '../../../src/sessions/sessions.ts';
import { memorySessionStore } from '../../../src/sessions/store/memory-session-store.ts';
import { START } from '../../fake-clock.ts';
import { expectProblem } from '../session-answers.ts';
import { Browser, type SessionHostOptions, sessionHost } from '../session-host.ts';

async function idsOf(sessions: Sessions, uid = '7'): Promise<string[]> {
  return (await sessions.list(uid, { limit: 100 })).sessions.map(({ id }) => id);
}

/** A host in which user 7 has logged in so many times, a second apart. */
async function hostAfter(logins: number, options: SessionHostOptions) {
  const host = sessionHost(options);
  const grants = [];
  for (let n = 0; n < logins; n++) {
    grants.push(await host.sessions.loginAs('7'));
    host.clock.advance(1);
  }
  return { ...host, grants };
}

describe('a log-in beyond maxSessionsPerUser', () => {
  it('ends the oldest session with the reason limit, and its access token at once', async () => {
    const { sessions, auth, clock, revoked, grants } = await hostAfter(3, { maxSessionsPerUser: 3 });
    await sessions.loginAs('42');
    await sessions.idle();
    expect(revoked).toEqual([]);
    const fourth = await sessions.loginAs('7');
    const [first, second, third] = grants;
    await sessions.idle();
    expect(revoked).toEqual([
      { sessionId: first?.sessionId, uid: '7', reason: 'limit', revokedAt: START + 3 },
    ]);
    await expect(auth.validateAccessToken(first?.accessToken ?? '')).rejects.toMatchObject({
      reason: 'revoked',
    });
    await expect(sessions.status([first?.refreshToken ?? ''])).rejects.toMatchObject({
      code: 'session_revoked',
    });
    clock.advance(1);
    expect(await idsOf(sessions)).toEqual([fourth, third, second].map((grant) => grant?.sessionId));
    expect(await idsOf(sessions, '42')).toHaveLength(1);
    expect(sessions.stats()).toMatchObject({ loggedIn: 5, ended: 1 });
  });

  it('is the 101st unless the host says otherwise', async () => {
    const { sessions, revoked, grants } = await hostAfter(100, {});
    await sessions.idle();
    expect(revoked).toEqual([]);
    await sessions.loginAs('7');
    await sessions.idle();
    expect(revoked.map(({ sessionId }) => sessionId)).toEqual([grants[0]?.sessionId]);
  });

  it('does not exist where the limit is off: the store is not even asked', async () => {
    const store = memorySessionStore();
    const asked = { ...store, revokeOldest: () => Promise.reject(new Error('was asked')) };
    const { sessions, logged } = await hostAfter(120, { maxSessionsPerUser: false, store: asked });
    expect(await idsOf(sessions)).toHaveLength(100);
    expect(logged).toEqual([]);
  });

  it('counts a session that it replaces no longer, and none of another instance', async () => {
    const store = memorySessionStore();
    const host = sessionHost({ store, maxSessionsPerUser: 2 });
    const users = sessionHost({ store, maxSessionsPerUser: 2, authOptions: { cookiePath: '/api' } });
    const kept = await host.sessions.loginAs('7');
    for (let n = 0; n < 2; n++) await users.sessions.loginAs('7');
    const browser = new Browser(host);
    for (let n = 0; n < 3; n++) await browser.logIn('7');
    await host.sessions.idle();
    expect(host.revoked.map(({ reason }) => reason)).toEqual(['login', 'login']);
    expect(await idsOf(host.sessions)).toContain(kept.sessionId);
    expect(await idsOf(users.sessions)).toHaveLength(2);
  });

  it('ends nothing when it is refused: with a wrong password, or because revokeAll overtakes it', async () => {
    const { sessions, revoked } = await hostAfter(1, {
      maxSessionsPerUser: 1,
      async verifyCredentials({ login, password }) {
        if (password === 'overtaken') await sessions.revokeAll('7', { exceptSessionId: kept });
        return password === 'wrong' ? undefined : { uid: String(login) };
      },
    });
    const [kept = ''] = await idsOf(sessions);
    const codes = { wrong: 'invalid_credentials', overtaken: 'session_revoked' };
    for (const [password, code] of Object.entries(codes)) {
      await expect(sessions.login({ login: '7', password })).rejects.toMatchObject({ code });
      expect(await idsOf(sessions)).toEqual([kept]);
    }
    await sessions.idle();
    expect(revoked.map(({ reason }) => reason)).not.toContain('limit');
  });

  it('is answered when the store fails to end the oldest, and the next one ends what is too much', async () => {
    const store = memorySessionStore();
    let isDown = true;
    const { sessions, logged, revoked, grants } = await hostAfter(3, {
      maxSessionsPerUser: 2,
      store: {
        ...store,
        async revokeOldest(revocation) {
          if (isDown) throw new Error('down');
          return await store.revokeOldest(revocation);
        },
      },
    });
    expect(logged).toEqual(
      Array.from({ length: 3 }, () => 'The oldest sessions of a user could not be ended'),
    );
    expect(await idsOf(sessions)).toHaveLength(3);
    await sessions.idle();
    expect(revoked).toEqual([]);
    isDown = false;
    const { sessionId } = await sessions.loginAs('7');
    expect(await idsOf(sessions)).toEqual([sessionId, grants[2]?.sessionId]);
    await sessions.idle();
    expect(revoked.map((event) => event.sessionId).sort()).toEqual(
      [grants[0]?.sessionId, grants[1]?.sessionId].sort(),
    );
  });

  it('is refused when its session has ended before the answer', async () => {
    const store = memorySessionStore();
    const host = sessionHost({
      store: {
        ...store,
        async create(session) {
          const replaced = await store.create(session);
          // Another process, which this one has not heard of.
          await store.revoke({ ...session, sessionId: session.id, now: START, reason: 'revoked_all' });
          return replaced;
        },
      },
    });
    const response = await new Browser(host).logIn();
    expect(response.headers.getSetCookie()).toEqual([]);
    await expectProblem(response, 401, 'session_revoked');
    expect(host.sessions.stats()).toMatchObject({ loggedIn: 0, loginsFailed: 0 });
  });
});

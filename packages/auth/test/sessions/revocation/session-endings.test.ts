import { describe, expect, it, vi } from 'vitest';
import { numberTimers } from '../../../../toolkit/test/number-timers.ts';
import { memorySessionStore } from '../../../src/sessions/store/memory-session-store.ts';
import { MAX_REVOCATION_ENTRIES } from '../../../src/tokens/revocations.ts';
import { START } from '../../fake-clock.ts';
import { expectProblem, gate } from '../session-answers.ts';
import { Browser, type SessionHost, type SessionHostOptions, sessionHost } from '../session-host.ts';

describe('revoking sessions', () => {
  it('refuses an option that it does not have: a misspelt transaction would be none', async () => {
    const { sessions } = sessionHost();
    const { sessionId } = await sessions.loginAs('7');
    const misspelt = { trx: {}, userId: '42' };
    await expect(sessions.revokeAll('7', misspelt as object)).rejects.toThrow(
      /revokeAll: unknown option "trx"/,
    );
    await expect(sessions.revoke(sessionId, misspelt as object)).rejects.toThrow(
      /revoke: unknown option "trx"/,
    );
    expect((await sessions.list('7')).sessions).toHaveLength(1);
  });

  it('ends one of any user, or of the given user alone', async () => {
    const { sessions, auth, revoked } = sessionHost();
    const { sessionId, accessToken } = await sessions.loginAs('7');
    expect(await sessions.revoke(sessionId, { uid: '42' })).toBe(false);
    expect(await auth.validateAccessToken(accessToken)).toMatchObject({ uid: '7' });
    expect(await sessions.revoke(sessionId)).toBe(true);
    expect(await sessions.revoke(sessionId)).toBe(false);
    await expect(auth.validateAccessToken(accessToken)).rejects.toMatchObject({ reason: 'revoked' });
    await sessions.idle();
    expect(revoked).toEqual([{ sessionId, uid: '7', reason: 'revoked', revokedAt: START }]);
  });

  it('ends all of a user, but the one in use, with the tokens that have no session', async () => {
    const { sessions, auth, revoked, clock } = sessionHost();
    const grants = [];
    for (let i = 0; i < 3; i++) grants.push(await sessions.loginAs('7'));
    const other = await sessions.loginAs('42');
    const loose = await auth.issueAccessToken('7', []);
    const [kept, ...ended] = grants;
    const ids = ended.map(({ sessionId }) => sessionId).sort();
    const exceptSessionId = kept?.sessionId;
    expect([...(await sessions.revokeAll('7', { exceptSessionId }))].sort()).toEqual(ids);
    await sessions.idle();
    expect(revoked.map(({ sessionId }) => sessionId).sort()).toEqual(ids);
    expect(new Set(revoked.map(({ reason }) => reason))).toEqual(new Set(['revoked_all']));
    for (const token of [...ended.map(({ accessToken }) => accessToken), loose]) {
      await expect(auth.validateAccessToken(token)).rejects.toMatchObject({ reason: 'revoked' });
    }
    for (const token of [kept?.accessToken ?? '', other.accessToken]) {
      expect(await auth.validateAccessToken(token)).toBeDefined();
    }
    expect(await sessions.revokeAll('7')).toEqual([exceptSessionId]);
    expect(await sessions.revokeAll('7')).toEqual([]);
    clock.advance(1);
    // A new log-in after "log out everywhere" is a new session.
    expect(await auth.validateAccessToken((await sessions.loginAs('7')).accessToken)).toBeDefined();
  });

  it('ends all but the one in use, and never all for want of one', async () => {
    const { sessions, auth, revoked } = sessionHost();
    const [kept, ...others] = [
      await sessions.loginAs('7'),
      await sessions.loginAs('7'),
      await sessions.loginAs('7'),
    ];
    await sessions.loginAs('42');
    const loose = await auth.issueAccessToken('7', []);
    const { sessionId: none } = await auth.validateAccessToken(loose);
    for (const missing of [none, '']) {
      await expect(sessions.revokeOthers('7', missing)).rejects.toMatchObject({ code: 'session_required' });
    }
    expect(revoked).toEqual([]);
    const ids = others.map(({ sessionId }) => sessionId).sort();
    expect([...(await sessions.revokeOthers('7', kept.sessionId))].sort()).toEqual(ids);
    await expect(auth.validateAccessToken(loose)).rejects.toMatchObject({ reason: 'revoked' });
    expect((await sessions.list('7')).sessions.map(({ id }) => id)).toEqual([kept.sessionId]);
    expect((await sessions.list('42')).sessions).toHaveLength(1);
    expect(await sessions.revokeOthers('7', kept.sessionId)).toEqual([]);
  });

  it('holds, and is told on, whatever a hook does', async () => {
    const { sessions, auth, logged } = sessionHost({
      onSessionRevoked: () => Promise.reject(new Error('the webhook is down')),
    });
    const revoked: string[] = [];
    auth.revocations.onRevoke(({ id }) => revoked.push(id));
    const { sessionId, accessToken } = await sessions.loginAs('7');
    expect(await sessions.revoke(sessionId)).toBe(true);
    await expect(auth.validateAccessToken(accessToken)).rejects.toMatchObject({ reason: 'revoked' });
    await sessions.idle();
    expect(logged).toEqual(['The hook onSessionRevoked failed']);
    expect(revoked).toEqual([sessionId]);
  });

  it('leaves access tokens as they are when the store fails: what is not durable is not done', async () => {
    const store = memorySessionStore();
    const host = sessionHost({ store: { ...store, revoke: () => Promise.reject(new Error('down')) } });
    const { sessionId, accessToken } = await host.sessions.loginAs('7');
    await expect(host.sessions.revoke(sessionId)).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: 'down' },
    });
    expect(await host.auth.validateAccessToken(accessToken)).toBeDefined();
    await host.sessions.idle();
    expect(host.revoked).toEqual([]);
  });
});

describe('a status poll that a revocation overtakes while the user is loaded', () => {
  /** A host whose `loadUser` can be held: `entered` resolves once a poll is in it. */
  function heldHost() {
    const [held, entered] = [gate(), gate()];
    let isHolding = false;
    const host = sessionHost({
      async loadUser() {
        if (!isHolding) return { scopes: [] };
        entered.open();
        await held.opened;
        return { scopes: [] };
      },
    });
    const hold = () => {
      isHolding = true;
    };
    return { host, hold, entered: entered.opened, release: held.open };
  }

  it.each<[string, (host: SessionHost) => SessionHost]>([
    ['this process', (host) => host],
    ['another process', ({ store }) => sessionHost({ store })],
  ])('answers session_revoked, without a new token, when %s ends it', async (_, ending) => {
    const { host, hold, entered, release } = heldHost();
    const browser = new Browser(host);
    await browser.logIn();
    const [session] = (await host.sessions.list('7')).sessions;
    const { issued } = host.auth.stats();
    hold();
    const polled = browser.request('POST', '/status');
    await entered;
    expect(await ending(host).sessions.revoke(session?.id ?? '')).toBe(true);
    release();
    const response = await polled;
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'session_revoked' });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringContaining('access_token=; Max-Age=0'),
      expect.stringContaining('refresh_token=; Max-Age=0'),
    ]);
    expect(host.auth.stats().issued).toBe(issued);
    const older = host.auth.validateAccessToken(browser.accessToken ?? '');
    await expect(older).rejects.toMatchObject({ reason: 'revoked' });
  });

  it('keeps the cookies of a log-in that replaces the session at another process', async () => {
    const { host, hold, entered, release } = heldHost();
    const browser = new Browser(host);
    await browser.logIn();
    hold();
    const polled = browser.request('POST', '/status');
    await entered;
    const client = { refreshTokens: [browser.refreshToken ?? ''] };
    await sessionHost({ store: host.store }).sessions.loginAs('7', client);
    release();
    const response = await polled;
    await expectProblem(response, 401, 'session_revoked');
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it('answers 200 when too many revocations of others have drawn a line in time: the session lives on', async () => {
    const { host, hold, entered, release } = heldHost();
    const browser = new Browser(host);
    await browser.logIn();
    hold();
    const polled = browser.poll();
    await entered;
    for (let n = 0; n <= MAX_REVOCATION_ENTRIES; n++) host.auth.revocations.revokeUser(`${n}`);
    expect(host.logged).toHaveLength(1);
    release();
    expect((await polled).status).toBe(200);
  });
});

describe('a log-in that revokeAll overtakes', () => {
  const credentials = { login: '7', password: 'secret of 7' };

  it.each(['verifyCredentials', 'loadUser', 'create'])(
    'leaves no session behind: during %s',
    async (step) => {
      const [held, entered] = [gate(), gate()];
      const pause = async (at: string) => {
        if (at !== step) return;
        entered.open();
        await held.opened;
      };
      const store = memorySessionStore();
      const { sessions, auth, revoked } = sessionHost({
        async verifyCredentials() {
          await pause('verifyCredentials');
          return { uid: '7' };
        },
        async loadUser() {
          await pause('loadUser');
          return { scopes: [] };
        },
        store: {
          ...store,
          async create(session) {
            await pause('create');
            return await store.create(session);
          },
        },
      });
      const tokens: string[] = [];
      const loggedIn = sessions.login(credentials).then(({ accessToken }) => tokens.push(accessToken));
      const refused = expect(loggedIn).rejects.toMatchObject({ code: 'session_revoked' });
      await entered.opened;
      expect(await sessions.revokeAll('7')).toEqual([]);
      held.open();
      await refused;
      expect((await sessions.list('7')).sessions).toEqual([]);
      expect(tokens).toEqual([]);
      await sessions.idle();
      expect(revoked).toMatchObject([{ uid: '7', reason: 'revoked_all' }]);
      expect(
        auth.revocations.isRevoked({ uid: '7', sessionId: revoked[0]?.sessionId, issuedAt: START }),
      ).toBe(true);
      // The clock has not moved: what begins afterwards, within the same second, is none of those.
      expect(await sessions.loginAs('7')).toMatchObject({ uid: '7' });
    },
  );

  it('goes on when an older session of the user ends all others: it is none of those', async () => {
    const [held, entered] = [gate(), gate()];
    const { sessions } = sessionHost({
      async verifyCredentials() {
        entered.open();
        await held.opened;
        return { uid: '7' };
      },
    });
    const { sessionId } = await sessions.loginAs('7');
    const loggedIn = sessions.login(credentials);
    await entered.opened;
    expect(await sessions.revokeOthers('7', sessionId)).toEqual([]);
    held.open();
    expect(await loggedIn).toMatchObject({ uid: '7' });
    expect((await sessions.list('7')).sessions).toHaveLength(2);
  });

  it('goes on when it is of another user', async () => {
    const [held, entered] = [gate(), gate()];
    const { sessions } = sessionHost({
      async verifyCredentials() {
        entered.open();
        await held.opened;
        return { uid: '7' };
      },
    });
    const loggedIn = sessions.login(credentials);
    await entered.opened;
    await sessions.revokeAll('42');
    held.open();
    expect(await loggedIn).toMatchObject({ uid: '7' });
    expect((await sessions.list('7')).sessions).toHaveLength(1);
  });
});

describe('several processes over one store', () => {
  function twoProcesses(options: SessionHostOptions = {}) {
    const store = memorySessionStore();
    return { a: sessionHost({ store, ...options }), b: sessionHost({ store, ...options }) };
  }

  it('learn of a revocation at once where one tells the other', async () => {
    const { a, b } = twoProcesses();
    a.auth.revocations.onRevoke((entry) => b.auth.revocations.apply(entry));
    const { sessionId, accessToken } = await a.sessions.loginAs('7');
    expect(await b.auth.validateAccessToken(accessToken)).toBeDefined();
    await a.sessions.revoke(sessionId);
    await expect(b.auth.validateAccessToken(accessToken)).rejects.toMatchObject({ reason: 'revoked' });
  });

  it('learn of it at the next status poll otherwise, without telling it on', async () => {
    const { a, b } = twoProcesses();
    const told: unknown[] = [];
    b.auth.revocations.onRevoke((entry) => told.push(entry));
    const { sessionId, accessToken, refreshToken = '' } = await a.sessions.loginAs('7');
    await a.sessions.revoke(sessionId);
    expect(await b.auth.validateAccessToken(accessToken)).toBeDefined();
    await expect(b.sessions.status([refreshToken])).rejects.toMatchObject({ code: 'session_revoked' });
    await expect(b.auth.validateAccessToken(accessToken)).rejects.toMatchObject({ reason: 'revoked' });
    expect(told).toEqual([]);
    await b.sessions.idle();
    expect(b.revoked).toEqual([]);
  });

  it('hold no entry for a session whose access tokens have all expired, however often it is polled', async () => {
    const { a, b } = twoProcesses();
    const { sessionId, refreshToken = '', serverTime } = await a.sessions.loginAs('7');
    await a.sessions.revoke(sessionId);
    const isHeld = () => b.auth.revocations.isRevoked({ uid: '7', sessionId, issuedAt: serverTime });
    b.clock.advance(361);
    await expect(b.sessions.status([refreshToken])).rejects.toMatchObject({ code: 'session_revoked' });
    expect(isHeld()).toBe(false);
    b.clock.advance(-2);
    await expect(b.sessions.status([refreshToken])).rejects.toMatchObject({ code: 'session_revoked' });
    expect(isHeld()).toBe(true);
  });

  it('refuse no other session of a user who logs in and out in a loop, and cut off nobody else', async () => {
    const { sessions, auth, logged, clock } = sessionHost();
    const other = await sessions.loginAs('42');
    const own = await sessions.loginAs('7');
    let last = own;
    const logInAndOut = async () => {
      last = await sessions.loginAs('7');
      expect(await auth.validateAccessToken(last.accessToken)).toBeDefined();
      await sessions.logout([last.refreshToken ?? '']);
      await expect(auth.validateAccessToken(last.accessToken)).rejects.toMatchObject({ reason: 'revoked' });
    };
    for (let pair = 0; pair < 150; pair++) await logInAndOut();
    expect(await auth.validateAccessToken(own.accessToken)).toBeDefined();
    clock.advance(1);
    // Beyond a hundred of past seconds, there is no room.
    await logInAndOut();
    await expect(auth.validateAccessToken(own.accessToken)).rejects.toMatchObject({ reason: 'revoked' });
    expect(await auth.validateAccessToken(other.accessToken)).toBeDefined();
    // The session goes on: its next status poll brings a token that passes.
    const { accessToken } = await sessions.status([own.refreshToken ?? '']);
    expect(await auth.validateAccessToken(accessToken)).toBeDefined();
    expect(logged).toEqual([]);
  });

  it('load what was revoked in the life of an access token when they start', async () => {
    const { a, b } = twoProcesses({ maxSessionsPerUser: false });
    const old = await a.sessions.loginAs('7');
    await a.sessions.revoke(old.sessionId);
    for (const { clock } of [a, b]) clock.advance(361);
    const grants = [];
    // More than one page.
    for (let i = 0; i < 1_203; i++) grants.push(await a.sessions.loginAs('7'));
    await a.sessions.revokeAll('7');
    for (const { clock } of [a, b]) clock.advance(299);
    const [first, last] = [grants[0], grants.at(-1)];
    expect(await b.auth.validateAccessToken(last?.accessToken ?? '')).toBeDefined();
    expect(await Promise.all([b.sessions.start(), b.sessions.start()])).toEqual([1_203, 1_203]);
    for (const grant of [first, last]) {
      await expect(b.auth.validateAccessToken(grant?.accessToken ?? '')).rejects.toMatchObject({
        reason: 'revoked',
      });
    }
  });

  it('load revocations for as long as a token lives that a clock ahead of ours has issued', async () => {
    const { a, b } = twoProcesses();
    a.clock.advance(50);
    const { sessionId, accessToken } = await a.sessions.loginAs('7');
    await b.sessions.revoke(sessionId);
    const late = sessionHost({ store: a.store });
    late.clock.advance(340);
    expect(await late.auth.validateAccessToken(accessToken)).toBeDefined();
    expect(await late.sessions.start()).toBe(1);
    await expect(late.auth.validateAccessToken(accessToken)).rejects.toMatchObject({ reason: 'revoked' });
  });

  it('start with their first request with a cookie if nobody started them, and again after a failure', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    numberTimers();
    const { a } = twoProcesses();
    let isDown = true;
    let queries = 0;
    const b = sessionHost({
      store: {
        ...a.store,
        async listRevocations(query) {
          queries += 1;
          if (isDown) throw new Error('down');
          return await a.store.listRevocations(query);
        },
      },
    });
    const { sessionId, accessToken } = await a.sessions.loginAs('7');
    await a.sessions.revoke(sessionId);
    const stranger = new Browser(b);
    await Promise.all(Array.from({ length: 20 }, () => stranger.request('POST', '/status')));
    expect([queries, b.logged]).toEqual([0, []]);
    const guess = { cookie: `refresh_token=${'0'.repeat(64)}` };
    await Promise.all(Array.from({ length: 20 }, () => stranger.request('POST', '/status', guess)));
    expect([queries, b.logged]).toEqual([1, ['The recent revocations could not be loaded']]);
    expect(await b.auth.validateAccessToken(accessToken)).toBeDefined();
    isDown = false;
    vi.advanceTimersByTime(5_000);
    await stranger.request('POST', '/status', guess);
    vi.useRealTimers();
    await expect(b.auth.validateAccessToken(accessToken)).rejects.toMatchObject({ reason: 'revoked' });
  });
});

describe('purgeSessions', () => {
  it('gives everything else a turn of the event loop between two batches', async () => {
    let batches = 0;
    let turns = 0;
    const store = { ...memorySessionStore(), purge: async () => (++batches < 50 ? 1_000 : 0) };
    const { sessions } = sessionHost({ store });
    const count = () => {
      turns += 1;
      if (batches < 50) setImmediate(count);
    };
    setImmediate(count);
    expect(await sessions.purgeSessions()).toBe(49_000);
    expect(turns).toBeGreaterThanOrEqual(49);
  });

  it('removes what has expired, in batches, and ends nothing', async () => {
    const limits: number[] = [];
    const store = memorySessionStore();
    const { sessions, clock, revoked } = sessionHost({
      maxSessionsPerUser: false,
      store: {
        ...store,
        purge(options) {
          limits.push(options.limit);
          return store.purge(options);
        },
      },
    });
    for (let i = 0; i < 2_500; i++) await sessions.loginAs('7');
    clock.advance(86_399);
    const { refreshToken = '' } = await sessions.loginAs('7');
    expect(await sessions.purgeSessions()).toBe(0);
    clock.advance(1);
    expect(await sessions.purgeSessions()).toBe(2_500);
    expect(limits).toEqual([1_000, 1_000, 1_000, 1_000]);
    expect(await sessions.status([refreshToken])).toMatchObject({ uid: '7' });
    await sessions.idle();
    expect(revoked).toEqual([]);
  });

  it('removes a revoked session with its successors two days after its end, however long it lives', async () => {
    const { sessions, clock } = sessionHost({ rememberMeTtlSeconds: 2_592_000 });
    const { refreshToken = '', sessionId } = await sessions.loginAs('7', { rememberMe: true });
    clock.advance(900);
    await sessions.status([refreshToken]);
    await sessions.revoke(sessionId);
    clock.advance(2 * 86_400 - 1);
    expect(await sessions.purgeSessions()).toBe(0);
    await expect(sessions.status([refreshToken])).rejects.toMatchObject({ code: 'session_revoked' });
    clock.advance(1);
    expect(await sessions.purgeSessions()).toBe(2);
    await expect(sessions.status([refreshToken])).rejects.toMatchObject({ code: 'token_invalid' });
  });
});

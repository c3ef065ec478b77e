import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sqliteFile } from '../../../../../test/services/sqlite-file.ts';
import { untilFinished } from '../../../../../test/services/test-database.ts';
import { isAuthError } from '../../../src/errors.ts';
import { kyselySessionStore, migrateAuth } from '../../../src/kysely/index.ts';
import type { SessionAnomalyEvent } from '../../../src/sessions/events/session-events.ts';
import { memorySessionStore } from '../../../src/sessions/store/memory-session-store.ts';
import { START } from '../../fake-clock.ts';
import { Browser, type SessionHostOptions, sessionHost } from '../session-host.ts';

const OWNER = { ip: '192.0.2.1', userAgent: 'Mozilla/5.0' };
const THIEF = { ip: '203.0.113.9', userAgent: 'curl/8' };

/** A user who is logged in, and a copy of the cookies somewhere else. */
async function copied(options: SessionHostOptions = {}) {
  const anomalies: SessionAnomalyEvent[] = [];
  const host = sessionHost({ onSessionAnomaly: (event) => void anomalies.push(event), ...options });
  const owner = new Browser(host);
  await owner.logIn('7');
  const copy = new Browser(host);
  for (const [name, cookie] of owner.cookies) copy.cookies.set(name, cookie);
  copy.headers = { 'user-agent': THIEF.userAgent };
  copy.connection = { ip: THIEF.ip };
  return { ...host, host, owner, copy, anomalies };
}

async function listed(browser: Browser): Promise<object[]> {
  const response = await browser.request('GET', '/sessions');
  const { sessions } = (await response.json()) as { sessions: { refreshed_from: object[] }[] };
  return sessions[0]?.refreshed_from ?? [];
}

/** Sets where a browser's next requests come from. */
function move(browser: Browser, ip: string, userAgent = OWNER.userAgent): void {
  browser.connection = { ip };
  browser.headers = { 'user-agent': userAgent };
}

describe('a copy of a refresh token that polls as the product’s own client does', () => {
  it.each([30, 60, 90])(
    'every %d s is never given away by rotation, but listed and told of within three minutes',
    async (every) => {
      const { clock, owner, copy, anomalies, sessions } = await copied();
      let toldAt = 0;
      for (let second = 30; second < 86_400; second += 30) {
        clock.advance(30);
        if (second % every === 0) expect((await copy.poll()).status).toBe(200);
        if (second % 60 === 30) expect((await owner.poll()).status).toBe(200);
        if (anomalies.length > 0 && toldAt === 0) {
          toldAt = second;
          const seen = await listed(owner);
          expect(seen).toContainEqual({
            since: expect.any(Number),
            ip: THIEF.ip,
            user_agent: THIEF.userAgent,
          });
        }
      }
      expect(sessions.stats()).toMatchObject({ reuseDetected: 0, ended: 0 });
      expect(toldAt).toBeGreaterThan(0);
      expect(toldAt).toBeLessThanOrEqual(180);
      expect(await listed(owner)).toHaveLength(5);
      // Once a minute at most, however often they poll.
      expect(anomalies.length).toBeLessThanOrEqual(1_440);
    },
  );

  it('is told with what the host needs to judge, and to whom it belongs', async () => {
    const { clock, owner, copy, anomalies, sessions } = await copied();
    const [session] = (await sessions.list('7')).sessions;
    clock.advance(30);
    await copy.poll();
    clock.advance(59);
    await owner.poll();
    expect(anomalies).toEqual([]);
    clock.advance(1);
    await owner.poll();
    expect(anomalies).toEqual([
      {
        kind: 'alternating_clients',
        sessionId: session?.id,
        uid: '7',
        detectedAt: START + 90,
        ...OWNER,
        refreshedFrom: [
          { since: START + 90, ...OWNER },
          { since: START + 30, ...THIEF },
        ],
      },
    ]);
  });

  it.each([10, 20, 30, 45, 60, 90, 119])(
    'every %d s under another user agent each time is told of within ten minutes, and listed',
    async (every) => {
      const { clock, owner, copy, anomalies, sessions } = await copied();
      let nextOwn = 57;
      for (let second = 1; anomalies.length === 0; second++) {
        expect(second).toBeLessThanOrEqual(600);
        clock.advance(1);
        if (second % every === 0) {
          copy.headers = { 'user-agent': `Mozilla/5.0 ${second}` };
          await copy.poll();
        }
        if (second === nextOwn) {
          await owner.poll();
          nextOwn += 54 + (second % 7);
        }
      }
      expect(await listed(owner)).toContainEqual(expect.objectContaining({ ip: THIEF.ip }));
      // The client of the log-in is listed with the session, whatever came after it.
      expect((await sessions.list('7')).sessions).toMatchObject([OWNER]);
    },
  );

  it('is told of where no address is known and it sends no user agent', async () => {
    const { clock, owner, copy, anomalies } = await copied();
    owner.connection = {};
    copy.connection = {};
    copy.headers = {};
    clock.advance(60);
    await owner.poll();
    clock.advance(60);
    await copy.poll();
    clock.advance(60);
    await owner.poll();
    expect(anomalies).toMatchObject([{ kind: 'alternating_clients', ip: '', userAgent: OWNER.userAgent }]);
    expect(await listed(owner)).toContainEqual({ since: START + 120, ip: '', user_agent: '' });
  });

  it('is told of or ended, however often either of them polls', async () => {
    const seconds = fc.integer({ min: 10, max: 4_000 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(60, 900, 3_600),
        fc.constantFrom(60, 210),
        seconds,
        seconds,
        fc.integer({ min: 1, max: 9 }),
        async (rotateEverySeconds, ownerEvery, thiefEvery, stolenAt, agents) => {
          const { clock, sessions, anomalies } = await copied({ rotateEverySeconds });
          const { refreshToken: root = '' } = await sessions.loginAs('42', OWNER);
          let own = root;
          let stolen: string | undefined;
          const poll = async (token: string, client: typeof OWNER): Promise<string> => {
            try {
              return (await sessions.status([token], client)).refreshToken ?? token;
            } catch (error) {
              if (!isAuthError(error, 'refresh_again')) throw error;
              const [successor = ''] = /[0-9a-f]{64}/.exec(error.cookies?.[0] ?? '') ?? [];
              return await poll(successor, client);
            }
          };
          for (let second = 10; second < 20_000 && sessions.stats().ended === 0; second += 10) {
            clock.advance(10);
            if (second >= stolenAt) stolen ??= own;
            try {
              if (second % ownerEvery < 10) own = await poll(own, OWNER);
              if (stolen !== undefined && (second - stolenAt) % thiefEvery < 10)
                stolen = await poll(stolen, { ...THIEF, userAgent: `Thief/${(second / 10) % agents}` });
            } catch (error) {
              expect(error).toMatchObject({ code: 'session_revoked' });
            }
          }
          await sessions.idle();
          expect(anomalies.length + sessions.stats().reuseDetected).toBeGreaterThan(0);
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('onSessionAnomaly', () => {
  it('is not called for a client that moves on, nor for one that comes back after a working day', async () => {
    const { clock, owner, anomalies } = await copied();
    const places = ['192.0.2.1', '198.51.100.1', '192.0.2.1', '198.51.100.1', '203.0.113.1'];
    for (const ip of places) {
      move(owner, ip);
      for (let minute = 0; minute < 200; minute++) {
        clock.advance(60);
        await owner.poll();
      }
    }
    expect(anomalies).toEqual([]);
    expect(await listed(owner)).toMatchObject(
      places
        .slice(1)
        .reverse()
        .map((ip) => ({ ip })),
    );
  });

  it.each([
    ['the same /64 of IPv6', '2001:db8:1:2::1', '2001:db8:1:2:ffff::2'],
    ['another spelling of one address', '::ffff:192.0.2.1', '192.0.2.1'],
    ['no address that is known', '', ''],
  ])('takes %s for one client', async (_, one, other) => {
    const { clock, owner, anomalies } = await copied();
    for (const ip of [one, other, one, other]) {
      move(owner, ip);
      clock.advance(120);
      await owner.poll();
    }
    expect(anomalies).toEqual([]);
    expect((await listed(owner)).length).toBeLessThanOrEqual(1);
  });

  it('says nothing of a session of which no client is ever named', async () => {
    const { clock, sessions, anomalies } = await copied();
    const { refreshToken = '' } = await sessions.loginAs('42');
    for (let poll = 0; poll < 6; poll++) {
      clock.advance(120);
      await sessions.status([refreshToken]);
    }
    expect(anomalies).toEqual([]);
    expect((await sessions.list('42')).sessions[0]?.refreshedFrom).toEqual([]);
  });

  it('is not called for four changes on the way to work, and is for the fifth in 25 minutes', async () => {
    const { clock, owner, anomalies } = await copied();
    for (let n = 1; n <= 5; n++) {
      move(owner, `198.51.100.${n}`);
      clock.advance(375);
      await owner.poll();
      expect(anomalies.map(({ kind }) => kind)).toEqual(n < 5 ? [] : ['changing_clients']);
    }
    move(owner, '198.51.100.6');
    clock.advance(376);
    await owner.poll();
    expect(anomalies).toHaveLength(1);
  });

  it('changes no answer: not when it fails, nor when it ends the session, which later polls notice', async () => {
    const failing = await copied({ onSessionAnomaly: () => Promise.reject(new Error('down')) });
    const strict = await copied({ onSessionAnomaly: ({ sessionId }) => strict.sessions.revoke(sessionId) });
    for (const { clock, copy } of [failing, strict]) {
      clock.advance(60);
      await copy.poll();
      clock.advance(60);
    }
    expect((await failing.owner.poll()).status).toBe(200);
    expect(failing.logged).toEqual(['The hook onSessionAnomaly failed']);
    expect((await strict.owner.poll()).status).toBe(200);
    const { accessToken = '' } = strict.owner;
    await expect(strict.auth.validateAccessToken(accessToken)).rejects.toMatchObject({ reason: 'revoked' });
    const refused = await strict.copy.poll();
    expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'session_revoked' }]);
  });

  it('is called once for one change, whichever processes see it at once', async () => {
    const file = untilFinished(sqliteFile());
    await migrateAuth(file.open());
    const store = kyselySessionStore(file.open());
    const { clock, host, owner, copy, anomalies } = await copied({ store });
    const other = sessionHost({
      store: kyselySessionStore(file.open()),
      authOptions: { clock },
      onSessionAnomaly: (event) => void anomalies.push(event),
    });
    clock.advance(60);
    await copy.poll();
    clock.advance(60);
    const cookie = owner.cookieHeader('/api/admin/auth/status');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        new Browser(n % 2 === 0 ? host : other).request('POST', '/status', { cookie }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const { sessions } of [host, other]) await sessions.idle();
    expect(anomalies).toHaveLength(1);
    expect(await listed(owner)).toHaveLength(2);
  });
});

describe('where a session was refreshed from', () => {
  it('is listed newest first, at most five, and empty while nothing has changed', async () => {
    const { clock, owner, sessions } = await copied();
    clock.advance(3_600);
    await owner.poll();
    expect(await listed(owner)).toEqual([]);
    for (let n = 1; n <= 7; n++) {
      move(owner, `198.51.100.${n}`, `Browser/${n}`);
      clock.advance(60);
      await owner.poll();
    }
    const expected = [7, 6, 5, 4, 3].map((n) => ({
      since: START + 3_600 + n * 60,
      ip: `198.51.100.${n}`,
      user_agent: `Browser/${n}`,
    }));
    expect(await listed(owner)).toEqual(expected);
    expect((await sessions.list('7')).sessions).toMatchObject([OWNER]);
  });

  it('is written once a minute at most, and not by polls of the same client', async () => {
    const sound = memorySessionStore();
    let writes = 0;
    const store = {
      ...sound,
      recordClients: (record: Parameters<typeof sound.recordClients>[0]) => {
        writes += 1;
        return sound.recordClients(record);
      },
    };
    const { clock, owner } = await copied({ store });
    for (let n = 0; n < 60; n++) {
      clock.advance(60);
      await owner.poll();
    }
    expect(writes).toBe(0);
    for (let n = 0; n < 600; n++) {
      clock.advance(1);
      move(owner, `198.51.100.${n % 200}`);
      await owner.poll();
    }
    expect(writes).toBe(10);
  });

  it('is stored as bounded text without control characters, and without a poll that failed', async () => {
    const { clock, owner, users, sessions } = await copied();
    move(owner, '198.51.100.1', `${'"'.repeat(300)}\u0007`);
    clock.advance(60);
    await owner.poll();
    const [entry] = (await sessions.list('7')).sessions[0]?.refreshedFrom ?? [];
    expect(entry).toEqual({ since: START + 60, ip: '198.51.100.1', userAgent: '"'.repeat(256) });
    users.delete('7');
    move(owner, '198.51.100.2');
    clock.advance(60);
    await owner.poll();
    expect((await sessions.list('7')).sessions).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { START } from '../fake-clock.ts';
import { expectProblem } from './session-answers.ts';
import { Browser, type SessionHostOptions, sessionHost } from './session-host.ts';

async function loggedIn(options: SessionHostOptions = {}) {
  const host = sessionHost(options);
  const browser = new Browser(host);
  await browser.logIn('7');
  return { ...host, host, browser };
}

/** A browser that holds copies of another one's cookies: a thief. */
function copyOf(
  host: { readonly sessions: ReturnType<typeof sessionHost>['sessions'] },
  browser: Browser,
): Browser {
  const copy = new Browser(host);
  for (const [name, cookie] of browser.cookies) copy.cookies.set(name, cookie);
  return copy;
}

describe('the time of the log-in', () => {
  const authTimeOf = async ({ auth, browser }: Awaited<ReturnType<typeof loggedIn>>) =>
    (await auth.validateAccessToken(browser.accessToken ?? '')).authTime;

  it('stays in the access token, whatever polls and rotations follow, until the next log-in', async () => {
    const host = await loggedIn({ rotateEverySeconds: 600 });
    expect(await authTimeOf(host)).toBe(START);
    const refreshTokens = new Set<string | undefined>();
    for (let poll = 0; poll < 30; poll++) {
      host.clock.advance(200);
      expect((await host.browser.poll()).status).toBe(200);
      refreshTokens.add(host.browser.refreshToken);
      expect(await authTimeOf(host)).toBe(START);
    }
    expect(refreshTokens.size).toBeGreaterThan(5);
    await host.browser.logIn('7');
    expect(await authTimeOf(host)).toBe(START + 6_000);
  });

  it('is never later than the token, where another process runs ahead', async () => {
    const host = await loggedIn();
    host.clock.advance(-30);
    expect((await host.browser.poll()).status).toBe(200);
    expect(await authTimeOf(host)).toBe(START - 30);
  });
});

describe('the rotation of refresh tokens', () => {
  it('happens once in rotateEverySeconds, not at every poll, and never for a token that nobody used', async () => {
    const { clock, browser } = await loggedIn({ rotateEverySeconds: 600 });
    const seen: (string | undefined)[] = [];
    for (let poll = 0; poll < 60; poll++) {
      clock.advance(60);
      expect((await browser.poll()).status).toBe(200);
      seen.push(browser.refreshToken);
    }
    expect(new Set(seen).size).toBe(6);
    clock.advance(3_000);
    const before = browser.refreshToken;
    await browser.poll();
    expect(browser.refreshToken).not.toBe(before);
  });

  it('heals an answer that got lost', async () => {
    const { clock, browser } = await loggedIn();
    clock.advance(900);
    const lost = await browser.request('POST', '/status');
    const [, successor] = lost.headers.getSetCookie();
    clock.advance(3_600);
    const next = await browser.poll();
    await expectProblem(next, 401, 'refresh_again');
    expect(next.headers.getSetCookie().map((cookie) => cookie.slice(0, 78))).toEqual([
      successor?.slice(0, 78),
    ]);
    expect((await browser.poll()).status).toBe(200);
  });

  it('gives a replaced token access for two poll intervals, and only its successor after that', async () => {
    const told: unknown[] = [];
    const { clock, auth, browser } = await loggedIn({
      authOptions: { onTokenRefused: ({ kind, code, reason }) => told.push({ kind, code, reason }) },
    });
    const cookie = browser.cookieHeader('/api/admin/auth/status');
    clock.advance(900);
    await browser.request('POST', '/status', { cookie });
    clock.advance(119);
    expect((await browser.request('POST', '/status', { cookie })).status).toBe(200);
    const { issued } = auth.stats();
    clock.advance(1);
    for (let night = 0; night < 9; night++) {
      const answer = await browser.request('POST', '/status', { cookie });
      expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^refresh_token=[0-9a-f]{64};/)]);
      await expectProblem(answer, 401, 'refresh_again');
      clock.advance(3_600);
    }
    expect(auth.stats().issued).toBe(issued);
    await auth.idle();
    expect(told).toEqual(Array(9).fill({ kind: 'refresh_token', code: 'refresh_again', reason: 'rotated' }));
  });
});

describe('a session whose user has more scopes than a token has room for', () => {
  const MANY = Array.from({ length: 57 }, (_, n) => `org:${`${n}`.padStart(36, '0')}:billing`);

  it('gets no token and no scope of before, says so, and goes on once they fit', async () => {
    const fields: object[] = [];
    const { auth, clock, users, browser } = await loggedIn({
      logger: { error: (told) => fields.push(told) },
    });
    users.set('7', { scopes: MANY });
    const { issued } = auth.stats();
    // Over rotations, each of which a poll answers with the successor's cookie alone.
    for (let minute = 0; minute < 120; minute++) {
      clock.advance(60);
      const response = await browser.poll();
      if (response.status === 401) {
        await expectProblem(response, 401, 'refresh_again');
        continue;
      }
      expect(await response.clone().text()).not.toMatch(/org:|"7"|4,?084/);
      expect([response.headers.get('retry-after'), response.headers.getSetCookie()]).toEqual([null, []]);
      await expectProblem(response, 403, 'token_too_large');
    }
    expect(auth.stats().issued).toBe(issued);
    expect(fields[0]).toMatchObject({ uid: '7', length: expect.any(Number) });
    users.set('7', { scopes: MANY.slice(0, 20) });
    const response = await browser.poll();
    expect(await response.json()).toMatchObject({ uid: '7', scopes: MANY.slice(0, 20) });
  });

  it('cannot be begun: the log-in makes none, and is no failed one', async () => {
    const host = sessionHost({ logger: { error: () => {} } });
    host.users.set('7', { scopes: MANY });
    const browser = new Browser(host);
    for (let n = 0; n < 20; n++) await expectProblem(await browser.logIn('7'), 403, 'token_too_large');
    expect(await host.sessions.list('7')).toMatchObject({ sessions: [] });
    expect([host.sessions.stats().loginsFailed, browser.cookies.size]).toEqual([0, 0]);
  });
});

describe('the reuse of a refresh token', () => {
  it('ends the whole session once the grace is over, is counted, and is told to the host', async () => {
    const reuses: object[] = [];
    const { clock, auth, host, browser, revoked, sessions } = await loggedIn({
      onReuseDetected: (event) => void reuses.push(event),
    });
    const thief = copyOf(host, browser);
    thief.headers = { 'user-agent': 'curl/8' };
    thief.connection = { ip: '203.0.113.9' };
    clock.advance(900);
    await browser.poll();
    await browser.poll();
    clock.advance(29);
    expect((await thief.request('POST', '/status')).status).toBe(200);
    expect(sessions.stats().reuseDetected).toBe(0);
    clock.advance(1);
    const refused = await thief.poll();
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ code: 'session_revoked' });
    expect(thief.cookies.size).toBe(0);
    const { accessToken = '' } = browser;
    await expect(auth.validateAccessToken(accessToken)).rejects.toMatchObject({ reason: 'revoked' });
    expect((await browser.poll()).status).toBe(401);
    await copyOf(host, browser).poll();
    expect(sessions.stats()).toMatchObject({ reuseDetected: 1, ended: 1 });
    const [event] = revoked;
    const sessionId = event?.sessionId;
    expect(revoked).toEqual([{ sessionId, uid: '7', reason: 'reuse', revokedAt: START + 930 }]);
    expect(reuses).toEqual([
      { sessionId, uid: '7', detectedAt: START + 930, ip: '203.0.113.9', userAgent: 'curl/8' },
    ]);
  });

  it('catches a thief who goes on with the successor while the owner sleeps', async () => {
    const { clock, host, browser, sessions } = await loggedIn();
    const thief = copyOf(host, browser);
    clock.advance(900);
    for (let minute = 0; minute < 60; minute++) {
      expect((await thief.poll()).status).toBe(200);
      clock.advance(60);
    }
    await expectProblem(await browser.poll(), 401, 'session_revoked');
    expect((await thief.poll()).status).toBe(401);
    expect(sessions.stats().reuseDetected).toBe(1);
  });

  it('leaves other sessions of the user alone', async () => {
    const { clock, host, browser } = await loggedIn();
    const thief = copyOf(host, browser);
    const phone = new Browser(host);
    await phone.logIn('7');
    clock.advance(900);
    await browser.poll();
    await browser.poll();
    clock.advance(30);
    expect((await thief.poll()).status).toBe(401);
    expect((await phone.poll()).status).toBe(200);
  });
});

describe('tabs that share their cookies', () => {
  const delay = fc.constantFrom(0, 0, 1, 29);
  /**
   * One poll of one tab: when it leaves, how long it is on its way, there and back, and whether it
   * ever comes back.
   */
  const poll = fc.record({
    after: fc.constantFrom(0, 0, 1, 2, 3, 5, 31, 45, 60),
    there: delay,
    back: delay,
    isLost: fc.boolean(),
  });
  /** Tabs poll together, at a wake-up, after a minute, a time to rotate, or a night's sleep. */
  const bursts = fc.array(
    fc.record({
      gap: fc.constantFrom(60, 840, 900, 901, 2_000),
      polls: fc.array(poll, { minLength: 1, maxLength: 8 }),
    }),
    { minLength: 2, maxLength: 20 },
  );

  it('are never logged out, whatever their polls do to one another on the way', async () => {
    await fc.assert(
      fc.asyncProperty(bursts, async (sequence) => {
        const { clock, browser, sessions } = await loggedIn();
        const steps: Step[] = [];
        let burstAt = 0;
        for (const { gap, polls } of sequence) {
          burstAt += gap;
          for (const { after, ...way } of polls) steps.push(pollAt(burstAt + after, way, browser, steps));
        }
        let now = 0;
        while (steps.length > 0) {
          const [step] = steps.sort((a, b) => a.time - b.time).splice(0, 1);
          if (step === undefined) break;
          clock.advance(step.time - now);
          now = step.time;
          await step.run();
        }
        expect(sessions.stats().reuseDetected).toBe(0);
        expect((await sessions.list('7')).sessions).toHaveLength(1);
      }),
      { numRuns: 60, examples: OVERTAKING },
    );
  });
});

/**
 * What logs a user out where the grace is shorter than 30 s; where a token's age counts from when
 * it was made.
 */
const OVERTAKING: [Burst[]][] = [
  [
    [
      { gap: 901, polls: [pollOf(0), pollOf(2), { ...pollOf(0), there: 29 }] },
      { gap: 60, polls: [pollOf(0)] },
      { gap: 60, polls: [pollOf(0)] },
    ],
  ],
  [
    [
      { gap: 900, polls: [{ ...pollOf(0), isLost: true }] },
      { gap: 2_000, polls: [{ ...pollOf(0), back: 29 }, pollOf(45), { ...pollOf(5), there: 29, back: 29 }] },
      { gap: 60, polls: [pollOf(0)] },
      { gap: 60, polls: [pollOf(0)] },
    ],
  ],
];

interface Poll {
  readonly after: number;
  readonly there: number;
  readonly back: number;
  readonly isLost: boolean;
}

interface Burst {
  readonly gap: number;
  readonly polls: Poll[];
}

function pollOf(after: number): Poll {
  return { after, there: 0, back: 0, isLost: false };
}

/** Something that happens at a time, in seconds from the log-in. */
interface Step {
  readonly time: number;
  run(): void | Promise<void>;
}

/**
 * A poll that leaves with the cookies of then, arrives later, and is answered later still, if ever.
 */
function pollAt(
  time: number,
  { there, back, isLost }: Omit<Poll, 'after'>,
  browser: Browser,
  steps: Step[],
): Step {
  return {
    time,
    run() {
      const cookie = browser.cookieHeader('/api/admin/auth/status');
      steps.push({
        time: time + there,
        async run() {
          const answer = await browser.request('POST', '/status', { cookie });
          const isAskedAgain = answer.status === 401;
          if (isAskedAgain) await expectProblem(answer, 401, 'refresh_again');
          else expect(answer.status).toBe(200);
          if (isLost) return;
          const receivedAt = time + there + back;
          steps.push({
            time: receivedAt,
            run() {
              browser.receive(answer);
              const again = { there: 0, back: 0, isLost: false };
              if (isAskedAgain) steps.push(pollAt(receivedAt, again, browser, steps));
            },
          });
        },
      });
    },
  };
}

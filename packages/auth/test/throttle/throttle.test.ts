import { describe, expect, it, vi } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { AuthError } from '../../src/errors.ts';
import { createThrottle } from '../../src/throttle/throttle.ts';
import { Browser, sessionHost } from '../sessions/session-host.ts';

describe('the log-in throttle', () => {
  it('refuses an account after ten failures, with the time to wait, whatever the password and the address', async () => {
    const host = sessionHost();
    const browser = new Browser(host);
    for (let i = 0; i < 10; i++) {
      browser.connection = { ip: `192.0.2.${i}` };
      expect((await browser.logIn('7', 'wrong')).status).toBe(401);
      host.clock.advance(1);
    }
    const refused = await browser.logIn('7');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('890');
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', title: 'Too Many Requests' });
    expect((await new Browser(host).logIn('42')).status).toBe(200);
    host.clock.advance(889);
    expect((await browser.logIn('7')).status).toBe(429);
    host.clock.advance(1);
    expect((await browser.logIn('7')).status).toBe(200);
  });

  it('gives places back although the clock fails while log-ins end', async () => {
    let isAway = false;
    const throttle = createThrottle(
      { maxFailuresPerAccount: 2, maxFailuresPerAddress: 100, windowSeconds: 900 },
      () => {
        if (isAway) throw new Error('the clock is away');
        return 1_000;
      },
    );
    const attempt = { names: ['7'], address: undefined };
    const admissions = [await throttle.admit(attempt), await throttle.admit(attempt)];
    isAway = true;
    for (const { end } of admissions) await end('nothing');
    isAway = false;
    await (await throttle.admit(attempt)).end('nothing');
  });

  it('asks a log-in beyond those under way to come back in a second', async () => {
    const verifying: (() => void)[] = [];
    const { sessions } = sessionHost({
      async verifyCredentials({ password }) {
        await new Promise<void>((resolve) => void verifying.push(resolve));
        return password === 'right' ? { uid: '7' } : undefined;
      },
    });
    const logIn = () => sessions.login({ login: '7', password: 'right' });
    const underWay = Array.from({ length: 10 }, logIn);
    await expect(logIn()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 });
    for (const resolve of verifying.splice(0)) resolve();
    await Promise.all(underWay);
    const next = logIn();
    await vi.waitFor(() => expect(verifying).toHaveLength(1), 60_000);
    verifying[0]?.();
    expect(await next).toMatchObject({ uid: '7' });
  });

  it('can be turned off, for a host that has its own', async () => {
    const { sessions } = sessionHost({ loginThrottle: false });
    for (let i = 0; i < 200; i++) {
      await expect(sessions.login({ login: '7' }, { ip: '192.0.2.1' })).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
    }
  });

  it('refuses an option that it does not have', () => {
    expect(() => sessionHost({ loginThrottle: { maxFailures: 3 } as object })).toThrow(/loginThrottle/);
  });
});

describe('the log-in throttle, by name', () => {
  inOneTest([
    [{ login: ' ADA ' }, { login: 'ada' }],
    [{ login: 'ada\u0363' }, { login: 'ada' }],
    [
      { username: 'ada', login: 'x' },
      { username: 'ada', login: 'y' },
    ],
    [{ email: 'ada', username: 'x' }, { login: 'ada' }],
  ])('takes %j and %j for one', async (first, second) => {
    const { sessions } = sessionHost({ loginThrottle: { maxFailuresPerAccount: 1 } });
    await expect(sessions.login(first)).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(sessions.login(second)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

describe('the log-in throttle, by address', () => {
  it('refuses an address after a hundred failures, every IPv6 address of one /64 and every spelling', async () => {
    const host = sessionHost();
    const browser = new Browser(host);
    for (let i = 0; i < 100; i++) {
      browser.connection = { ip: `2001:db8:0:1::${i.toString(16)}` };
      expect((await browser.logIn(`user${i}`, 'guess')).status).toBe(401);
    }
    for (const [ip, status] of [
      ['2001:0DB8:0000:0001:ffff::1', 429],
      ['2001:db8::1:0:0:0:5%eth0', 429],
      ['2001:db8:0:2::1', 200],
      ['192.0.2.1', 200],
    ] as const) {
      browser.connection = { ip };
      expect((await browser.logIn('7')).status, ip).toBe(status);
    }
  });

  it('never reads a header that a client could send, unless the host does', async () => {
    const options = { loginThrottle: { maxFailuresPerAddress: 1 } };
    const host = sessionHost(options);
    const browser = new Browser(host);
    await browser.logIn('1', 'x');
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip']) {
      browser.headers = { [name]: '198.51.100.1' };
      expect((await browser.logIn('2', 'x')).status).toBe(429);
    }
    const proxied = sessionHost({
      ...options,
      clientAddress: (request) => request.headers.get('x-forwarded-for') ?? undefined,
    });
    const behind = new Browser(proxied);
    for (const [ip, status] of [
      ['198.51.100.1', 401],
      ['198.51.100.2', 401],
      ['::ffff:198.51.100.1', 429],
      ['198.51.100.1:4711', 429],
    ] as const) {
      behind.headers = { 'x-forwarded-for': ip };
      expect((await behind.logIn('3', 'x')).status, ip).toBe(status);
    }
  });

  it('counts all clients without an address together, a hundred times as many', async () => {
    const host = sessionHost({ loginThrottle: { maxFailuresPerAddress: 1 } });
    const browser = new Browser(host);
    browser.connection = {};
    for (let i = 0; i < 100; i++) expect((await browser.logIn(`user${i}`, 'guess')).status).toBe(401);
    expect((await browser.logIn('7')).status).toBe(429);
    browser.connection = { ip: '192.0.2.1' };
    expect((await browser.logIn('7')).status).toBe(200);
  });
});

describe('the log-in throttle, by what failed', () => {
  it('counts failures alone: no number of right log-ins is too many', async () => {
    const { sessions } = sessionHost({
      loginThrottle: { maxFailuresPerAccount: 1, maxFailuresPerAddress: 1 },
    });
    for (let i = 0; i < 50; i++) {
      await sessions.login({ login: '7', password: 'secret of 7' }, { ip: '192.0.2.1' });
    }
    expect(sessions.stats().loggedIn).toBe(50);
  });

  inOneTest(['hashing_busy', 'unavailable', 'password_invalid', 'rate_limited', undefined] as const)(
    'locks no account where nothing may have been verified: %s',
    async (code) => {
      let isFailing = true;
      const { sessions } = sessionHost({
        loginThrottle: { maxFailuresPerAccount: 1 },
        verifyCredentials: async () => {
          if (isFailing) throw code === undefined ? new Error('down') : new AuthError(code, 'not now');
          return { uid: '7' };
        },
      });
      for (let i = 0; i < 5; i++)
        await expect(sessions.login({ login: '7' })).rejects.toThrow(/not now|down/);
      isFailing = false;
      expect(await sessions.login({ login: '7' })).toMatchObject({ uid: '7' });
    },
  );

  inOneTest([
    'token_invalid',
    'token_expired',
    'session_expired',
    'insufficient_scope',
    'input_invalid',
  ] as const)(
    'counts every other refusal of the verifier, which may be how it answers a guess: %s',
    async (code) => {
      const { sessions } = sessionHost({
        loginThrottle: { maxFailuresPerAccount: 1 },
        verifyCredentials: () => Promise.reject(new AuthError(code, 'wrong')),
      });
      await expect(sessions.login({ login: '7' })).rejects.toMatchObject({ code });
      await expect(sessions.login({ login: '7' })).rejects.toMatchObject({ code: 'rate_limited' });
    },
  );
});

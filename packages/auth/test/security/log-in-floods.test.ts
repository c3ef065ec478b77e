import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHashingLimiter } from '../../src/passwords/hashing-limiter.ts';
import { hashPassword } from '../../src/passwords/password.ts';
import { passwordCredentials } from '../../src/sessions/log-in/password-credentials.ts';
import { Browser, type SessionHostOptions, sessionHost } from '../sessions/session-host.ts';

const PASSWORD = 'correct horse battery staple';
const passwordHash = await hashPassword(PASSWORD);

/** A host whose users `ada` and `bob` have a password, under a limiter of its own. */
function passwordHost(options: SessionHostOptions = {}) {
  const limiter = createHashingLimiter();
  const uids = new Map([
    ['ada', '7'],
    ['bob', '42'],
  ]);
  const verifyCredentials = passwordCredentials({
    findUser: async (login) => {
      const uid = uids.get(login);
      return uid === undefined ? undefined : { uid, passwordHash };
    },
    limiter,
  });
  const host = sessionHost({ verifyCredentials, ...options });
  return { host, limiter };
}

type Host = ReturnType<typeof sessionHost>;

async function post(host: Host, ip: string | undefined, credentials: object): Promise<number> {
  const browser = new Browser(host);
  browser.connection = { ip };
  return (await browser.send('POST', '/login', { body: JSON.stringify(credentials) })).status;
}

describe('log-ins that verify nothing', () => {
  it.each([
    ['an empty password', { password: '' }],
    ['no password', {}],
    ['a password that is no text', { password: 42 }],
    ['a password that nobody can have', { password: 'x'.repeat(2_000) }],
    ['a name that nobody can have', { login: 'ad\u200Ba', password: 'x' }],
  ])('do not lock the account: %s', async (_, credentials) => {
    const { host } = passwordHost();
    for (let i = 0; i < 20; i += 1) await post(host, '192.0.2.1', { login: 'ada', ...credentials });
    expect(await post(host, '192.0.2.1', { login: 'ada', password: PASSWORD })).toBe(200);
  });

  it('count against the address that they come from, /64, /56 and /48', async () => {
    const { host } = passwordHost();
    const refusedAfter = async (addressOf: (i: number) => string) => {
      for (let i = 0; i < 2_000; i += 1) {
        if ((await post(host, addressOf(i), { login: `user-${i}` })) === 429) return i;
      }
      return Number.POSITIVE_INFINITY;
    };
    const hex = (i: number) => i.toString(16).padStart(2, '0');
    expect(await refusedAfter((i) => `2001:db8:1:100::${hex(i)}`)).toBe(100);
    expect(await refusedAfter((i) => `2001:db8:2:1${hex(i % 256)}::${hex(i)}`)).toBe(300);
    expect(await refusedAfter((i) => `2001:db8:3:${hex(i % 256)}${hex(i >> 8)}::1`)).toBe(1_000);
    expect(await refusedAfter(() => '198.51.100.1')).toBe(100);
    expect(await post(host, '2001:db8:4::1', { login: 'ada', password: PASSWORD })).toBe(200);
  });
});

describe('a full memory of failures', () => {
  it('neither unlocks an account that is locked nor refuses one that was never seen', async () => {
    const { sessions } = sessionHost({ loginThrottle: { maxFailuresPerAccount: 1 } });
    const guess = (login: string, i: number) =>
      sessions.login({ login, password: 'guess' }, { ip: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}` });
    await expect(guess('7', 0)).rejects.toMatchObject({ code: 'invalid_credentials' });
    for (let i = 1; i <= 50_000; i += 1) await guess(`made-up ${i}`, i).catch(() => {});
    await expect(sessions.login({ login: '7', password: 'secret of 7' })).rejects.toMatchObject({
      code: 'rate_limited',
    });
    expect(await sessions.login({ login: '42', password: 'secret of 42' })).toMatchObject({ uid: '42' });
  }, 240_000);
});

describe('an address with a port', () => {
  const clientAddress: SessionHostOptions['clientAddress'] = (request) =>
    request.headers.get('x-client') ?? undefined;

  it.each([
    ['198.51.100.7:40001', '198.51.100.7:50002', '198.51.100.8:40001'],
    ['[2001:db8::1]:40001', '[2001:db8::1]', '[2001:db8:1::1]:40001'],
    ['::ffff:198.51.100.7', '198.51.100.7:1', '[::ffff:198.51.100.8]:1'],
  ])('is that address: %s and %s, but not %s', async (address, same, other) => {
    const host = sessionHost({ clientAddress });
    const browser = new Browser(host);
    for (let i = 0; i < 100; i += 1) {
      browser.headers = { 'x-client': address.replace('40001', `${40_001 + i}`) };
      expect((await browser.logIn(`user-${i}`, 'guess')).status).toBe(401);
    }
    browser.headers = { 'x-client': same };
    expect((await browser.logIn('7')).status).toBe(429);
    browser.headers = { 'x-client': other };
    expect((await browser.logIn('7')).status).toBe(200);
  });

  it('that nobody can read goes with the unknown ones, and is logged once', async () => {
    const host = sessionHost({ clientAddress });
    const browser = new Browser(host);
    for (let i = 0; i < 101; i += 1) {
      browser.headers = { 'x-client': `client-${i}` };
      expect((await browser.logIn(`user-${i}`, 'guess')).status).toBe(401);
    }
    expect(host.logged).toEqual([expect.stringMatching(/address/)]);
  });

  it.each([42, ['192.0.2.1'], {}, true])(
    'that is no text is an error that names the option: %j',
    async (address) => {
      const errors: unknown[] = [];
      const logger = { error: (fields: object) => void errors.push(fields) };
      // A host without types can say anything.
      const clientAddress = () => address as string;
      const host = sessionHost({ clientAddress, logger });
      expect((await new Browser(host).logIn('7')).status).toBe(503);
      expect(errors).toEqual([
        { err: expect.objectContaining({ message: expect.stringMatching(/^clientAddress must/) }) },
      ]);
    },
  );

  it('is handed to beforeLogin without the port', async () => {
    const seen: unknown[] = [];
    const host = sessionHost({ clientAddress, beforeLogin: ({ ip }) => void seen.push(ip) });
    const browser = new Browser(host);
    for (const address of ['198.51.100.7:40001', '[2001:DB8::0:1]:443', '::ffff:192.0.2.1', 'proxy']) {
      browser.headers = { 'x-client': address };
      await browser.logIn('7');
    }
    expect(seen).toEqual(['198.51.100.7', '2001:db8::1', '192.0.2.1', 'proxy']);
  });
});

describe('beforeLogin', () => {
  it('hears the account that the verifier reads, whatever else the credentials name', async () => {
    const heard = new Map<string, number>();
    const host = sessionHost({
      verifyCredentials: async ({ email, password }) => (password === email ? { uid: '7' } : undefined),
      beforeLogin: (event) => {
        for (const login of event.logins) heard.set(login, (heard.get(login) ?? 0) + 1);
        return event.logins.every((login) => (heard.get(login) ?? 0) <= 10);
      },
      loginThrottle: false,
    });
    const statuses = new Map<number, number>();
    for (let i = 0; i < 400; i += 1) {
      const status = await post(host, '192.0.2.1', {
        login: `made-up ${i}`,
        email: 'victim',
        password: `guess ${i}`,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 401: 10, 429: 390 });
  });
});

describe('a login that is no text, where the lookup of the host takes it for one', () => {
  /** As drivers do that write an array as a list, and a number as its digits. */
  const verifyCredentials = async ({ login, password }: Record<string, unknown>) => {
    guesses.push(login);
    return String(login) === '7' && password === 'secret of 7' ? { uid: '7' } : undefined;
  };
  const guesses: unknown[] = [];
  afterEach(() => void guesses.splice(0));

  const SPELLINGS = [['7'], [['7']], 7, true, { toString: '7' }];

  it.each(['login', 'username', 'email'])('is refused unverified, and unheard of: %s', async (member) => {
    const heard: unknown[] = [];
    for (const loginThrottle of [undefined, false] as const) {
      const host = sessionHost({
        verifyCredentials,
        loginThrottle,
        beforeLogin: ({ logins }) => void heard.push(logins),
      });
      for (const spelling of SPELLINGS) {
        expect(await post(host, '192.0.2.1', { [member]: spelling, password: 'secret of 7' })).toBe(422);
      }
    }
    expect([guesses, heard]).toEqual([[], []]);
  });

  it.each([
    [
      'what loginOf answers',
      { verifyCredentials, loginOf: ({ login }: Record<string, unknown>) => login as string },
    ],
  ])('is refused as %s', async (_, options) => {
    const host = sessionHost(options);
    for (const login of SPELLINGS) {
      expect(await post(host, '192.0.2.1', { login, password: 'secret of 7' })).toBe(422);
    }
    expect(guesses).toEqual([]);
    expect(await post(host, '192.0.2.1', { login: '7', email: ['7'], password: 'secret of 7' })).toBe(200);
  });

  it('counts against its address, and shuts nobody out elsewhere', async () => {
    const host = sessionHost({ verifyCredentials });
    for (let n = 0; n < 100; n++) {
      expect(await post(host, '192.0.2.1', { login: 90_000 + n, password: 'x' })).toBe(422);
    }
    expect(await post(host, '192.0.2.1', { login: '7', password: 'secret of 7' })).toBe(429);
    expect(await post(host, '192.0.2.2', { login: '7', password: 'secret of 7' })).toBe(200);
  });
});

describe('a login of thousands of characters', () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each(['login', 'username', 'email'])('is cut before it is normalised: %s', async (member) => {
    const host = sessionHost();
    let most = 0;
    const { normalize } = String.prototype;
    vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form?: string) {
      most = Math.max(most, this.length);
      return normalize.call(this, form);
    });
    expect(await post(host, '192.0.2.1', { [member]: '\uFDFA'.repeat(2_700), password: 'x' })).toBe(422);
    expect(await post(host, '192.0.2.1', { [member]: '\uFDFA'.repeat(256), password: 'x' })).toBe(401);
    expect(most).toBe(128);
  });
});

describe('the hashing queue', () => {
  it('serves a client in its turn while 140 connections from one /48 flood it', async () => {
    const { host } = passwordHost();
    const done: string[] = [];
    const flood = Array.from({ length: 140 }, async (_, i) => {
      const status = await post(host, `2001:db8:1:${i.toString(16)}::1`, {
        login: `user-${i}`,
        password: 'x',
      });
      if (status !== 503) done.push('flood');
      return status;
    });
    const others = ['2001:db8:2::1', '192.0.2.1', '198.51.100.1'].map(async (ip) => {
      const status = await post(host, ip, { login: 'ada', password: PASSWORD });
      done.push('other');
      return status;
    });
    expect(await Promise.all(others)).toEqual([200, 200, 200]);
    const statuses = await Promise.all(flood);
    expect(statuses.filter((status) => status === 401)).toHaveLength(18);
    expect(statuses.filter((status) => status === 503)).toHaveLength(122);
    // Two are running, and one of the flood's has its turn between two of the others.
    expect(done.lastIndexOf('other')).toBeLessThan(9);
  });

  it('is used for ten log-ins of one name at once, and never for more than ten guesses', async () => {
    const verifying: (() => void)[] = [];
    const { sessions } = sessionHost({
      verifyCredentials: async ({ password }) => {
        await new Promise<void>((resolve) => void verifying.push(resolve));
        return password === 'right' ? { uid: '7' } : undefined;
      },
    });
    /** Rounds of twenty at once, of which every third is right. */
    for (let round = 0; round < 10; round++) {
      // Some are refused before the others are verified.
      const settled = Promise.allSettled(
        Array.from({ length: 20 }, (_, i) =>
          sessions.login({ login: '7', password: i % 3 === 0 ? 'right' : `guess ${i}` }),
        ),
      );
      await new Promise((resolve) => setImmediate(resolve));
      expect(verifying.length).toBeLessThanOrEqual(10);
      for (const resolve of verifying.splice(0)) resolve();
      await settled;
    }
    const { loginsFailed, loggedIn } = sessions.stats();
    // The last place goes to the first of each round, which is right.
    expect([loginsFailed, loggedIn]).toEqual([9, 14]);
  });
});

import { describe, expect, it } from 'vitest';
import type { LoginFailureStore } from '../../src/throttle/login-failure-store.ts';
import { memoryLoginFailures } from '../contract/memory-login-failures.ts';
import { Browser, type SessionHost, sessionHost } from '../sessions/session-host.ts';

const PATH = '/api/admin/auth/login';

/**
 * Two processes whose users have a password, and a verifier that counts its guesses. The names
 * `josé` and `jose` are two accounts, whose names count as one.
 */
function deviceHosts(store?: LoginFailureStore, isOn = true) {
  const passwords = new Map([
    ['7', 'right'],
    ['42', 'mine'],
    ['jos\u00E9', 'right'],
    ['jose', 'mine'],
  ]);
  const guesses = new Map<string, number>();
  const create = () =>
    sessionHost({
      loginThrottle: { store, ...(!isOn && { knownDevices: false }) },
      loadUser: async () => ({ scopes: [] }),
      async verifyCredentials({ login, password }, { mayTry }) {
        const uid = String(login);
        const right = passwords.get(uid);
        if (right === undefined || !(await mayTry?.(uid))) return undefined;
        if (password !== right) guesses.set(uid, (guesses.get(uid) ?? 0) + 1);
        return password === right ? { uid } : undefined;
      },
    });
  const hosts = [create(), create()] as const;
  const advance = (seconds: number) => {
    for (const { clock } of hosts) clock.advance(seconds);
  };
  return { hosts, guesses, advance };
}

async function deviceCookie(host: SessionHost, login: string, password: string): Promise<string> {
  const browser = new Browser(host);
  expect((await browser.logIn(login, password)).status).toBe(200);
  return browser.cookies.get('known_device')?.value ?? 'no cookie';
}

async function guess(host: SessionHost, i: number, cookie: string, login = '7'): Promise<number> {
  const browser = new Browser(host);
  browser.connection = { ip: `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}` };
  const body = JSON.stringify({ login, password: `guess ${i}` });
  return (await browser.send('POST', '/login', { body, ...(cookie !== '' && { cookie }) })).status;
}

const STEPS_PER_DAY = 24 * 4;
const GUESSES_PER_STEP = 25;

/**
 * Lets an attacker guess for a day, from an address of its own each time, at one process or at
 * both, with cookies that it can have. Meanwhile the owner logs in from its own browser, where that
 * works.
 *
 * @returns the guesses that were verified
 */
async function attackForADay(store: LoginFailureStore | undefined, isOn: boolean): Promise<number> {
  const { hosts, guesses, advance } = deviceHosts(store, isOn);
  const [host, other] = hosts;
  const foreign = sessionHost({
    authOptions: { cookiePath: '/api' },
    async verifyCredentials(_, { mayTry }) {
      await mayTry?.('7');
      return { uid: '7' };
    },
  });
  const owner = new Browser(host);
  const own = await deviceCookie(host, '42', 'mine');
  const ofInstance = await deviceCookie(foreign, '7', 'any');
  expect((await owner.logIn('7', 'right')).status).toBe(200);
  const genuine = owner.cookies.get('known_device')?.value ?? 'none';
  const cookies = [
    '',
    `known_device=${own}`,
    `known_device=${ofInstance}`,
    `known_device=${genuine.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))}`,
    `known_device=${genuine.split('.').slice(0, 3).join('.')}.${own.split('.')[3]}`,
    `known_device=${'0'.repeat(32)}.${genuine.split('.').slice(1).join('.')}`,
    `known_device=${'0'.repeat(32)}.${Math.floor(host.clock() / 1000)}.${'A'.repeat(43)}.${'A'.repeat(51)}`,
    Array.from({ length: 5 }, () => `known_device=${genuine}`).join('; '),
  ];
  for (let step = 0, i = 0; step < STEPS_PER_DAY; step++) {
    for (const end = i + GUESSES_PER_STEP; i < end; i++) {
      const target = store !== undefined && i % 2 === 1 ? other : host;
      await guess(target, i, cookies[i % cookies.length] ?? '');
    }
    if (isOn) expect((await owner.logIn('7', 'right')).status).toBe(200);
    advance(900);
  }
  return guesses.get('7') ?? 0;
}

describe.each([
  ['in memory', () => undefined],
  ['in a store that two processes share', memoryLoginFailures],
])('known devices, %s', (_, createStore) => {
  it('open no guess to anybody else in a day, while the owner logs in at any time', async () => {
    expect(await attackForADay(createStore(), false)).toBe(960);
    expect(await attackForADay(createStore(), true)).toBe(960);
  }, 240_000);

  it('leave the thief of a cookie ten guesses in a window, wherever it is sent from', async () => {
    const store = createStore();
    const { hosts, guesses, advance } = deviceHosts(store);
    const cookie = `known_device=${await deviceCookie(hosts[0], '7', 'right')}`;
    for (const total of [10, 20]) {
      await Promise.all(
        Array.from({ length: 1_000 }, (_, i) => guess(store && i % 2 ? hosts[1] : hosts[0], i, cookie)),
      );
      for (let i = 0; i < 20; i++) expect(await guess(hosts[0], i, cookie)).toBe(429);
      expect(guesses.get('7')).toBe(total);
      // The account itself is not locked by it.
      expect((await new Browser(hosts[0]).logIn('7', 'right')).status).toBe(200);
      advance(900);
    }
  });

  it('give whoever has one of two accounts with alike names no guesses at the other', async () => {
    const { hosts, guesses } = deviceHosts(createStore());
    const owner = new Browser(hosts[0]);
    expect((await owner.logIn('jos\u00E9', 'right')).status).toBe(200);
    for (let i = 0; i < 50; i++) {
      const cookie = `known_device=${await deviceCookie(hosts[0], 'jose', 'mine').catch(() => 'none')}`;
      for (let n = 0; n < 3; n++) await guess(hosts[0], 10 * i + n, cookie, 'jos\u00E9');
    }
    expect(guesses.get('jos\u00E9')).toBeLessThanOrEqual(10);
    expect((await owner.logIn('jos\u00E9', 'right')).status).toBe(200);
  });

  it('leave the limits of an address in force', async () => {
    const { hosts } = deviceHosts(createStore());
    const browser = new Browser(hosts[0]);
    await browser.logIn('7', 'right');
    const attacker = new Browser(hosts[0]);
    for (let i = 0; i < 100; i++) await attacker.logIn(`user-${i}`, 'guess');
    expect((await browser.logIn('7', 'right')).status).toBe(429);
    browser.connection = { ip: '198.51.100.1' };
    expect((await browser.logIn('7', 'right')).status).toBe(200);
  });
});

describe('the cookie of a known device', () => {
  it('lets nobody in without a password, and authenticates no request', async () => {
    const { hosts } = deviceHosts();
    const cookie = `known_device=${await deviceCookie(hosts[0], '7', 'right')}`;
    const browser = new Browser(hosts[0]);
    for (const [method, path] of [
      ['POST', '/status'],
      ['GET', '/sessions'],
    ] as const) {
      expect((await browser.send(method, path, { cookie })).status).toBe(401);
    }
    const body = JSON.stringify({ login: '7' });
    expect((await browser.send('POST', '/login', { cookie, body })).status).toBe(401);
    const request = new Request(`https://app.example${PATH}`, { headers: { cookie } });
    await expect(hosts[0].auth.authenticate(request)).rejects.toMatchObject({ code: 'token_missing' });
  });

  it('does not count for a log-in that names another account as well', async () => {
    const { hosts, guesses } = deviceHosts();
    const cookie = `known_device=${await deviceCookie(hosts[0], '42', 'mine')}`;
    const browser = new Browser(hosts[0]);
    for (let i = 0; i < 50; i++) {
      browser.connection = { ip: `10.0.0.${i}` };
      const body = JSON.stringify({ login: '7', username: '42', password: `guess ${i}` });
      await browser.send('POST', '/login', { cookie, body });
    }
    expect(guesses.get('7')).toBe(10);
  });
});

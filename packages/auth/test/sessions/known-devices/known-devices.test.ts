import { describe, expect, it } from 'vitest';
import { hashPassword } from '../../../src/passwords/password.ts';
import type { KnownDevicesOptions } from '../../../src/sessions/known-devices/known-devices-options.ts';
import { passwordCredentials } from '../../../src/sessions/log-in/password-credentials.ts';
import { Browser, type SessionHostOptions, SIGNING_KEY, sessionHost } from '../session-host.ts';

const PASSWORD = 'correct horse battery staple';
const passwordHash = await hashPassword(PASSWORD);

function deviceHost(knownDevices: KnownDevicesOptions = {}, options: SessionHostOptions = {}) {
  const user = { uid: '7', passwordHash };
  const lookups: string[] = [];
  const verifyCredentials = passwordCredentials({
    findUser: async (login) => {
      lookups.push(login);
      return login.toLowerCase() === 'ada' ? user : undefined;
    },
  });
  const host = sessionHost({ verifyCredentials, loginThrottle: { knownDevices }, ...options });
  return { host, user, lookups };
}

const lockOut = async (host: ReturnType<typeof sessionHost>) => {
  for (let i = 0; i < 10; i++) await new Browser(host).logIn('ada', 'guess');
  expect((await new Browser(host).logIn('ada', PASSWORD)).status).toBe(429);
};

const cookieOf = (browser: Browser) => browser.cookies.get('known_device')?.value ?? '';

describe('a known device', () => {
  it('is remembered in a cookie for the authentication endpoints, for 90 days', async () => {
    const { host } = deviceHost();
    const response = await new Browser(host).logIn('ada', PASSWORD);
    const [line] = response.headers.getSetCookie().filter((cookie) => cookie.startsWith('known_device='));
    expect(line).toMatch(
      /^known_device=[0-9a-f]{32}\.\d{10}\.[\w-]{43}\.[\w-]{43}; Max-Age=7776000; Path=\/api\/admin\/auth; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('gets name, life, prefix and path from the options', async () => {
    const { host } = deviceHost(
      { cookieName: 'seen', maxAgeSeconds: 60 },
      { authOptions: { cookiePath: '/', cookiePrefix: '__Host-' } },
    );
    const response = await new Browser(host).logIn('ada', PASSWORD);
    expect(response.headers.getSetCookie().at(-1)).toMatch(
      /^__Host-seen=[^;]+; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('logs in while its account is locked, in any spelling of the name, and keeps its id', async () => {
    const { host } = deviceHost();
    const browser = new Browser(host);
    await browser.logIn('ada', PASSWORD);
    const [id] = cookieOf(browser).split('.');
    await lockOut(host);
    host.clock.advance(1);
    expect((await browser.logIn('Ada', PASSWORD)).status).toBe(200);
    expect(cookieOf(browser).split('.').slice(0, 2)).toEqual([id, String(Math.floor(host.clock() / 1000))]);
  });

  it('stays known after a log-out, and until its life ends', async () => {
    const { host } = deviceHost({ maxAgeSeconds: 500 });
    const browser = new Browser(host);
    await browser.logIn('ada', PASSWORD);
    await browser.send('POST', '/logout');
    await lockOut(host);
    const cookie = cookieOf(browser);
    host.clock.advance(499);
    expect((await browser.logIn('ada', PASSWORD)).status).toBe(200);
    browser.cookies.set('known_device', { value: cookie, path: '/api/admin/auth' });
    host.clock.advance(1);
    expect((await browser.logIn('ada', PASSWORD)).status).toBe(429);
  });

  it('is unknown once the password has changed, and gets a new id', async () => {
    const { host, user } = deviceHost();
    const browser = new Browser(host);
    await browser.logIn('ada', PASSWORD);
    const [id] = cookieOf(browser).split('.');
    user.passwordHash = await hashPassword('another password');
    for (let i = 0; i < 10; i++) await new Browser(host).logIn('ada', 'guess');
    expect((await browser.logIn('ada', 'another password')).status).toBe(429);
    host.clock.advance(900);
    expect((await browser.logIn('ada', 'another password')).status).toBe(200);
    expect(cookieOf(browser).split('.')[0]).not.toBe(id);
  });

  it('stays known while the signing key is rotated', async () => {
    const old = { kid: 'old', key: SIGNING_KEY };
    const next = { kid: 'new', key: 'the next signing key of at least 32 bytes' };
    const { host } = deviceHost({}, { authOptions: { signingKey: undefined, signingKeys: [old] } });
    const { host: rotated } = deviceHost(
      {},
      { authOptions: { signingKey: undefined, signingKeys: [next, old] } },
    );
    const { host: later } = deviceHost({}, { authOptions: { signingKey: undefined, signingKeys: [next] } });
    const browser = new Browser(host);
    await browser.logIn('ada', PASSWORD);
    const cookie = `known_device=${cookieOf(browser)}`;
    const body = JSON.stringify({ login: 'ada', password: PASSWORD });
    for (const [process, status] of [
      [rotated, 200],
      [later, 429],
    ] as const) {
      await lockOut(process);
      expect((await new Browser(process).send('POST', '/login', { cookie, body })).status).toBe(status);
    }
  });

  it('is looked for only with a cookie that this instance issued for the login', async () => {
    const { host, lookups } = deviceHost();
    const browser = new Browser(host);
    await browser.logIn('ada', PASSWORD);
    const cookie = cookieOf(browser);
    const body = JSON.stringify({ login: 'bob', password: PASSWORD });
    lookups.length = 0;
    for (const value of [cookie, cookie.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')), 'x', '']) {
      await new Browser(host).send('POST', '/login', { cookie: `known_device=${value}`, body });
    }
    expect(lookups).toEqual(['bob', 'bob', 'bob', 'bob']);
  });

  it('costs no lookup once it is at its limit', async () => {
    const { host, lookups } = deviceHost();
    const browser = new Browser(host);
    await browser.logIn('ada', PASSWORD);
    for (let i = 0; i < 10; i++) await browser.logIn('ada', 'guess');
    lookups.length = 0;
    for (let i = 0; i < 50; i++) expect((await browser.logIn('ada', PASSWORD)).status).toBe(429);
    expect(lookups).toEqual([]);
  });

  it('belongs to the user whom its login names now', async () => {
    const { host, user } = deviceHost();
    const browser = new Browser(host);
    await browser.logIn('ada', PASSWORD);
    user.uid = '42';
    await lockOut(host);
    expect((await browser.logIn('ada', PASSWORD)).status).toBe(429);
  });

  it('is found among at most four cookies of its name', async () => {
    const { host } = deviceHost();
    const browser = new Browser(host);
    await browser.logIn('ada', PASSWORD);
    const own = `known_device=${cookieOf(browser)}`;
    await lockOut(host);
    const body = JSON.stringify({ login: 'ada', password: PASSWORD });
    const planted = (count: number) => [...Array(count).fill('known_device=planted'), own].join('; ');
    const statusWith = async (cookie: string) =>
      (await new Browser(host).send('POST', '/login', { cookie, body })).status;
    expect(await statusWith(planted(3))).toBe(200);
    expect(await statusWith(planted(4))).toBe(429);
  });

  it('is not made by loginAs, which proves no password', async () => {
    const { host } = deviceHost();
    const { cookies } = await host.sessions.loginAs('7');
    expect(cookies).toHaveLength(2);
  });

  it('is remembered with the hash that replaced another', async () => {
    const user = { uid: '7', passwordHash: await hashPassword(PASSWORD) };
    const verifyCredentials = passwordCredentials({
      findUser: async () => user,
      async updateHash(_user, _old, next) {
        user.passwordHash = next;
      },
      iterations: 110_000,
    });
    const host = sessionHost({ verifyCredentials, loginThrottle: { knownDevices: {} } });
    const browser = new Browser(host);
    await browser.logIn('ada', PASSWORD);
    expect(user.passwordHash).toContain('110000');
    await lockOut(host);
    expect((await browser.logIn('ada', PASSWORD)).status).toBe(200);
  });

  it('is not made, and that is logged once, if the verifier gives no password version', async () => {
    const host = sessionHost({ loginThrottle: { knownDevices: { findAccount: async () => undefined } } });
    for (let i = 0; i < 3; i++) {
      const browser = new Browser(host);
      await browser.logIn('7');
      expect(browser.cookies.size).toBe(2);
    }
    expect(host.logged).toEqual([expect.stringContaining('passwordVersion')]);
  });

  it.each([7, '', 'x'.repeat(1_025)])(
    'leaves no session behind if its password version is %j',
    async (version) => {
      const host = sessionHost({
        verifyCredentials: async () => ({ uid: '7', passwordVersion: version as string }),
        loginThrottle: { knownDevices: { findAccount: async () => undefined } },
      });
      expect((await new Browser(host).logIn()).status).toBe(503);
      expect((await host.sessions.list('7')).sessions).toEqual([]);
    },
  );

  it.each([
    [{ cookieName: 'refresh_token' }, /cookieName must differ/],
    [{ cookieName: '__Host-x' }, /cookieName/],
    [{ maxAgeSeconds: 0 }, /knownDevices.maxAgeSeconds/],
    [{ maxFailuresPerDevice: 0 }, /knownDevices.maxFailuresPerDevice/],
    [{ other: 1 }, /knownDevices has no option "other"/],
  ])('refuses the options %j', (options, message) => {
    expect(() => deviceHost(options as KnownDevicesOptions)).toThrow(message);
  });
});

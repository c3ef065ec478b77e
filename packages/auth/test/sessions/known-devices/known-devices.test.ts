import { describe, expect, it } from 'vitest';
import { hashPassword } from '../../../src/passwords/password.ts';
import { passwordCredentials } from '../../../src/sessions/log-in/password-credentials.ts';
import { Browser, type SessionHostOptions, SIGNING_KEY, sessionHost } from '../session-host.ts';

const PASSWORD = 'correct horse battery staple';
const NEW_PASSWORD = 'another password';
const passwordHash = await hashPassword(PASSWORD);

function deviceHost(options: SessionHostOptions = {}) {
  const user = { uid: '7', passwordHash };
  const lookups: string[] = [];
  const verifyCredentials = passwordCredentials({
    findUser: async (login) => {
      lookups.push(login);
      return login.toLowerCase() === 'ada' ? user : undefined;
    },
  });
  const host = sessionHost({ verifyCredentials, ...options });
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
      /^known_device=[0-9a-f]{32}\.\d{10}\.[\w-]{43}\.[\w-]{51}; Max-Age=7776000; Path=\/api\/admin\/auth; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('gets prefix and path from the options', async () => {
    const { host } = deviceHost({ authOptions: { cookiePath: '/', cookiePrefix: '__Host-' } });
    const response = await new Browser(host).logIn('ada', PASSWORD);
    expect(response.headers.getSetCookie().at(-1)).toMatch(
      /^__Host-known_device=[^;]+; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('has a cookie of its own in each of two instances that are on one path', async () => {
    const authOptions = { cookiePath: '/', cookiePrefix: '__Host-' } as const;
    const ownNames = { accessTokenCookieName: 'admin_access', refreshTokenCookieName: 'admin_refresh' };
    const hosts = [authOptions, { ...authOptions, ...ownNames }].map(
      (options) => deviceHost({ authOptions: options }).host,
    );
    const names = hosts.map(async (host) => {
      const browser = new Browser(host);
      await browser.logIn('ada', PASSWORD);
      return [...browser.cookies.keys()].find((name) => name.endsWith('known_device'));
    });
    expect(await Promise.all(names)).toEqual(['__Host-known_device', '__Host-admin_refresh.known_device']);
  });

  it('is recognised by a cookie of that name', async () => {
    const { host } = deviceHost({ authOptions: { refreshTokenCookieName: 'admin_refresh' } });
    const browser = new Browser(host);
    await browser.logIn('ada', PASSWORD);
    await lockOut(host);
    expect((await browser.logIn('ada', PASSWORD)).status).toBe(200);
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
    const { host } = deviceHost();
    const browser = new Browser(host);
    await browser.logIn('ada', PASSWORD);
    await browser.send('POST', '/logout');
    const cookie = cookieOf(browser);
    host.clock.advance(90 * 86_400 - 1);
    await lockOut(host);
    expect((await browser.logIn('ada', PASSWORD)).status).toBe(200);
    browser.cookies.set('known_device', { value: cookie, path: '/api/admin/auth' });
    host.clock.advance(1);
    expect((await browser.logIn('ada', PASSWORD)).status).toBe(429);
  });

  it('stays known when the password changes, or its hash is replaced', async () => {
    const { host, user } = deviceHost();
    const browser = new Browser(host);
    await browser.logIn('ada', PASSWORD);
    user.passwordHash = await hashPassword('another password');
    for (let i = 0; i < 10; i++) await new Browser(host).logIn('ada', 'guess');
    expect((await new Browser(host).logIn('ada', 'another password')).status).toBe(429);
    expect((await browser.logIn('ada', 'another password')).status).toBe(200);
  });

  it('stays known while the signing key is rotated', async () => {
    const old = { kid: 'old', key: SIGNING_KEY };
    const next = { kid: 'new', key: 'the-next-signing-key-of-at-least-32-bytes' };
    const { host } = deviceHost({ authOptions: { signingKey: undefined, signingKeys: [old] } });
    const { host: rotated } = deviceHost({
      authOptions: { signingKey: undefined, signingKeys: [next, old] },
    });
    const { host: later } = deviceHost({ authOptions: { signingKey: undefined, signingKeys: [next] } });
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
    const [id] = cookieOf(browser).split('.');
    user.uid = '42';
    await lockOut(host);
    // As with a wrong password, because the name does not say yet that its account is another.
    expect((await browser.logIn('ada', PASSWORD)).status).toBe(401);
    host.clock.advance(900);
    expect((await browser.logIn('ada', PASSWORD)).status).toBe(200);
    expect(cookieOf(browser).split('.')[0]).not.toBe(id);
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

  it('is known to a verifier that says which account it has found, and to no other', async () => {
    for (const isTold of [true, false]) {
      const host = sessionHost({
        async verifyCredentials({ login }, { mayTry }) {
          if (isTold) expect(await mayTry?.(String(login))).toBe(true);
          return { uid: String(login) };
        },
      });
      const browser = new Browser(host);
      expect((await browser.logIn('7')).status).toBe(200);
      expect(browser.cookies.has('known_device')).toBe(isTold);
    }
  });

  it('refuses an instance that has given its name to a token cookie', () => {
    const authOptions = { accessTokenCookieName: 'known_device' };
    expect(() => deviceHost({ authOptions })).toThrow(/must not be "known_device"/);
  });
});

/** Takes a `Set-Cookie` value as a browser takes it from an answer of any route. */
function receive(browser: Browser, setCookie: string | undefined): void {
  if (setCookie === undefined) throw new Error('no cookie');
  browser.receive(new Response(null, { headers: { 'set-cookie': setCookie } }));
}

describe('readDeviceCookies', () => {
  it('lets a log-in route of the host recognise a device, from headers of either kind', async () => {
    const { host: app } = deviceHost();
    const browser = new Browser(app);
    await browser.logIn('ada', PASSWORD);
    const cookie = browser.cookieHeader('/api/admin/auth/own-route');
    const values = app.sessions.readDeviceCookies({ cookie });
    expect(values).toEqual([browser.cookies.get('known_device')?.value]);
    expect(app.sessions.readDeviceCookies(new Headers({ cookie }))).toEqual(values);
    for (let i = 0; i < 10; i++) await new Browser(app).logIn('ada', 'guess');
    const credentials = { login: 'ada', password: PASSWORD };
    await expect(app.sessions.login(credentials)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await app.sessions.login(credentials, { deviceCookies: values })).toMatchObject({ uid: '7' });
  });

  it('reads no more than five, and none without known devices', () => {
    const cookie = Array(20).fill('known_device=planted').join('; ');
    expect(deviceHost().host.sessions.readDeviceCookies({ cookie })).toHaveLength(5);
    const { sessions } = sessionHost({ loginThrottle: { knownDevices: false } });
    expect(sessions.readDeviceCookies({ cookie })).toEqual([]);
  });
});

describe('rememberDevice', () => {
  it('lets the owner of a locked account log in with the password of a reset', async () => {
    const { host: app, user } = deviceHost();
    const owner = new Browser(app);
    await owner.logIn('ada', PASSWORD);
    for (let i = 0; i < 10; i++) await new Browser(app).logIn('ada', 'guess');
    user.passwordHash = await hashPassword(NEW_PASSWORD);
    receive(owner, await app.sessions.rememberDevice('ada', { uid: '7' }));
    expect((await new Browser(app).logIn('ada', NEW_PASSWORD)).status).toBe(429);
    expect((await owner.logIn('ada', NEW_PASSWORD)).status).toBe(200);
  });

  it('gives the cookie that a log-in gives, for the authentication endpoints', async () => {
    expect(await deviceHost().host.sessions.rememberDevice('ada', { uid: '7' })).toMatch(
      /^known_device=[0-9a-f]{32}\.\d{10}\.[\w-]{43}\.[\w-]{51}; Max-Age=7776000; Path=\/api\/admin\/auth; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('gives nothing without known devices', async () => {
    const { sessions } = sessionHost({ loginThrottle: { knownDevices: false } });
    expect(await sessions.rememberDevice('ada', { uid: '7' })).toBeUndefined();
  });

  it.each([
    ['', '7'],
    ['x'.repeat(257), '7'],
    ['ada', ''],
  ])('refuses what cannot be a login or a user: %j, %j', async (login, uid) => {
    await expect(deviceHost().host.sessions.rememberDevice(login, { uid })).rejects.toThrow(TypeError);
  });
});

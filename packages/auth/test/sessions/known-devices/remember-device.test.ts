import { describe, expect, it } from 'vitest';
import { hashPassword } from '../../../src/passwords/password.ts';
import { passwordCredentials } from '../../../src/sessions/log-in/password-credentials.ts';
import { Browser, sessionHost } from '../session-host.ts';

const PASSWORD = 'correct horse battery staple';
const NEW_PASSWORD = 'another password';
const [oldHash, newHash] = await Promise.all([hashPassword(PASSWORD), hashPassword(NEW_PASSWORD)]);

function host() {
  const user = { uid: '7', passwordHash: oldHash };
  const verifyCredentials = passwordCredentials({
    findUser: async (login) => (login === 'ada' ? user : undefined),
  });
  return { ...sessionHost({ verifyCredentials, loginThrottle: { knownDevices: {} } }), user };
}

/** Takes a `Set-Cookie` value as a browser takes it from an answer of any route. */
function receive(browser: Browser, setCookie: string | undefined): void {
  if (setCookie === undefined) throw new Error('no cookie');
  browser.receive(new Response(null, { headers: { 'set-cookie': setCookie } }));
}

describe('readDeviceCookies', () => {
  it('lets a log-in route of the host recognise a device, from headers of either kind', async () => {
    const app = host();
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
    expect(host().sessions.readDeviceCookies({ cookie })).toHaveLength(5);
    expect(sessionHost().sessions.readDeviceCookies({ cookie })).toEqual([]);
  });
});

describe('rememberDevice', () => {
  it('lets the owner of a locked account log in with the password of a reset', async () => {
    const app = host();
    const owner = new Browser(app);
    await owner.logIn('ada', PASSWORD);
    for (let i = 0; i < 10; i++) await new Browser(app).logIn('ada', 'guess');
    app.user.passwordHash = newHash;
    receive(owner, await app.sessions.rememberDevice('ada', { uid: '7' }));
    expect((await new Browser(app).logIn('ada', NEW_PASSWORD)).status).toBe(429);
    expect((await owner.logIn('ada', NEW_PASSWORD)).status).toBe(200);
  });

  it('gives the cookie that a log-in gives, for the authentication endpoints', async () => {
    expect(await host().sessions.rememberDevice('ada', { uid: '7' })).toMatch(
      /^known_device=[0-9a-f]{32}\.\d{10}\.[\w-]{43}\.[\w-]{43}; Max-Age=7776000; Path=\/api\/admin\/auth; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('keeps the id of a device that is known, and gives a new one after a change of the password', async () => {
    const app = host();
    const browser = new Browser(app);
    await browser.logIn('ada', PASSWORD);
    const value = browser.cookies.get('known_device')?.value ?? '';
    const [id = 'none'] = value.split('.');
    const owner = { uid: '7', deviceCookies: [value] };
    expect(await app.sessions.rememberDevice('ada', owner)).toContain(`=${id}.`);
    app.user.passwordHash = newHash;
    expect(await app.sessions.rememberDevice('ada', owner)).not.toContain(id);
  });

  it('binds the version that the host gives, and then asks for none', async () => {
    const sessions = sessionHost({
      loginThrottle: {
        knownDevices: { findAccount: async () => Promise.reject(new Error('nobody asks')) },
      },
    }).sessions;
    expect(await sessions.rememberDevice('ada', { uid: '7', passwordVersion: 'v2' })).toMatch(
      /^known_device=/,
    );
    await expect(
      sessions.rememberDevice('ada', { uid: '7', passwordVersion: 2 as unknown as string }),
    ).rejects.toThrow(TypeError);
  });

  it('gives nothing for another user, an unknown login, and without known devices', async () => {
    const { sessions } = host();
    expect(await sessions.rememberDevice('ada', { uid: '42' })).toBeUndefined();
    expect(await sessions.rememberDevice('bob', { uid: '7' })).toBeUndefined();
    expect(await sessionHost().sessions.rememberDevice('ada', { uid: '7' })).toBeUndefined();
  });

  it.each([
    ['', '7'],
    ['x'.repeat(257), '7'],
    ['ada', ''],
  ])('refuses what cannot be a login or a user: %j, %j', async (login, uid) => {
    await expect(host().sessions.rememberDevice(login, { uid })).rejects.toThrow(TypeError);
  });
});

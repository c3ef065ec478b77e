import { inspect } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { generateApiKey } from '../../src/api-keys/api-key.ts';
import { AuthError } from '../../src/errors.ts';
import { authenticateAuthOrApiKey } from '../../src/http/authenticate-api-key.ts';
import { kyselySessionStore } from '../../src/kysely/kysely-session-store.ts';
import { migrateAuth } from '../../src/kysely/migrate.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { Browser, sessionHost } from '../sessions/session-host.ts';

const servers = databaseServers.filter(({ name }) => name !== 'SQLite');

describe.each(servers)('a session that $name refuses to keep', ({ skipped, create }) => {
  it.skipIf(skipped)('shows the logger neither its token nor what is stored of it', async () => {
    const database = await create();
    onTestFinished(() => database.remove());
    const db = database.open();
    await migrateAuth(db);
    await sql`alter table refresh_tokens add constraint agents check (user_agent <> 'refused')`.execute(db);
    const logged: object[] = [];
    const logger = { error: (fields: object, message: string) => void logged.push({ ...fields, message }) };
    const browser = new Browser(sessionHost({ store: kyselySessionStore(db), authOptions: { logger } }));
    browser.headers['user-agent'] = 'refused';

    expect((await browser.logIn()).status).toBe(503);

    expect(logged).toMatchObject([{ message: 'A request for a session could not be answered' }]);
    const told = inspect(logged, { depth: 20, showHidden: true, maxStringLength: null });
    expect(told).toMatch(/23514|4025|3819/);
    // The hash of a refresh token is 64 hexadecimal characters. Not `toMatch`, which prints all of
    // it.
    expect(/[0-9a-f]{64}|refused'|secret of/.test(told), 'the row or the statement is told').toBe(false);
  });
});

describe('a verifier that puts the credentials into its error', () => {
  const credentials = {
    login: 'ada@example.org',
    password: 'hunter two',
    otp: { codes: ['472 119'] },
    pin: '12',
  };

  it.each<[string, (told: string) => Error]>([
    ['its message', (told) => new Error(told)],
    ['an error of ours', (told) => new AuthError('unavailable', told)],
    ['the cause', (told) => new Error('failed', { cause: new Error(told) })],
    ['one of several', (told) => new AggregateError([new Error(told)], 'failed')],
  ])('shows the logger none of it: %s', async (_, errorOf) => {
    const logged: object[] = [];
    const logger = { error: (fields: object) => void logged.push(fields) };
    const host = sessionHost({
      verifyCredentials: async (sent) => {
        throw errorOf(`no such row: ${Object.values(sent).join(' and ')} or ${JSON.stringify(sent.otp)}`);
      },
      logger,
    });
    const body = JSON.stringify(credentials);
    expect((await new Browser(host).send('POST', '/login', { body })).status).toBe(503);
    const told = inspect(logged, { depth: 20, showHidden: true, maxStringLength: null });
    expect(told).toMatch(/no such row/);
    expect(/hunter|472|example/.test(told), 'the credentials are told').toBe(false);
  });
});

/** A host that keeps everything which its hooks and its logger are told. */
function listeningHost() {
  const told: [string, unknown][] = [];
  const hook = (name: string) => (event: unknown) => void told.push([name, event]);
  const logger = {
    error: (fields: object, message: string) => void told.push([`error: ${message}`, fields]),
    debug: (fields: object, message: string) => void told.push(['debug', { fields, message }]),
  };
  const host = sessionHost({
    authOptions: { logger, onTokenRefused: hook('onTokenRefused') },
    loginThrottle: { maxFailuresPerAccount: 2 },
    onLogin: hook('onLogin'),
    onLoginFailed: hook('onLoginFailed'),
    onThrottled: hook('onThrottled'),
    onSessionRevoked: hook('onSessionRevoked'),
    onReuseDetected: hook('onReuseDetected'),
    onSessionAnomaly: hook('onSessionAnomaly'),
    verifyCredentials: async (credentials) => {
      if (credentials.password === 'correct horse') return { uid: '7' };
      throw new AuthError('invalid_credentials', `not ${JSON.stringify(credentials)}`);
    },
  });
  return { host, told };
}

type Host = ReturnType<typeof sessionHost>;

/** Logs in, shares the session with a thief until reuse ends it, and fails to log in. */
async function misuseSession(host: Host): Promise<readonly string[]> {
  const secrets: string[] = ['correct horse', 'wrong staple', '472119'];
  const browser = new Browser(host);
  const copy = new Browser(host);
  const keep = () => secrets.push(browser.accessToken ?? '', browser.refreshToken ?? '');
  const logIn = (password: string) =>
    browser.send('POST', '/login', { body: JSON.stringify({ login: 'ada', password, otp: '472119' }) });

  await logIn('correct horse');
  keep();
  for (const [name, cookie] of browser.cookies) copy.cookies.set(name, cookie);
  copy.connection = { ip: '203.0.113.9' };
  for (let n = 0; n < 4; n++) {
    host.clock.advance(61);
    await (n % 2 === 0 ? copy : browser).poll();
    keep();
  }
  const stolen = browser.cookieHeader('/api/admin/auth');
  host.clock.advance(900);
  await browser.poll();
  keep();
  await browser.poll();
  host.clock.advance(30);
  await browser.send('POST', '/status', { cookie: stolen });
  for (let n = 0; n < 3; n++) await logIn('wrong staple');
  return secrets;
}

/** Presents tokens and keys that are refused, in every place where a request can hold one. */
async function presentRefused({ auth }: Host): Promise<readonly string[]> {
  const { key, hash } = generateApiKey('acme');
  const own = await auth.issueAccessToken('7', []);
  const [header, payload, signature = ''] = own.split('.');
  const forged = `${header}.${payload}.${signature.slice(0, -4)}AAAA`;
  const tokens = [own, forged, `${own}.x`, 'ab'.repeat(32), key];
  auth.revocations.revokeUser('7');
  for (const token of tokens) {
    const headers = { cookie: `access_token=${token}`, authorization: `Bearer ${key}` };
    const url = `https://ada:472119@app.example/${own}/${key}?key=${key}`;
    const request = { method: 'GET', url, headers };
    await expect(authenticateAuthOrApiKey(request, auth, () => null)).rejects.toThrow();
  }
  return [...tokens, hash.slice('sha256$'.length), signature];
}

describe('hooks and debug lines', () => {
  it('are given no token, cookie, password or key, whatever is refused or ends', async () => {
    const { host, told } = listeningHost();
    const secrets = [...(await misuseSession(host)), ...(await presentRefused(host))];
    await host.sessions.idle();

    const hooks = ['onLogin', 'onLoginFailed', 'onThrottled', 'onSessionRevoked', 'onReuseDetected'];
    const names = [...hooks, 'onSessionAnomaly', 'onTokenRefused', 'debug'];
    expect([...new Set(told.map(([name]) => name))].sort()).toEqual(names.sort());
    const text = inspect(told, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });
    // By number: a message would print them.
    const seen = secrets.flatMap((secret, index) => (secret !== '' && text.includes(secret) ? [index] : []));
    expect(seen).toEqual([]);
    expect(secrets.filter((secret) => secret.length > 30).length).toBeGreaterThan(10);
  });
});

import { describe, expect, it, test, vi } from 'vitest';
import { untilFinished } from '../../../../test/services/test-database.ts';
import { HOST_CALL_TIMEOUT_MS } from '../../src/host-call.ts';
import { kyselyLoginFailures, migrateAuth } from '../../src/kysely/index.ts';
import { hashPassword } from '../../src/passwords/password.ts';
import type { Credentials } from '../../src/sessions/log-in/credentials.ts';
import { passwordCredentials } from '../../src/sessions/log-in/password-credentials.ts';
import type { VerifyCredentials, VerifyingClient } from '../../src/sessions/sessions-options.ts';
import type { LoginFailureStore } from '../../src/throttle/login-failure-store.ts';
import { memoryLoginFailures } from '../contract/memory-login-failures.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { Browser, type SessionHost, type SessionHostOptions, sessionHost } from '../sessions/session-host.ts';

const PASSWORD = 'correct horse battery staple';
const passwordHash = await hashPassword(PASSWORD);

/** A loose lookup, as a collation and a provider of e-mail addresses make it. */
const looseName = (login: string) =>
  login
    .normalize('NFKD')
    .replace(/[\p{M}.]/gu, '')
    .trim()
    .toLowerCase();

/** The one account is `ada`; the verifier counts the passwords that it compares. */
function looseHost(options: SessionHostOptions = {}) {
  const compared = { count: 0 };
  const host = sessionHost({
    async verifyCredentials({ login, password }, { mayTry }) {
      const isAda = looseName(String(login)) === 'ada' && (await mayTry?.('7'));
      if (!isAda) return undefined;
      compared.count += 1;
      return password === PASSWORD ? { uid: '7' } : undefined;
    },
    ...options,
  });
  return { ...host, compared };
}

let addresses = 0;
/** Every attempt has an address of its own. */
async function logIn(host: SessionHost, login: string, password = 'guess', cookie = ''): Promise<number> {
  const browser = new Browser(host);
  addresses += 1;
  browser.connection = { ip: `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` };
  const body = JSON.stringify({ login, password });
  return (await browser.send('POST', '/login', { body, ...(cookie !== '' && { cookie }) })).status;
}

async function answers(host: SessionHost, logins: readonly string[]): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const login of logins) statuses.push(await logIn(host, login));
  return statuses;
}

/** Spellings of a name of three letters. All but those of the first list are counted apart. */
const marks = Array.from({ length: 13 }, (_, i) => String.fromCodePoint(0x363 + i));
const SPELLINGS = [
  [(name: string) => name, (name: string) => name.toUpperCase(), (name: string) => ` ${name} `],
  marks.map((mark) => (name: string) => name + mark),
  marks.map((mark) => (name: string) => [...name].join(mark)),
  Array.from(
    { length: 3 },
    (_, i) => (name: string) => name.slice(0, 1) + '\u0301'.repeat(126 + i) + name.slice(1),
  ),
  Array.from(
    { length: 60 },
    (_, i) => (name: string) =>
      `${'.'.repeat(i % 8)}${name.slice(0, 1)}${'.'.repeat(i >> 3)}${name.slice(1)}`,
  ),
].flat();

describe('guesses at one account under many spellings', () => {
  it('are answered alike whether the account exists or not', async () => {
    const logins = (name: string) =>
      Array.from({ length: 4 }, () => SPELLINGS.map((spell) => spell(name))).flat();
    const known = looseHost();
    expect(await answers(known, logins('ada'))).toEqual(await answers(looseHost(), logins('zoe')));
    expect(known.compared.count).toBe(30);
  });

  it('keep a shared store equally busy whether the account exists or not', async () => {
    const passes = async (name: string) => {
      const shared = memoryLoginFailures();
      let calls = 0;
      const add: LoginFailureStore['add'] = (...given) => {
        calls += 1;
        return shared.add(...given);
      };
      const host = sessionHost({
        loginThrottle: { store: { ...shared, add } },
        verifyCredentials: passwordCredentials({
          findUser: async (login) => (login.startsWith('ada') ? { uid: '7', passwordHash } : undefined),
        }),
      });
      const statuses = [await logIn(host, name), await logIn(host, `${name}@${'x'.repeat(200)}`)];
      return { statuses, calls, counts: shared.counts.size };
    };
    const known = await passes('ada');
    // Two names of one account, beside two of nobody.
    expect(await passes('zoe')).toEqual({ ...known, counts: known.counts + 1 });
    expect(known.statuses).toEqual([401, 401]);
  });

  it('lock the account, and the owner comes in by the known device, or once it is unlocked', async () => {
    const host = looseHost();
    const owner = new Browser(host);
    expect((await owner.logIn('ada', PASSWORD)).status).toBe(200);
    for (const spell of SPELLINGS) await answers(host, Array(11).fill(spell('ada')));
    expect([await logIn(host, 'ada', PASSWORD), await logIn(host, 'a.d.a', PASSWORD)]).toEqual([429, 401]);
    expect((await owner.logIn('ada', PASSWORD)).status).toBe(200);
    expect(await host.sessions.unlock('ada', { uid: '7' })).toBe(true);
    expect(await logIn(host, 'ada', PASSWORD)).toBe(200);
  });
});

interface FourStores {
  readonly name: string;
  readonly skipped: string | undefined;
  open(): Promise<readonly (LoginFailureStore | undefined)[]>;
}

const stores: readonly FourStores[] = [
  { name: 'in memory', skipped: undefined, open: async () => [undefined] },
  ...databaseServers.map(({ name, skipped, create }) => ({
    name: `on ${name}, in two processes`,
    skipped,
    async open() {
      const database = untilFinished(await create());
      const db = database.open<unknown>();
      await migrateAuth(db);
      return [kyselyLoginFailures(db), kyselyLoginFailures(database.open<unknown>())];
    },
  })),
];

describe.each(stores)('a flood of guesses $name', ({ skipped, open }) => {
  test.skipIf(skipped)(
    'is compared ten times for a name, thirty for an account, and locks no owner out',
    async () => {
      const compared = { count: 0 };
      const hosts = (await open()).map((store) =>
        looseHost({
          loginThrottle: { store, windowSeconds: 86_400 },
          async verifyCredentials({ login, password }, { mayTry }) {
            if (looseName(String(login)) !== 'ada' || !(await mayTry?.('7'))) return undefined;
            if (password !== PASSWORD) compared.count += 1;
            await new Promise((resolve) => setImmediate(resolve));
            return password === PASSWORD ? { uid: '7' } : undefined;
          },
        }),
      );
      const [first] = hosts;
      if (first === undefined) throw new Error('no host');
      const owner = new Browser(first);
      expect((await owner.logIn('ada', PASSWORD)).status).toBe(200);
      const flood = (spellings: typeof SPELLINGS, count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, i) =>
            logIn(hosts[i % hosts.length] ?? first, spellings[i % spellings.length]?.('ada') ?? ''),
          ),
        );
      // Beyond those under way, attempts are refused: the rest of the limit comes later.
      for (let round = 0; round < 3; round++) await flood(SPELLINGS.slice(0, 3), 30);
      for (let i = 0; i < 12; i++) await logIn(first, 'ada');
      expect(hosts.map(({ logged }) => logged)).toEqual(hosts.map(() => []));
      expect(compared.count).toBe(10);
      for (let round = 0; round < 6; round++) await flood(SPELLINGS, 60);
      for (const spell of SPELLINGS) await logIn(first, spell('ada'));
      expect(hosts.map(({ logged }) => logged)).toEqual(hosts.map(() => []));
      expect(compared.count).toBe(30);
      expect((await owner.logIn('ada', PASSWORD)).status).toBe(200);
    },
    120_000,
  );
});

describe('a verifier that reads no name', () => {
  it('is open to everybody else after a hundred wrong codes from one address', async () => {
    const host = sessionHost({
      verifyCredentials: async ({ code }) => (code === '123456' ? { uid: '7' } : undefined),
    });
    const post = async (ip: string, code: string) => {
      const browser = new Browser(host);
      browser.connection = { ip };
      return (await browser.send('POST', '/login', { body: JSON.stringify({ code }) })).status;
    };
    for (let i = 0; i < 100; i++) expect(await post('192.0.2.1', `${i}`)).toBe(401);
    expect([await post('192.0.2.1', '123456'), await post('192.0.2.2', '123456')]).toEqual([429, 200]);
  });
});

describe('a verifier that throws for a wrong password', () => {
  it.each([['an error of a driver', () => new Error('InvalidCredentialsError: 49')]])(
    'has its guesses counted against the address, and never against the account: %s',
    async (_, error) => {
      let compared = 0;
      const host = sessionHost({
        async verifyCredentials({ password }) {
          compared += 1;
          if (password !== PASSWORD) throw error();
          return { uid: '7' };
        },
      });
      const post = async (ip: string, password: string) => {
        const browser = new Browser(host);
        browser.connection = { ip };
        return (await browser.logIn('7', password)).status;
      };
      for (let i = 0; i < 999; i++) await post('192.0.2.1', `guess ${i}`);
      expect(compared).toBe(100);
      expect([await post('192.0.2.1', PASSWORD), await post('192.0.2.2', PASSWORD)]).toEqual([429, 200]);
    },
  );

  it('is told from a user whom nobody can load after a right password: that counts against nothing', async () => {
    let isAway = true;
    const host = sessionHost({
      loginThrottle: { maxFailuresPerAddress: 1 },
      async loadUser() {
        if (isAway) throw new Error('the database is away');
        return { scopes: [] };
      },
    });
    const browser = new Browser(host);
    for (let i = 0; i < 5; i++) expect((await browser.logIn('7')).status).toBe(503);
    isAway = false;
    expect((await browser.logIn('7')).status).toBe(200);
  });
});

describe('an outage of what users are found by', () => {
  it('excuses no verifier that is tried after it', async () => {
    const first = passwordCredentials({ findUser: () => Promise.reject(new Error('ECONNREFUSED')) });
    const host = sessionHost({
      loginThrottle: { maxFailuresPerAddress: 1 },
      verifyCredentials: (credentials, client) =>
        first(credentials, client).catch(() => Promise.reject(new Error('InvalidCredentialsError: 49'))),
    });
    const browser = new Browser(host);
    const statuses = [
      (await browser.logIn('ada', 'a guess')).status,
      (await browser.logIn('ada', 'two')).status,
    ];
    expect(statuses).toEqual([503, 429]);
  });

  it.each<[string, () => Promise<undefined>]>([
    ['an error', () => Promise.reject(new Error('ECONNREFUSED'))],
    ['a rejection that is no error', () => Promise.reject('ECONNREFUSED')],
    ['no answer', () => new Promise(() => undefined)],
  ])('counts against nothing: %s', async (_, fail) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let isAway = true;
      const host = sessionHost({
        loginThrottle: { maxFailuresPerAddress: 1 },
        verifyCredentials: passwordCredentials({
          findUser: () => (isAway ? fail() : Promise.resolve({ uid: '7', passwordHash })),
        }),
      });
      const browser = new Browser(host);
      for (let i = 0; i < 5; i++) {
        const answer = browser.logIn('ada', PASSWORD);
        await vi.advanceTimersByTimeAsync(HOST_CALL_TIMEOUT_MS);
        expect((await answer).status).toBe(503);
      }
      isAway = false;
      expect((await browser.logIn('ada', 'a guess')).status).toBe(401);
      expect((await browser.logIn('ada', PASSWORD)).status).toBe(429);
    } finally {
      vi.useRealTimers();
    }
  });
});

type Wrap = (verifier: VerifyCredentials) => VerifyCredentials;

const WRAPPED: readonly (readonly [string, Wrap])[] = [
  ['by a function that passes both arguments on', (verifier) => (sent, client) => verifier(sent, client)],
  ['with a copy of the client', (verifier) => (sent, client) => verifier(sent, { ...client })],
  [
    'behind a check that waits',
    (verifier) => async (sent, client) => {
      await new Promise((resolve) => setImmediate(resolve));
      return await verifier(sent, client);
    },
  ],
];

describe.each([
  ['not at all', (verifier) => verifier] as const satisfies readonly [string, Wrap],
  ...WRAPPED,
])('a look-up of passwordCredentials, wrapped %s', (_, wrap) => {
  it('counts nothing while users cannot be found, and none of those that come late', async () => {
    let fail: (() => Promise<undefined>) | undefined = () => Promise.reject(new Error('ECONNREFUSED'));
    const verifyCredentials = wrap(
      passwordCredentials({ findUser: () => fail?.() ?? Promise.resolve({ uid: '7', passwordHash }) }),
    );
    const host = sessionHost({
      verifyCredentials,
      loginThrottle: { maxFailuresPerAccount: 1, maxFailuresPerAddress: 1 },
    });
    const browser = new Browser(host);
    for (let i = 0; i < 3; i++) expect((await browser.logIn('ada', PASSWORD)).status).toBe(503);
    fail = () => new Promise(() => undefined);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const answer = browser.logIn('ada', PASSWORD);
      await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(HOST_CALL_TIMEOUT_MS);
      expect((await answer).status).toBe(503);
    } finally {
      vi.useRealTimers();
    }
    fail = undefined;
    expect((await browser.logIn('ada', PASSWORD)).status).toBe(200);
  });
});

/** Sends credentials from an address of their own. */
async function post(host: SessionHost, credentials: object): Promise<number> {
  const browser = new Browser(host);
  addresses += 1;
  browser.connection = { ip: `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` };
  return (await browser.send('POST', '/login', { body: JSON.stringify(credentials) })).status;
}

describe.each<[string, Wrap]>([
  ['itself', (verifier) => verifier],
  [
    'in a wrapper with its properties',
    (verifier) => Object.assign(WRAPPED[0]?.[1](verifier) ?? {}, verifier) as VerifyCredentials,
  ],
])('passwordCredentials %s, which reads login alone', (_, wrap) => {
  const verifyCredentials = wrap(passwordCredentials({ findUser: async () => ({ uid: '7', passwordHash }) }));
  const loginThrottle = { maxFailuresPerAccount: 3 };

  it('counts that name, and no other in the credentials', async () => {
    const host = sessionHost({ verifyCredentials, loginThrottle });
    const guess = { login: 'ada', username: 'bob', email: 'eve', password: 'a guess' };
    for (let i = 0; i < 3; i++) expect(await post(host, guess)).toBe(401);
    expect(await post(host, { login: 'ada', password: PASSWORD })).toBe(429);
    expect(await post(host, { login: 'bob', password: PASSWORD })).toBe(200);
    expect(await post(host, { email: 'eve', login: 'eve', password: PASSWORD })).toBe(200);
  });

  it('holds no place of another name while a password is hashed', async () => {
    let isHeld = true;
    const held: (() => void)[] = [];
    const host = sessionHost({
      loginThrottle,
      verifyCredentials: Object.assign(async (sent: Credentials, client: VerifyingClient) => {
        if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
        return await verifyCredentials(sent, client);
      }, verifyCredentials),
    });
    const mallory = { login: 'mallory', username: 'ada', email: 'bob', password: PASSWORD };
    const flood = Array.from({ length: 3 }, () => post(host, mallory));
    await expect.poll(() => held.length).toBe(3);
    isHeld = false;
    expect(await post(host, { login: 'ada', password: PASSWORD })).toBe(200);
    expect(await post(host, { login: 'bob', password: PASSWORD })).toBe(200);
    for (const release of held) release();
    expect(await Promise.all(flood)).toEqual([200, 200, 200]);
  });

  it('knows a device also if the form sends an address beside the login', async () => {
    const host = sessionHost({ verifyCredentials, loginThrottle });
    const owner = new Browser(host);
    const logInOwner = async () => {
      const body = JSON.stringify({ login: 'ada', email: 'ada@example.com', password: PASSWORD });
      return (await owner.send('POST', '/login', { body })).status;
    };
    expect(await logInOwner()).toBe(200);
    for (let i = 0; i < 3; i++) expect(await logIn(host, 'ada')).toBe(401);
    expect(await logIn(host, 'ada', PASSWORD)).toBe(429);
    expect(await logInOwner()).toBe(200);
  });
});

describe('a verifier of the host that also asks passwordCredentials', () => {
  it('counts every name in the credentials, whichever of them passwordCredentials looks for', async () => {
    const asked: unknown[] = [];
    const byPassword = passwordCredentials({ findUser: async () => undefined });
    const host = sessionHost({
      async verifyCredentials(sent, client) {
        asked.push(sent.username);
        return await byPassword(sent, client);
      },
    });
    const statuses: number[] = [];
    for (let i = 0; i < 14; i++) {
      statuses.push(await post(host, { login: `x${i}`, username: 'ada', password: 'a guess' }));
    }
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    expect(asked).toHaveLength(10);
  });
});

describe('passwordCredentials behind other members', () => {
  const wrapped = () => {
    const byPassword = passwordCredentials({ findUser: async (login) => ({ uid: login, passwordHash }) });
    return ({ phone, pin }: Credentials, client: VerifyingClient) =>
      byPassword({ login: phone, password: pin }, client);
  };

  it('counts the name that it looks for, whatever member it was in, beside those in the usual ones', async () => {
    const { sessions, users } = sessionHost({ verifyCredentials: wrapped() });
    users.set('0151', { scopes: [] });
    const guess = (pin: string) => sessions.login({ phone: '0151', pin, login: 'made up' });
    for (let i = 0; i < 10; i++)
      await expect(guess(`${i}`)).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(guess(PASSWORD)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await sessions.unlock('made up')).toBe(true);
    await expect(guess(PASSWORD)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await sessions.unlock('0151')).toBe(true);
    expect(await guess(PASSWORD)).toMatchObject({ uid: '0151' });
  });

  it('counts what loginOf says, and nothing else', async () => {
    const { sessions } = sessionHost({
      verifyCredentials: wrapped(),
      loginOf: ({ tenant, phone }) => `${tenant}/${phone}`,
      loginThrottle: { maxFailuresPerAccount: 1 },
    });
    const guess = (tenant: string) => sessions.login({ tenant, phone: '0151', pin: 'x' });
    await expect(guess('a')).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(guess('a')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(guess('b')).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await sessions.unlock('0151')).toBe(false);
  });
});

describe('right log-ins under several names of one account, all at once', () => {
  it.each([undefined, memoryLoginFailures()])(
    'come in, or are asked to come back in a second, and count as no failure',
    async (store) => {
      const throttled: unknown[] = [];
      const host = sessionHost({
        loginThrottle: { store, windowSeconds: 86_400 },
        onThrottled: ({ by, retryAfterSeconds }) => void throttled.push([by, retryAfterSeconds]),
        async verifyCredentials({ login, password }, { mayTry }) {
          const isAda = looseName(String(login)) === 'ada' && (await mayTry?.('7'));
          await new Promise((resolve) => setImmediate(resolve));
          return isAda && password === PASSWORD ? { uid: '7' } : undefined;
        },
      });
      const statuses = await Promise.all(
        SPELLINGS.flatMap((spell) => Array.from({ length: 5 }, () => logIn(host, spell('ada'), PASSWORD))),
      );
      expect([...new Set(statuses)].sort()).toEqual([200, 429]);
      expect(throttled).toHaveLength(statuses.filter((status) => status === 429).length);
      expect(new Set(throttled.map((event) => JSON.stringify(event)))).toEqual(new Set(['["throttle",1]']));
      expect(host.sessions.stats()).toMatchObject({ loginsFailed: 0 });
      // Thirty guesses are still allowed, and no more.
      for (const spell of SPELLINGS) await logIn(host, spell('ada'));
      expect(await logIn(host, 'a.....da', PASSWORD)).toBe(401);
      expect(await host.sessions.unlock('ada', { uid: '7' })).toBe(true);
      expect(await logIn(host, 'a.....da', PASSWORD)).toBe(200);
    },
  );
});

describe('clients without an address', () => {
  it('are logged at the first log-in, once', async () => {
    const host = sessionHost({ loginThrottle: { maxFailuresPerAddress: 1 } });
    const browser = new Browser(host);
    browser.connection = {};
    expect((await browser.logIn('7')).status).toBe(200);
    expect(host.logged).toEqual([expect.stringMatching(/address .* is not known.*clientAddress/)]);
    for (let i = 0; i < 101; i++) await browser.logIn('7', '');
    expect(host.logged).toHaveLength(1);
  });
});

describe('a refused log-in', () => {
  it.each([
    '\uFDFA'.repeat(256),
    `a${'\u0301'.repeat(255)}`,
    Array.from({ length: 128 }, (_, i) => String.fromCodePoint(0x1d400 + i)).join(''),
    '\u0301'.repeat(10_000),
    'x'.repeat(1_000_000),
  ])('costs no more than eight plain ones, whatever it carries', async (hostile) => {
    const keys = Array.from({ length: 8 }, (_, i) => ({
      kid: `${i}`,
      key: `${i}-a-signing-key-of-at-least-32-bytes`,
    }));
    const verifyCredentials = passwordCredentials({
      findUser: async (login) => (login === 'ada' ? { uid: '7', passwordHash } : undefined),
    });
    const host = sessionHost({
      verifyCredentials,
      authOptions: { signingKey: undefined, signingKeys: keys },
      loginThrottle: { maxFailuresPerAccount: 1, maxFailuresPerAddress: 1 },
    });
    const owner = new Browser(host);
    await owner.logIn('ada', PASSWORD);
    const device = owner.cookies.get('known_device')?.value ?? '';
    const odd = [1, 2, 3, 4].map((by) =>
      device.replace(/^./, (digit) => ((Number.parseInt(digit, 16) + by) % 16).toString(16)),
    );
    // Short names are refused for themselves, the others for their address.
    const ipOf = (login: string) => (login.length > 256 ? '192.0.2.9' : '192.0.2.10');
    const attempt = (login: string, ip: string, deviceCookies: readonly string[] = []) =>
      host.sessions.login({ login, password: 'x' }, { ip, deviceCookies }).catch((error) => error);
    await attempt('ada', '192.0.2.9');
    await attempt(hostile, '192.0.2.8');
    const costOf = async (login: string, deviceCookies: readonly string[]) => {
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 60; round++) {
        const begun = performance.now();
        for (let i = 0; i < 5; i++) {
          const refusal = await attempt(login, ipOf(login), deviceCookies);
          expect(refusal).toMatchObject({ code: 'rate_limited' });
        }
        least = Math.min(least, (performance.now() - begun) / 5);
      }
      return least;
    };
    // The first round compiles: it counts for neither.
    await costOf('ada', []);
    const plain = await costOf('ada', []);
    expect((await costOf(hostile, odd)) / plain).toBeLessThan(8);
    expect((await costOf('ada', odd)) / plain).toBeLessThan(8);
  });
});

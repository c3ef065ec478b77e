import { generate, generateSecret } from 'otplib';
import { describe, expect, it, vi } from 'vitest';
import { verifierFor } from '../../../docs/samples/second-factor.ts';
import { AuthError } from '../../../src/errors.ts';
import { HOST_CALL_TIMEOUT_MS } from '../../../src/host-call.ts';
import { hashPassword } from '../../../src/passwords/password.ts';
import {
  type PasswordCredentialsOptions,
  type PasswordUser,
  passwordCredentials,
} from '../../../src/sessions/log-in/password-credentials.ts';
import { Browser, type SessionHostOptions, sessionHost } from '../session-host.ts';

const PASSWORD = 'correct horse battery staple';
const CODE = '472119';
const passwordHash = await hashPassword(PASSWORD);

type SecondFactor = NonNullable<PasswordCredentialsOptions<PasswordUser>['secondFactor']>;

const byCode: SecondFactor = (_user, { code }) => (code === undefined ? 'required' : code === CODE);

/** A host whose user `ada` logs in with a password and a code. */
function twoStepHost(secondFactor: SecondFactor = byCode, options: SessionHostOptions = {}) {
  const asked: unknown[] = [];
  const events: string[] = [];
  const host = sessionHost({
    verifyCredentials: passwordCredentials({
      findUser: async (login) => (/^a\.*d\.*a$/.test(login) ? { uid: '7', passwordHash } : undefined),
      secondFactor: (user, credentials) => {
        asked.push(credentials.code);
        return secondFactor(user, credentials);
      },
    }),
    onLogin: () => void events.push('onLogin'),
    onLoginFailed: ({ code }) => void events.push(code),
    onThrottled: ({ code }) => void events.push(code),
    ...options,
  });
  let addresses = 0;
  async function logIn(credentials: object, browser = new Browser(host)) {
    addresses += 1;
    browser.connection = { ip: `10.0.${addresses >> 8}.${addresses & 255}` };
    const body = JSON.stringify({ login: 'ada', password: PASSWORD, ...credentials });
    const response = await browser.send('POST', '/login', { body });
    const { code } = (await response.json()) as { readonly code?: string };
    return [response.status, code];
  }
  return { host, asked, events, logIn };
}

const REQUIRED = [401, 'second_factor_required'];
const WRONG = [401, 'invalid_credentials'];
const LOCKED = [429, 'rate_limited'];
const IN = [200, undefined];

describe('the sample with otplib', () => {
  it('lets a code in once, also of two log-ins at the same moment, and none of a step before', async () => {
    const user = { uid: '7', passwordHash, totpSecret: generateSecret(), totpStep: null as number | null };
    const verifyCredentials = verifierFor({
      findByLogin: async () => user,
      async useTotpStep(_uid, step) {
        if (user.totpStep !== null && user.totpStep >= step) return false;
        user.totpStep = step;
        return true;
      },
    });
    const logIn = (code?: string) => verifyCredentials({ login: 'ada', password: PASSWORD, code }, {});
    const codeAt = (epoch: number) => generate({ secret: user.totpSecret, epoch });
    const now = Math.floor(Date.now() / 1_000);
    await expect(logIn()).rejects.toMatchObject({ code: 'second_factor_required' });
    expect([await logIn('12345'), await logIn(await codeAt(now - 3_600))]).toEqual([undefined, undefined]);
    const code = await codeAt(now);
    const both = await Promise.all([logIn(code), logIn(code)]);
    expect(both.filter((verified) => verified?.uid === '7')).toHaveLength(1);
    expect([await logIn(code), await logIn(await codeAt(now - 30))]).toEqual([undefined, undefined]);
    expect(await logIn(await codeAt(now + 30))).toEqual({ uid: '7' });
  }, 60_000);
});

describe('a log-in with a second factor', () => {
  it('is asked for a code after the right password alone, and goes on with the right one', async () => {
    const { host, asked, events, logIn } = twoStepHost();
    expect(await logIn({ password: 'a guess', code: CODE })).toEqual(WRONG);
    expect(await logIn({ login: 'zoe', code: CODE })).toEqual(WRONG);
    expect(asked).toEqual([]);
    const browser = new Browser(host);
    expect(await logIn({}, browser)).toEqual(REQUIRED);
    expect([...browser.cookies.keys()]).toEqual([]);
    expect(await logIn({ code: CODE }, browser)).toEqual(IN);
    expect([...browser.cookies.keys()].sort()).toEqual(['access_token', 'known_device', 'refresh_token']);
    expect(events).toEqual([
      'invalid_credentials',
      'invalid_credentials',
      'second_factor_required',
      'onLogin',
    ]);
    expect(host.sessions.stats()).toMatchObject({ loggedIn: 1, loginsFailed: 2 });
  });

  it('is neither a failure nor a success before its code: it locks nothing, and forgets no failure', async () => {
    const { logIn } = twoStepHost();
    for (let i = 0; i < 40; i++) expect(await logIn({})).toEqual(REQUIRED);
    for (let i = 0; i < 9; i++) expect(await logIn({ password: 'a guess' })).toEqual(WRONG);
    for (let i = 0; i < 5; i++) expect(await logIn({})).toEqual(REQUIRED);
    expect(await logIn({ password: 'a guess' })).toEqual(WRONG);
    expect([await logIn({}), await logIn({ code: CODE })]).toEqual([LOCKED, LOCKED]);
  });

  it('allows ten guesses at the code for a name and thirty for an account, also with the right password', async () => {
    const { asked, logIn } = twoStepHost();
    for (let i = 0; i < 10; i++) {
      expect(await logIn({ code: `00000${i}` })).toEqual(WRONG);
      expect(await logIn({})).toEqual(i < 9 ? REQUIRED : LOCKED);
    }
    const spellings = Array.from({ length: 6 }, (_, i) => `a${'.'.repeat(i + 1)}da`);
    for (const login of spellings) {
      await Promise.all(Array.from({ length: 12 }, (_, i) => logIn({ login, code: `10000${i}` })));
    }
    expect(asked.filter((code) => code !== undefined)).toHaveLength(30);
    // The password tells nothing any more: the account looks like none.
    expect(await logIn({ login: 'a.d.a' })).toEqual(WRONG);
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a text', 'yes'],
    ['1', 1],
    ['null', null],
  ])('lets nobody in for an answer that is not true: %s', async (_, answer) => {
    // A host without types can answer anything.
    const { logIn } = twoStepHost((() => answer) as SecondFactor);
    expect(await logIn({ code: CODE })).toEqual(WRONG);
  });

  it('that cannot be judged is 503, and counts against the address, as any verifier that fails', async () => {
    let fail: () => never = () => {
      throw new Error('the database is away');
    };
    const { host, logIn } = twoStepHost(() => fail());
    for (let i = 0; i < 12; i++) expect(await logIn({ code: CODE })).toEqual([503, 'unavailable']);
    const browser = new Browser(host);
    const send = () => browser.logIn('ada', PASSWORD);
    for (let i = 0; i < 100; i++) await send();
    expect((await send()).status).toBe(429);
    // An error of the package says what is wrong: a mailed code that was not the right one.
    fail = () => {
      throw new AuthError('one_time_token_invalid', 'no');
    };
    for (let i = 0; i < 10; i++) expect(await logIn({ code: 'x' })).toEqual([422, 'one_time_token_invalid']);
    expect(await logIn({ code: 'x' })).toEqual(LOCKED);
  });

  it('that is never judged is answered within 30 s, and keeps no place of the account', async () => {
    let hangs = true;
    const { asked, logIn } = twoStepHost(() => (hangs ? new Promise(() => {}) : true));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const answers = Promise.all(Array.from({ length: 10 }, () => logIn({ code: CODE })));
      await expect.poll(() => asked.length, { timeout: 60_000 }).toBe(10);
      await vi.advanceTimersByTimeAsync(HOST_CALL_TIMEOUT_MS);
      expect(await answers).toEqual(Array(10).fill([503, 'unavailable']));
    } finally {
      vi.useRealTimers();
    }
    hangs = false;
    expect(await logIn({ code: CODE })).toEqual(IN);
  });

  it('replaces no stored password before the code was right', async () => {
    const updates: string[] = [];
    const verify = passwordCredentials({
      findUser: async () => ({ uid: '7', passwordHash }),
      secondFactor: byCode,
      updateHash: async (_user, _from, to) => void updates.push(to),
      iterations: 110_000,
    });
    await expect(verify({ login: 'ada', password: PASSWORD }, {})).rejects.toMatchObject({
      code: 'second_factor_required',
      status: 401,
    });
    expect(await verify({ login: 'ada', password: PASSWORD, code: '1' }, {})).toBeUndefined();
    expect(updates).toEqual([]);
    expect(await verify({ login: 'ada', password: PASSWORD, code: CODE }, {})).toEqual({ uid: '7' });
    expect(updates).toHaveLength(1);
  });

  it('is a TypeError where it is no function', () => {
    const loose: object = { findUser: async () => undefined, secondFactor: 'totp' };
    expect(() => passwordCredentials(loose as PasswordCredentialsOptions<PasswordUser>)).toThrow(
      /secondFactor must be a function/,
    );
  });
});

import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createAuth } from '../../src/auth.ts';
import { HOST_CALL_TIMEOUT_MS } from '../../src/host-call.ts';
import { requireParts, withParts } from '../../src/http/auth-parts.ts';
import { memoryOneTimeTokenStore } from '../../src/one-time-tokens/memory-one-time-token-store.ts';
import { createOneTimeTokens } from '../../src/one-time-tokens/one-time-tokens.ts';
import { createTokenRequests, type TokenRequests } from '../../src/one-time-tokens/token-requests.ts';
import type { TokenMail, TokenRequestsOptions } from '../../src/one-time-tokens/token-requests-options.ts';
import { memoryLoginFailures } from '../contract/memory-login-failures.ts';
import { fakeClock, instanceAt, START } from '../fake-clock.ts';
import { sessionHost } from '../sessions/session-host.ts';
import { KEY } from '../tokens/forge-token.ts';

interface User {
  readonly uid: string;
  readonly email: string;
}

const PURPOSE = 'password_reset';
const ADA: User = { uid: '7', email: 'ada@shop.example' };
const DROPPED =
  'Requests for one-time tokens were dropped: too many were waiting, or they waited for over 60 s';
const NEVER = () => new Promise<never>(() => {});

function fixture(options: Partial<TokenRequestsOptions<User>> = {}, time?: () => number) {
  const clock = fakeClock();
  const sent: TokenMail<User>[] = [];
  const logged: { readonly fields: object; readonly message: string }[] = [];
  const asked: string[] = [];
  const logger = { error: (fields: object, message: string) => void logged.push({ fields, message }) };
  const auth = createAuth({ signingKey: KEY, cookiePath: '/api', clock: time ?? clock, logger });
  const tokens = createOneTimeTokens({ store: memoryOneTimeTokenStore(), auth: instanceAt(clock) });
  const requests = createTokenRequests<User>({
    tokens,
    purpose: PURPOSE,
    async findUser(login) {
      asked.push(login);
      return login === 'ada' ? ADA : undefined;
    },
    async sendToken(mail) {
      sent.push(mail);
    },
    auth,
    ...options,
  });
  return { clock, tokens, requests, sent, logged, asked };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

/** Lets the random delay of every request pass, which is at most a second. */
const delaysPass = () => vi.advanceTimersByTimeAsync(1_000);

async function settled(requests: TokenRequests): Promise<void> {
  await delaysPass();
  await requests.idle();
}

describe('a request for a token', () => {
  it('is answered after one that met a clock that failed, with one piece of work at once', async () => {
    const time = fakeClock();
    let reads = 0;
    let breaksAt = Number.POSITIVE_INFINITY;
    const clock = () => {
      reads += 1;
      if (reads === breaksAt) throw new Error('the clock is away');
      return time();
    };
    const { requests, sent, logged } = fixture({ maxConcurrent: 1 }, clock);
    await requests.request('ada', { ip: '192.0.2.1' });
    breaksAt = reads + 1;
    await settled(requests);
    expect([sent.length, logged.map(({ message }) => message)]).toEqual([
      0,
      ['A requested one-time token could not be sent'],
    ]);
    await requests.request('ada', { ip: '192.0.2.1' });
    await settled(requests);
    expect(sent).toHaveLength(1);
  });

  it('sends the user a token that works, and an unknown account nothing', async () => {
    const { requests, tokens, sent, asked, logged } = fixture();
    await requests.request('ada', { ip: '192.0.2.1' });
    await requests.request('nobody', { ip: '192.0.2.1' });
    await settled(requests);
    expect(asked.sort()).toEqual(['ada', 'nobody']);
    const [mail, ...more] = sent;
    expect(more).toEqual([]);
    expect(mail).toEqual({
      user: ADA,
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      expiresAt: START + 3_600,
      ip: '192.0.2.1',
    });
    expect(await tokens.consume(mail?.token, { purpose: PURPOSE })).toMatchObject({ uid: '7' });
    expect(logged).toEqual([]);
  });

  it.each(['ada', 'nobody'])('is answered before anybody has looked for the user: %s', async (login) => {
    const { requests, asked } = fixture();
    await requests.request(login);
    expect(asked).toEqual([]);
    await settled(requests);
    expect(asked).toEqual([login]);
  });

  it('is answered while the lookup and the mailer hang, for known and unknown accounts alike', async () => {
    for (const slow of [{ findUser: NEVER }, { sendToken: NEVER }]) {
      const { requests } = fixture(slow);
      for (const login of ['ada', 'nobody', 'ada', 'nobody']) {
        expect(await requests.request(login)).toBeUndefined();
        await delaysPass();
      }
    }
  });

  it('asks the store for as much where there is no user, which leaves one token that nobody has', async () => {
    const calls: string[] = [];
    const memory = memoryOneTimeTokenStore();
    const store = Object.fromEntries(
      Object.entries(memory).map(([name, method]) => [
        name,
        async (parameters: object) => {
          calls.push(`${name} ${Object.keys(parameters)}`);
          return await Reflect.apply(method, memory, [parameters]);
        },
      ]),
    ) as unknown as typeof memory;
    const { requests } = fixture({ tokens: createOneTimeTokens({ store, instance: '/api' }) });
    await requests.request('ada');
    await settled(requests);
    const ofKnown = calls.splice(0);
    expect(ofKnown).toHaveLength(1);
    for (const login of ['nobody', 'none']) {
      await requests.request(login);
      await settled(requests);
      expect(calls.splice(0)).toEqual(ofKnown);
    }
    const expiredBefore = Number.MAX_SAFE_INTEGER;
    expect(await memory.purge({ expiredBefore, limit: 10 })).toBe(2);
  });

  it('waits for a random time before it is worked on, up to a second', async () => {
    const { requests, asked } = fixture();
    const begunAfterMs = new Set<number>();
    for (let n = 0; n < 20; n += 1) {
      await requests.request(`user ${n}`);
      let elapsedMs = 0;
      while (asked.length <= n && elapsedMs < 1_000) {
        await vi.advanceTimersByTimeAsync(10);
        elapsedMs += 10;
      }
      expect(asked).toHaveLength(n + 1);
      begunAfterMs.add(elapsedMs);
    }
    expect(begunAfterMs.size).toBeGreaterThan(5);
  });

  it('is refused after five for one account, known or not, in any spelling, until the window ends', async () => {
    const { requests, clock, sent } = fixture();
    for (const login of ['ada', 'nobody']) {
      for (const spelling of [login, login.toUpperCase(), ` ${login}`, login, login]) {
        await requests.request(spelling);
        await settled(requests);
      }
      await expect(requests.request(login)).rejects.toMatchObject({
        code: 'rate_limited',
        status: 429,
        retryAfterSeconds: 3_600,
      });
    }
    await settled(requests);
    clock.advance(3_600);
    await requests.request('ada');
    await settled(requests);
    expect(sent).toHaveLength(4);
  });

  it('is refused after fifty from one network, whatever the accounts', async () => {
    const { requests } = fixture();
    for (let n = 0; n < 50; n += 1) await requests.request(`user ${n}`, { ip: `2001:db8::${n}` });
    await expect(requests.request('another', { ip: '2001:db8::ffff' })).rejects.toMatchObject({
      code: 'rate_limited',
    });
    await requests.request('another', { ip: '2001:db8:1::1' });
    await settled(requests);
  });

  it.each(['', 'x'.repeat(257), 'a\u0000da', 'a\u200bda', '\ud800', undefined, null, 7, ['ada']])(
    'is refused for what cannot be a login, and nobody is looked for: %j',
    async (login) => {
      const { requests, asked } = fixture();
      await expect(requests.request(login)).rejects.toMatchObject({ code: 'login_invalid', status: 422 });
      await settled(requests);
      expect(asked).toEqual([]);
    },
  );

  it('gets the same answer while a thousand wait, and is dropped, which is logged once a minute', async () => {
    const { requests, logged } = fixture({ maxConcurrent: 1, findUser: NEVER, maxPerAddress: 100_000 });
    for (let n = 0; n < 1_000; n += 1) await requests.request(`user ${n}`, { ip: `192.0.2.${n % 100}` });
    expect(logged).toEqual([]);
    for (const login of ['ada', 'nobody']) await requests.request(login, { ip: '192.0.2.200' });
    expect(logged).toEqual([{ fields: { purpose: PURPOSE, requests: 1 }, message: DROPPED }]);
  });

  it('tells by no answer whether the request for a known account holds up the others', async () => {
    const answersOf = async (victim: string) => {
      const { requests, logged } = fixture({ maxConcurrent: 1, maxPerAddress: 100_000, sendToken: NEVER });
      const answers: string[] = [];
      const ask = async (login: string) => {
        const answer = requests.request(login, { ip: '192.0.2.1' });
        answers.push(
          await answer.then(
            () => 'taken',
            () => 'refused',
          ),
        );
      };
      await ask(victim);
      await delaysPass();
      for (let n = 0; n < 1_000; n += 1) await ask(`made up ${n}`);
      await delaysPass();
      await ask('later');
      return { answers, dropped: logged.length };
    };
    const [known, unknown] = [await answersOf('ada'), await answersOf('nobody')];
    expect([known.dropped, unknown.dropped]).toEqual([1, 0]);
    expect(known.answers).toEqual(unknown.answers);
  });

  it('waits once for an account, whatever its spelling, and again once it was worked on', async () => {
    const { requests, sent } = fixture({ findUser: async () => ADA });
    for (const login of ['ada', 'ADA', 'ädá']) await requests.request(login, { ip: '192.0.2.1' });
    await settled(requests);
    expect(sent).toHaveLength(1);
    await requests.request('ada', { ip: '192.0.2.1' });
    await settled(requests);
    expect(sent).toHaveLength(2);
  });

  it('is worked on after those whose delays ended earlier, in its own asynchronous context', async () => {
    const context = new AsyncLocalStorage<string>();
    const asked: string[] = [];
    const { requests } = fixture({
      maxConcurrent: 1,
      async findUser(login) {
        asked.push(`${login} in ${context.getStore()}`);
        return await NEVER();
      },
    });
    const logins = ['ada', 'bob', 'cleo'];
    for (const login of logins) {
      await context.run(login, () => requests.request(login, { ip: '192.0.2.1' }));
      await delaysPass();
    }
    for (const _ of logins) await vi.advanceTimersByTimeAsync(HOST_CALL_TIMEOUT_MS);
    expect(asked).toEqual(logins.map((login) => `${login} in ${login}`));
  });

  it.each([undefined, null, {}, { ip: undefined }, { ip: null }])('has no address: %j', async (client) => {
    const { requests, sent } = fixture();
    await requests.request('ada', client as never);
    await settled(requests);
    expect(sent).toEqual([expect.objectContaining({ ip: undefined })]);
  });

  it('runs no more lookups at once than it may', async () => {
    let underWay = 0;
    let most = 0;
    const { requests } = fixture({
      maxConcurrent: 3,
      async findUser() {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        underWay -= 1;
        return undefined;
      },
    });
    for (let n = 0; n < 30; n += 1) await requests.request(`user ${n}`);
    await vi.advanceTimersByTimeAsync(30_000);
    await requests.idle();
    expect(most).toBe(3);
  });

  it('is dropped before anybody looks for the user if it has waited behind others for over a minute', async () => {
    let release = () => {};
    const first = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    const asked: string[] = [];
    const { requests, clock, sent, logged } = fixture({
      maxConcurrent: 1,
      async findUser(login) {
        asked.push(login);
        return login === 'slow' ? await first : ADA;
      },
    });
    await requests.request('slow');
    await delaysPass();
    await requests.request('late');
    clock.advance(1);
    await requests.request('in time');
    clock.advance(60);
    release();
    await settled(requests);
    expect(asked).toEqual(['slow', 'in time']);
    expect(sent).toHaveLength(1);
    expect(logged).toEqual([{ fields: { purpose: PURPOSE, requests: 1 }, message: DROPPED }]);
  });

  it('gives up a store that never answers', async () => {
    const store = { ...memoryOneTimeTokenStore(), issue: NEVER };
    const { requests, logged } = fixture({
      tokens: createOneTimeTokens({ store, instance: '/api' }),
      maxConcurrent: 1,
    });
    await requests.request('ada');
    await delaysPass();
    await vi.advanceTimersByTimeAsync(HOST_CALL_TIMEOUT_MS);
    await requests.idle();
    expect(logged).toMatchObject([{ message: 'A requested one-time token could not be sent' }]);
  });

  it.each(['findUser', 'sendToken'] as const)('gives up a function that never settles: %s', async (name) => {
    const { requests, logged } = fixture({ [name]: NEVER, maxConcurrent: 1 });
    await requests.request('ada');
    await delaysPass();
    await vi.advanceTimersByTimeAsync(HOST_CALL_TIMEOUT_MS);
    await settled(requests);
    expect(logged).toHaveLength(1);
    expect(String(Object.entries(logged[0]?.fields ?? {}))).toContain(name);
  });

  it('reports what failed without the token, the login and the address, and answers as ever', async () => {
    const mails: string[] = [];
    const { requests, logged } = fixture({
      findUser: async () => ADA,
      async sendToken({ token, user }) {
        mails.push(token);
        throw new Error(`550 no mailbox of lovelace, ${user.email}, https://shop.example/reset#${token}`);
      },
    });
    await requests.request('lovelace');
    await settled(requests);
    const [report] = logged;
    expect(report?.message).toBe('A requested one-time token could not be sent');
    expect(report?.fields).toMatchObject({ purpose: PURPOSE });
    const text = JSON.stringify(report) + String(Object.values(report?.fields ?? {}));
    expect(text).toContain('550 no mailbox of');
    expect(text).not.toContain(mails[0]);
    expect(text).not.toContain('lovelace');
    expect(text).not.toContain(ADA.email);
  });
});

describe('requests that several processes count in one store', () => {
  const auth = createAuth({ signingKey: KEY, cookiePath: '/api' });

  it('are refused after five for one account in all, which the store learns no name of', async () => {
    const store = memoryLoginFailures();
    const processes = [fixture({ store }), fixture({ store })];
    for (let n = 0; n < 5; n += 1) await processes[n % 2]?.requests.request('ada', { ip: '192.0.2.1' });
    for (const { requests } of processes) {
      await expect(requests.request('ADA')).rejects.toMatchObject({ code: 'rate_limited' });
      await requests.request('bob');
      await settled(requests);
    }
    const keys = [...store.counts.keys()];
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key).toMatch(/^login:[\w-]{43}$/);
  });

  it('are counted apart from log-ins, whose keys are hashed under another label', async () => {
    const store = memoryLoginFailures();
    const labels: string[] = [];
    const parts = requireParts(auth);
    const labelling = (of: string) =>
      withParts(auth, {
        ...parts,
        keyedHash(label: string) {
          labels.push(`${of}: ${label}`);
          return parts.keyedHash(label);
        },
      });
    const windowSeconds = 3_600;
    const { sessions } = sessionHost({
      clock: fakeClock(),
      auth: labelling('log-ins'),
      loginThrottle: { store, windowSeconds, maxFailuresPerAccount: 1 },
    });
    const logIn = () => sessions.login({ login: 'ada', password: 'guess' });
    await expect(logIn()).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(logIn()).rejects.toMatchObject({ code: 'rate_limited' });
    const { requests } = fixture({
      tokens: createOneTimeTokens({ store: memoryOneTimeTokenStore(), auth }),
      store,
      auth: labelling('requests'),
      maxPerAccount: 1,
    });
    await requests.request('ada');
    await expect(requests.request('ada')).rejects.toMatchObject({ code: 'rate_limited' });
    await settled(requests);
    expect(labels).toEqual([
      'log-ins: @acme/auth failed log-ins',
      'log-ins: @acme/auth known device',
      'requests: @acme/auth token requests',
    ]);
  });

  it('are counted apart from those for another purpose and another instance', async () => {
    const store = memoryLoginFailures();
    const clock = fakeClock();
    const tokens = createOneTimeTokens({
      store: memoryOneTimeTokenStore(),
      auth: instanceAt(clock, '/api/admin'),
    });
    for (const options of [{}, { purpose: 'invitation' }, { tokens }]) {
      const { requests } = fixture({ store, maxPerAccount: 1, ...options });
      await requests.request('ada');
      await expect(requests.request('ada')).rejects.toMatchObject({ code: 'rate_limited' });
      await settled(requests);
    }
  });

  it('are counted by this process while the store fails, which is logged', async () => {
    const store = { ...memoryLoginFailures(), add: () => Promise.reject(new Error('down')) };
    const { requests, logged } = fixture({ store, maxPerAccount: 1 });
    await requests.request('ada');
    await expect(requests.request('ada')).rejects.toMatchObject({ code: 'rate_limited' });
    await settled(requests);
    expect(logged).toMatchObject([{ fields: { err: { message: 'down' } } }]);
  });
});

describe('misuse', () => {
  it.each<[string, object]>([
    ['no tokens', { tokens: undefined }],
    ['a purpose that is none', { purpose: 'Reset' }],
    ['no findUser', { findUser: undefined }],
    ['a sendToken that is none', { sendToken: 'mail' }],
    ['a life below a minute', { ttlSeconds: 59 }],
    ['no request per account', { maxPerAccount: 0 }],
    ['too many requests per address', { maxPerAddress: 100_001 }],
    ['too many at once', { maxConcurrent: 65 }],
    ['a store that is none', { store: {} }],
    ['a store without the instance', { store: memoryLoginFailures(), auth: undefined }],
    ['an instance that is none', { auth: {} }],
    ['an unknown option', { mailer: 1 }],
  ])('is a TypeError at construction: %s', (_, options) => {
    expect(() => fixture(options)).toThrow(TypeError);
  });
});

describe('requests under many names that lead to one account', () => {
  it.each([
    ['by itself', undefined],
    ['with others', memoryLoginFailures()],
  ])(
    'bring it at most three times as many mails as one name, and keep the store as busy for no account: %s',
    async (_, sound) => {
      const counted = { calls: 0 };
      const store = sound && {
        ...sound,
        add: (...given: Parameters<typeof sound.add>) => {
          counted.calls += 1;
          return sound.add(...given);
        },
      };
      const sent: string[] = [];
      const { requests } = fixture({
        store,
        maxPerAccount: 2,
        findUser: async (login) => (login.replaceAll('.', '') === 'ada' ? ADA : undefined),
        sendToken: async ({ user }) => void sent.push(user.uid),
      });
      const calls: number[] = [];
      for (const name of ['ada', 'zoe']) {
        const before = counted.calls;
        for (let i = 0; i < 12; i++) {
          await requests.request(`${'.'.repeat(i >> 1)}${name}`, { ip: `192.0.2.${i}` });
          await settled(requests);
          if (i === 5) calls.push(counted.calls - before);
        }
      }
      expect(sent).toHaveLength(6);
      expect(calls[0]).toBe(calls[1]);
    },
  );
});

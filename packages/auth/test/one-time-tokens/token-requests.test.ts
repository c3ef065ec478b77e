import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryOneTimeTokenStore } from '../../src/one-time-tokens/memory-one-time-token-store.ts';
import { createOneTimeTokens } from '../../src/one-time-tokens/one-time-tokens.ts';
import { createTokenRequests } from '../../src/one-time-tokens/token-requests.ts';
import type { TokenMail, TokenRequestsOptions } from '../../src/one-time-tokens/token-requests-options.ts';
import { HOST_CALL_TIMEOUT_MS } from '../../src/sessions/host-call.ts';
import { fakeClock, START } from '../fake-clock.ts';

interface User {
  readonly uid: string;
  readonly email: string;
}

const PURPOSE = 'password_reset';
const ADA: User = { uid: '7', email: 'ada@shop.example' };
const NEVER = () => new Promise<never>(() => {});

function fixture(options: Partial<TokenRequestsOptions<User>> = {}) {
  const clock = fakeClock();
  const tokens = createOneTimeTokens({ store: memoryOneTimeTokenStore(), instance: '/api', clock });
  const sent: TokenMail<User>[] = [];
  const logged: { readonly fields: object; readonly message: string }[] = [];
  const asked: string[] = [];
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
    clock,
    logger: { error: (fields, message) => void logged.push({ fields, message }) },
    ...options,
  });
  return { clock, tokens, requests, sent, logged, asked };
}

afterEach(() => void vi.useRealTimers());

describe('a request for a token', () => {
  it('sends the user a token that works, and an unknown account nothing', async () => {
    const { requests, tokens, sent, asked, logged } = fixture();
    await requests.request('ada', { ip: '192.0.2.1' });
    await requests.request('nobody', { ip: '192.0.2.1' });
    await requests.idle();
    expect(asked).toEqual(['ada', 'nobody']);
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
    await requests.idle();
    expect(asked).toEqual([login]);
  });

  it('is answered while the look-up and the mailer hang, for known and unknown accounts alike', async () => {
    for (const slow of [{ findUser: NEVER }, { sendToken: NEVER }]) {
      const { requests } = fixture(slow);
      for (const login of ['ada', 'nobody', 'ada', 'nobody']) {
        expect(await requests.request(login)).toBeUndefined();
        await turn();
      }
    }
  });

  it('is refused after five for one account, known or not, in any spelling, until the window ends', async () => {
    const { requests, clock, sent } = fixture();
    for (const login of ['ada', 'nobody']) {
      for (const spelling of [login, login.toUpperCase(), ` ${login}`, login, login]) {
        await requests.request(spelling);
      }
      await expect(requests.request(login)).rejects.toMatchObject({
        code: 'rate_limited',
        status: 429,
        retryAfterSeconds: 3_600,
      });
    }
    await requests.idle();
    clock.advance(3_600);
    await requests.request('ada');
    await requests.idle();
    expect(sent).toHaveLength(4);
  });

  it('is refused after fifty from one network, whatever the accounts', async () => {
    const { requests } = fixture();
    for (let n = 0; n < 50; n += 1) await requests.request(`user ${n}`, { ip: `2001:db8::${n}` });
    await expect(requests.request('another', { ip: '2001:db8::ffff' })).rejects.toMatchObject({
      code: 'rate_limited',
    });
    await requests.request('another', { ip: '2001:db8:1::1' });
    await requests.idle();
  });

  it.each(['', 'x'.repeat(257), 'a\u0000da', 'a\u200bda', '\ud800', undefined, null, 7, ['ada']])(
    'is refused for what cannot be a login, and nobody is looked for: %j',
    async (login) => {
      const { requests, asked } = fixture();
      await expect(requests.request(login)).rejects.toMatchObject({ code: 'login_invalid', status: 422 });
      await requests.idle();
      expect(asked).toEqual([]);
    },
  );

  it('is refused alike for everybody while a thousand wait', async () => {
    const { requests } = fixture({ maxConcurrent: 1, findUser: NEVER, maxPerAccount: 100_000 });
    for (let n = 0; n < 1_000; n += 1) await requests.request(`user ${n}`);
    for (const login of ['ada', 'nobody']) {
      await expect(requests.request(login)).rejects.toMatchObject({ code: 'rate_limited' });
    }
  });

  it('runs no more look-ups at once than it may', async () => {
    let underWay = 0;
    let most = 0;
    const { requests } = fixture({
      maxConcurrent: 3,
      async findUser() {
        underWay += 1;
        most = Math.max(most, underWay);
        await turn();
        underWay -= 1;
        return undefined;
      },
    });
    for (let n = 0; n < 30; n += 1) await requests.request(`user ${n}`);
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
    await turn();
    await requests.request('late');
    clock.advance(1);
    await requests.request('in time');
    clock.advance(60);
    release();
    await requests.idle();
    expect(asked).toEqual(['slow', 'in time']);
    expect(sent).toHaveLength(1);
    expect(logged).toEqual([
      {
        fields: { purpose: PURPOSE, waitedSeconds: 61 },
        message: 'A request for a one-time token was dropped, because it waited too long',
      },
    ]);
  });

  it.each(['findUser', 'sendToken'] as const)('gives up a function that never settles: %s', async (name) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { requests, logged } = fixture({ [name]: NEVER, maxConcurrent: 1 });
    await requests.request('ada');
    await turn();
    await turn();
    await vi.advanceTimersByTimeAsync(HOST_CALL_TIMEOUT_MS);
    await requests.idle();
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
    await requests.idle();
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

describe('misuse', () => {
  it.each<[string, object]>([
    ['no tokens', { tokens: undefined }],
    ['a purpose that is none', { purpose: 'Reset' }],
    ['no findUser', { findUser: undefined }],
    ['a sendToken that is none', { sendToken: 'mail' }],
    ['a life below a minute', { ttlSeconds: 59 }],
    ['no request per account', { maxPerAccount: 0 }],
    ['too many requests per address', { maxPerAddress: 100_001 }],
    ['a window of half a second', { windowSeconds: 0.5 }],
    ['too many at once', { maxConcurrent: 65 }],
    ['a clock that is none', { clock: 1 }],
    ['a logger that is none', { logger: {} }],
    ['an unknown option', { mailer: 1 }],
  ])('is a TypeError at construction: %s', (_, options) => {
    expect(() => fixture(options)).toThrow(TypeError);
  });
});

import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createAuth } from '../../src/auth.ts';
import { memoryOneTimeTokenStore } from '../../src/one-time-tokens/memory-one-time-token-store.ts';
import type { OneTimeToken, OneTimeTokenStore } from '../../src/one-time-tokens/one-time-token-store.ts';
import { createOneTimeTokens, type OneTimeTokenRequest } from '../../src/one-time-tokens/one-time-tokens.ts';
import type { OneTimeTokensOptions } from '../../src/one-time-tokens/one-time-tokens-options.ts';
import { hashToken } from '../../src/tokens/refresh-token.ts';
import { fakeClock, instanceAt, START } from '../fake-clock.ts';
import { SIGNING_KEY } from '../sessions/session-host.ts';

const RESET = { purpose: 'password_reset' };
const REQUEST: OneTimeTokenRequest = { uid: '7', ...RESET };
const INVALID = expect.objectContaining({ code: 'one_time_token_invalid', status: 422 });

function fixture(options: Partial<OneTimeTokensOptions> = {}) {
  const clock = fakeClock();
  const memory = memoryOneTimeTokenStore();
  const calls: [string, unknown][] = [];
  const watched = Object.entries(memory).map(([method, call]) => [
    method,
    (argument: unknown) => {
      calls.push([method, argument]);
      return Reflect.apply(call, memory, [argument]);
    },
  ]);
  const store: OneTimeTokenStore = Object.fromEntries(watched);
  const tokens = createOneTimeTokens({ store, auth: instanceAt(clock), ...options });
  return { clock, store, calls, tokens };
}

describe('a one-time token', () => {
  it('is consumed once, and says whom and what it was issued for', async () => {
    const { tokens, clock } = fixture();
    const { token, expiresAt } = await tokens.issue(REQUEST);
    expect(expiresAt).toBe(START + 3_600);
    clock.advance(3_599);
    const record = { uid: '7', instance: '/api', ...RESET, issuedAt: START, expiresAt };
    expect(await tokens.validate(token, RESET)).toEqual(record);
    expect(await tokens.consume(token, RESET)).toEqual(record);
    await expect(tokens.consume(token, RESET)).rejects.toEqual(INVALID);
    await expect(tokens.validate(token, RESET)).rejects.toEqual(INVALID);
  });

  it('reaches the store as its hash alone', async () => {
    const { tokens, calls } = fixture();
    const { token } = await tokens.issue(REQUEST);
    await tokens.validate(token, RESET);
    await tokens.consume(token, RESET);
    expect(calls).toHaveLength(3);
    expect(JSON.stringify(calls)).not.toContain(token);
    for (const [, argument] of calls) expect(argument).toMatchObject({ tokenHash: hashToken(token) });
  });

  it('is refused with one error for every reason, and its message does not repeat it', async () => {
    const { tokens, clock } = fixture();
    const used = await tokens.issue(REQUEST);
    await tokens.consume(used.token, RESET);
    const replaced = await tokens.issue(REQUEST);
    await tokens.issue(REQUEST);
    const revoked = await tokens.issue({ ...REQUEST, uid: '8' });
    await tokens.revokeAll('8');
    const invitation = await tokens.issue({ uid: '9', purpose: 'invitation' });
    const expired = await tokens.issue({ ...REQUEST, uid: '9', ttlSeconds: 60 });
    clock.advance(60);
    const refused = [used, replaced, revoked, invitation, expired, { token: 'ab'.repeat(32) }];
    const errors = [];
    for (const { token } of refused) {
      const error = await tokens.consume(token, RESET).catch((caught: unknown) => caught);
      expect(error).toEqual(INVALID);
      expect(String(error)).not.toContain(token);
      errors.push(String(error));
    }
    expect(new Set(errors).size).toBe(1);
    expect(await tokens.consume(invitation.token, { purpose: 'invitation' })).toMatchObject({ uid: '9' });
  });

  inOneTest([
    '',
    'x'.repeat(64),
    'AB'.repeat(32),
    'a'.repeat(10_000),
    undefined,
    null,
    7,
    {},
    ['ab'.repeat(32)],
  ])('costs no lookup if it is malformed: %j', async (token) => {
    const { tokens, calls } = fixture();
    await expect(tokens.consume(token, RESET)).rejects.toEqual(INVALID);
    await expect(tokens.validate(token, RESET)).rejects.toEqual(INVALID);
    expect(calls).toEqual([]);
  });

  it('is unknown to another instance on the same store', async () => {
    const { tokens, store, clock } = fixture();
    const auth = createAuth({ signingKey: SIGNING_KEY, clock });
    const admins = createOneTimeTokens({ auth, store });
    const { token } = await tokens.issue(REQUEST);
    await expect(admins.validate(token, RESET)).rejects.toEqual(INVALID);
    await expect(admins.consume(token, RESET)).rejects.toEqual(INVALID);
    expect(await admins.revokeAll('7')).toBe(0);
    expect(await tokens.consume(token, RESET)).toMatchObject({ uid: '7', instance: '/api' });
    expect(await admins.consume((await admins.issue(REQUEST)).token, RESET)).toMatchObject({
      instance: '/api/admin',
    });
  });

  it('is refused if a store that compares loosely gives another one', async () => {
    const sound = memoryOneTimeTokenStore();
    const record: OneTimeToken = {
      uid: '7',
      instance: '/API',
      ...RESET,
      issuedAt: START,
      expiresAt: START + 9,
    };
    for (const other of [record, { ...record, instance: '/api', purpose: 'invitation' }]) {
      const loose: OneTimeTokenStore = { ...sound, find: async () => other, consume: async () => other };
      const { tokens } = fixture({ store: loose });
      await expect(tokens.consume('ab'.repeat(32), RESET)).rejects.toEqual(INVALID);
      await expect(tokens.validate('ab'.repeat(32), RESET)).rejects.toEqual(INVALID);
    }
  });

  it('is revoked with all of the user, or with those for a purpose', async () => {
    const { tokens } = fixture();
    const reset = await tokens.issue(REQUEST);
    const invitation = await tokens.issue({ uid: '7', purpose: 'invitation' });
    expect(await tokens.revokeAll('7', RESET)).toBe(1);
    await expect(tokens.validate(reset.token, RESET)).rejects.toEqual(INVALID);
    expect(await tokens.validate(invitation.token, { purpose: 'invitation' })).toBeDefined();
    expect(await tokens.revokeAll('7')).toBe(1);
  });

  it('is purged once it has expired, however many there are', async () => {
    const { tokens, clock, calls } = fixture();
    for (let n = 0; n < 2_001; n += 1) await tokens.issue({ ...REQUEST, uid: `${n}`, ttlSeconds: 60 });
    const open = await tokens.issue(REQUEST);
    clock.advance(60);
    calls.length = 0;
    expect(await tokens.purge()).toBe(2_000);
    expect(calls.map(([method]) => method)).toEqual(['purge', 'purge', 'purge']);
    expect(await tokens.validate(open.token, RESET)).toBeDefined();
  });
});

describe('misuse', () => {
  const { tokens } = fixture();

  inOneTest<[string, () => Promise<unknown>]>([
    ['a uid that is none', () => tokens.issue({ ...REQUEST, uid: '' })],
    ['a purpose that is none', () => tokens.issue({ ...REQUEST, purpose: 'Reset' })],
    ['a life below a minute', () => tokens.issue({ ...REQUEST, ttlSeconds: 59 })],
    ['a life above 30 days', () => tokens.issue({ ...REQUEST, ttlSeconds: 2_592_001 })],
    ['an unknown option', () => tokens.issue(Object.assign({ ttl: 60 }, REQUEST))],
    [
      'an option of another method',
      () => tokens.validate('', Object.assign({ transaction: undefined }, RESET)),
    ],
    ['no purpose to consume for', () => tokens.consume('', { purpose: '' })],
    ['a uid that is none, to revoke', () => tokens.revokeAll('x'.repeat(129))],
    ['a purpose that is none, to revoke', () => tokens.revokeAll('7', { purpose: '' })],
    [
      'a transaction that the store does not know',
      () => tokens.issue({ ...REQUEST, transaction: { isTransaction: true } }),
    ],
  ])('is a TypeError: %s', async (_, call) => {
    await expect(call()).rejects.toThrow(TypeError);
  });

  const store = memoryOneTimeTokenStore();
  inOneTest<[string, object]>([
    ['no instance', { store }],
    ['no store', { instance: '/api' }],
    ['a store of another kind', { instance: '/api', store: {} }],
    ['a clock that is none', { auth: { options: { audience: '/api', clock: 7 } }, store }],
    ['an unknown option', { instance: '/api', store, ttlSeconds: 60 }],
  ])('is a TypeError at construction: %s', (_, options) => {
    expect(() =>
      createOneTimeTokens(Object.assign({ store, instance: undefined }, { store: undefined }, options)),
    ).toThrow(TypeError);
  });
});

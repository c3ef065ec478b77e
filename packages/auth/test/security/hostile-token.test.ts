import { describe, expect, it, vi } from 'vitest';
import { createAuth } from '../../src/auth.ts';
import { ErrInvalidToken } from '../../src/errors.ts';
import { fakeClock, START } from '../fake-clock.ts';
import { type Forgery, forgeToken, KEY } from '../tokens/forge-token.ts';

function instance() {
  return { auth: createAuth({ signingKey: KEY, clock: fakeClock() }) };
}

/** The reason for which a token is refused, or the uid when it is accepted. */
async function judge(forgery: Forgery | string): Promise<string> {
  const token = typeof forgery === 'string' ? forgery : forgeToken(forgery);
  try {
    return `uid ${(await instance().auth.validateAccessToken(token)).uid}`;
  } catch (error) {
    if (error instanceof ErrInvalidToken) return error.reason;
    throw error;
  }
}

describe('forged tokens with a header that no key of ours writes', () => {
  it('cost jose nothing, though four of them may be tried with eight keys each', async () => {
    const signingKeys = Array.from({ length: 8 }, (_, i) => ({ kid: `k${i}`, key: `${KEY}-${i}` }));
    const auth = createAuth({ signingKeys, clock: fakeClock() });
    const verify = vi.spyOn(crypto.subtle, 'verify');
    try {
      const header = '{"typ":"at+jwt","alg":"HS256"}';
      const send = (keyOf: (i: number) => string) => {
        const tokens = ['1', '2', '3', '4'].map((uid, i) =>
          forgeToken({ header, payload: { uid }, key: keyOf(i) }),
        );
        return auth.authenticate({ headers: { cookie: tokens.map((t) => `access_token=${t}`).join('; ') } });
      };
      await expect(send(() => 'another key')).rejects.toThrow(ErrInvalidToken);
      expect(verify).toHaveBeenCalledTimes(0);
      expect(await send((i) => (i === 2 ? `${KEY}-7` : 'another key'))).toMatchObject({ uid: '3' });
      expect(verify).toHaveBeenCalledTimes(1);
    } finally {
      verify.mockRestore();
    }
  });
});

describe('in a process whose Object.prototype somebody polluted', () => {
  const names = ['uid', 'scopes', 'iat', 'exp', 'aud', 'sid', 'nbf', 'alg', 'typ', 'kid', 'crit'];
  const good: Record<string, unknown> = {
    scopes: ['admin'],
    iat: START,
    exp: START + 300,
    aud: '/api/admin',
  };

  async function polluted<T>(members: object, task: () => Promise<T>): Promise<T> {
    Object.assign(Object.prototype, members);
    try {
      return await task();
    } finally {
      for (const name of names) Reflect.deleteProperty(Object.prototype, name);
    }
  }

  it.each([
    ['claims', {}, { uid: '1', ...good }],
    ['claims', { uid: '42', scopes: [] }, good],
    ['audience', { uid: '42', scopes: [], iat: START, exp: START + 300 }, { aud: '/api/admin' }],
  ])('takes no claim from there: %s', async (reason, payload, members) => {
    const token = forgeToken({ payload: JSON.stringify(payload) });
    expect(await polluted(members, () => judge(token))).toBe(reason);
  });

  it('takes neither algorithm nor type nor session from there', async () => {
    const token = forgeToken({ header: '{"kid":"x"}' });
    expect(await polluted({ alg: 'HS256', typ: 'at+jwt' }, () => judge(token))).toBe('header');
    const { auth } = instance();
    const good = forgeToken();
    const claims = await polluted({ sid: 'planted', nbf: START + 60 }, () => auth.validateAccessToken(good));
    expect(claims.sessionId).toBeUndefined();
  });
});

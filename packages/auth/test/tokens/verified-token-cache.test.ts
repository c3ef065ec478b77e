import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createAuth } from '../../src/auth.ts';
import type { AuthOptions } from '../../src/auth-options.ts';
import { Claims } from '../../src/claims.ts';
import { ErrInvalidToken, ErrTokenExpired } from '../../src/errors.ts';
import { createVerifiedTokenCache } from '../../src/tokens/verified-token-cache.ts';
import { fakeClock, START } from '../fake-clock.ts';
import { forgeToken, KEY } from './forge-token.ts';

function instance(options: Partial<AuthOptions> = {}) {
  const clock = fakeClock();
  return { clock, auth: createAuth({ signingKey: KEY, clock, ...options }) };
}

/** A text of its own, as each request brings one. */
const fresh = (token: string) => Buffer.from(token).toString('latin1');

async function verdict(validation: Promise<Claims>): Promise<string> {
  try {
    return `uid ${(await validation).uid}`;
  } catch (error) {
    if (error instanceof ErrTokenExpired) return 'expired';
    if (error instanceof ErrInvalidToken) return error.reason;
    throw error;
  }
}

describe('a token that was validated before', () => {
  it('gives the claims that were verified, frozen, whatever text object carries it', async () => {
    const { auth } = instance();
    const token = await auth.issueAccessToken('42', ['admin'], { sessionId: 's1' });
    const first = await auth.validateAccessToken(token);
    const again = await auth.validateAccessToken(fresh(token));
    // The same object shows that nothing was verified again; frozen, so that nobody can change it
    // for others.
    expect(again).toBe(first);
    expect(Object.isFrozen(again) && Object.isFrozen(again.scopes)).toBe(true);
  });

  it('is refused at once when it is revoked, and while it is', async () => {
    const { auth } = instance();
    const token = await auth.issueAccessToken('42', [], { sessionId: 's1' });
    await auth.validateAccessToken(token);
    auth.revocations.revokeSession('s1');
    for (let n = 0; n < 3; n++) expect(await verdict(auth.validateAccessToken(token))).toBe('revoked');
  });

  it('is remembered by its own instance alone: not without its key, not for another audience', async () => {
    const ring = [
      { kid: 'new', key: `${KEY}-new` },
      { kid: 'old', key: `${KEY}-old` },
    ];
    const before = instance({ signingKey: undefined, signingKeys: ring.slice(1) });
    const token = await before.auth.issueAccessToken('42', []);
    const both = instance({ signingKey: undefined, signingKeys: ring });
    const removed = instance({ signingKey: undefined, signingKeys: ring.slice(0, 1) });
    const users = instance({ signingKey: undefined, signingKeys: ring, cookiePath: '/api' });
    for (const { auth } of [before, both])
      expect(await verdict(auth.validateAccessToken(token))).toBe('uid 42');
    expect(await verdict(removed.auth.validateAccessToken(token))).toBe('key');
    expect(await verdict(users.auth.validateAccessToken(token))).toBe('audience');
  });

  it('does not disturb a broken clock: nobody passes', async () => {
    let now = START * 1000;
    const auth = createAuth({ signingKey: KEY, clock: () => now });
    const token = await auth.issueAccessToken('42', []);
    await auth.validateAccessToken(token);
    now = Number.NaN;
    await expect(auth.validateAccessToken(token)).rejects.toThrow('clock');
  });
});

describe('a token that failed', () => {
  it('is judged anew each time', async () => {
    const { auth, clock } = instance();
    const notYet = forgeToken({ payload: { nbf: START + 1 } });
    expect(await verdict(auth.validateAccessToken(notYet))).toBe('time');
    clock.advance(1);
    expect(await verdict(auth.validateAccessToken(notYet))).toBe('uid 42');
  });

  inOneTest(['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', ''])(
    'finds nothing under the name %j of a prototype’s member',
    async (text) => {
      const { auth } = instance();
      await auth.validateAccessToken(forgeToken());
      expect(await verdict(auth.validateAccessToken(text))).toBe('malformed');
    },
  );
});

describe('more distinct tokens than are remembered', () => {
  it('each give their own claims, in any order, whether they are remembered or not', async () => {
    // Some ten thousand of them fit the default cache.
    const { auth } = instance();
    const tokens: string[] = [];
    for (let n = 0; n < 25_000; n++) {
      tokens.push(
        await auth.issueAccessToken(`user-${n}`, [`scope-${n % 7}`], { sessionId: `session-${n}` }),
      );
    }
    let wrong = 0;
    for (const [stride, visits] of [
      [1, 25_000],
      [-1, 5_000],
      [7_919, 5_000],
    ] as const) {
      for (let n = 1; n <= visits; n++) {
        const index = (tokens.length + ((n * stride) % tokens.length)) % tokens.length;
        const { uid, scopes, sessionId } = await auth.validateAccessToken(tokens[index] ?? '');
        if (uid !== `user-${index}` || sessionId !== `session-${index}`) wrong += 1;
        if (scopes.length !== 1 || scopes[0] !== `scope-${index % 7}`) wrong += 1;
      }
    }
    expect(wrong).toBe(0);
  });
});

describe('the bound of the cache', () => {
  const claims = new Claims({ uid: '42', scopes: [], issuedAt: START, expiresAt: START + 300 });
  const verified = { claims, validFrom: START - 60, validUntil: START + 300 };
  const textOf = (n: number) => `${n}`.padStart(200, 'x');

  function countRemembered(maxBytes: number, distinct: number): number {
    const cache = createVerifiedTokenCache({ maxBytes, ttlSeconds: 300 });
    for (let n = 0; n < distinct; n++) cache.remember(textOf(n), verified, START);
    let remembered = 0;
    // From the oldest on: what is found in the older half moves to the newer one, and may push out
    // the rest.
    for (let n = 0; n < distinct; n++) if (cache.find(textOf(n), START) !== undefined) remembered += 1;
    return remembered;
  }

  it('holds as many tokens as fit at about a kilobyte each, and at least half as many', () => {
    for (const kilobytes of [64, 256, 1024]) {
      const remembered = countRemembered(kilobytes * 1024, 20_000);
      expect(remembered).toBeGreaterThan(kilobytes / 4);
      expect(remembered).toBeLessThanOrEqual(kilobytes);
    }
  });

  it('does not remember what is larger than half of it', () => {
    expect(countRemembered(1024, 3)).toBe(0);
    expect(countRemembered(0, 3)).toBe(0);
  });

  it('keeps what is in use and drops what is not', () => {
    const cache = createVerifiedTokenCache({ maxBytes: 64 * 1024, ttlSeconds: 300 });
    cache.remember('in use', verified, START);
    cache.remember('seen once', verified, START);
    for (let n = 0; n < 1000; n++) {
      cache.remember(textOf(n), verified, START);
      expect(cache.find('in use', START)).toBe(verified);
    }
    expect(cache.find('seen once', START)).toBeUndefined();
  });

  inOneTest(['remember', 'find'])('keeps no header that a token was cut from (%s)', (way) => {
    // A slice keeps the text that it was cut from: 2,000 headers of 10 kB would be 20 MB.
    const cut = (n: number) => fresh(textOf(n).padEnd(10_000, '; other=cookie')).slice(0, 200);
    const immortal = { ...verified, validUntil: Number.MAX_SAFE_INTEGER };
    const cache = createVerifiedTokenCache({ maxBytes: 8 * 2 ** 20, ttlSeconds: 300 });
    if (way === 'find') for (let n = 0; n < 2_000; n++) cache.remember(textOf(n), immortal, START);
    // The next generation begins: what is found in the older one is put into it.
    cache.remember('next', immortal, START + 300);
    const before = heapAfterCollection();
    for (let n = 0; n < 2_000; n++) {
      if (way === 'remember') cache.remember(cut(n), immortal, START + 300);
      else expect(cache.find(cut(n), START + 300)).toBe(immortal);
    }
    expect(heapAfterCollection() - before).toBeLessThan(5_000_000);
    // Only now may the cache itself be collected.
    expect(cache.find(textOf(1_999), START + 300)).toBe(immortal);
  });

  it('lets go of expired tokens within two lives, however few there are', () => {
    const cache = createVerifiedTokenCache({ maxBytes: 2 ** 20, ttlSeconds: 300 });
    const immortal = { ...verified, validUntil: Number.MAX_SAFE_INTEGER };
    cache.remember('old', immortal, START);
    cache.remember('one', verified, START + 300);
    cache.remember('two', verified, START + 600);
    expect(cache.find('old', START + 600)).toBeUndefined();
  });
});

/** The bytes in use on the heap once everything unreachable is gone. */
function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

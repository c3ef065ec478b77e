import { describe, expect, it } from 'vitest';
import { createLockedKeys } from '../../src/throttle/locked-keys.ts';

const MAX_KEYS = 10_000;

function refusedAt(start: number) {
  const time = { now: start };
  const refused = createLockedKeys(() => time.now);
  /** Returns the seconds after which a refused log-in may try again; `undefined` means now. */
  const retryAfter = (...keys: string[]): number | undefined => {
    try {
      refused.refuse(keys.map((key) => ({ key })));
      return undefined;
    } catch (error) {
      expect(error).toMatchObject({ code: 'rate_limited' });
      return (error as { retryAfterSeconds: number }).retryAfterSeconds;
    }
  };
  return { time, refused, retryAfter };
}

describe('keys that were found at their limit', () => {
  it('are refused until the latest of their locks ends', () => {
    const { refused, retryAfter } = refusedAt(1_000);
    refused.add('a', 1_900);
    refused.add('b', 1_300);
    expect([retryAfter('a'), retryAfter('b'), retryAfter('c')]).toEqual([900, 300, undefined]);
    expect(retryAfter('c', 'b', 'a')).toBe(900);
  });

  it('are forgotten in the next second, and where the clock is set back', () => {
    for (const next of [1_001, 999]) {
      const { time, refused, retryAfter } = refusedAt(1_000);
      refused.add('a', 1_900);
      time.now = next;
      expect(retryAfter('a')).toBeUndefined();
      refused.add('b', 1_900);
      expect([retryAfter('a'), retryAfter('b')]).toEqual([undefined, 1_900 - next]);
    }
  });

  it('are told to wait for a second at least', () => {
    const { refused, retryAfter } = refusedAt(1_000);
    refused.add('a', 1_000);
    expect(retryAfter('a')).toBe(1);
  });

  it('are forgotten when they are cleared', () => {
    const { refused, retryAfter } = refusedAt(1_000);
    refused.add('a', 1_900);
    refused.clear();
    expect(retryAfter('a')).toBeUndefined();
  });

  it('are 10,000 at most, and a new one is asked for in the store', () => {
    const { refused, retryAfter } = refusedAt(1_000);
    for (let i = 0; i <= MAX_KEYS; i++) refused.add(`${i}`, 1_900);
    expect([retryAfter(`${MAX_KEYS - 1}`), retryAfter(`${MAX_KEYS}`)]).toEqual([900, undefined]);
  });
});

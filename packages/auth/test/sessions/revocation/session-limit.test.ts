import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveMaxSessions, sessionsOverLimit } from '../../../src/sessions/revocation/session-limit.ts';

const session = (id: string, createdAt: number) => ({ id, createdAt });

describe('the option maxSessionsPerUser', () => {
  it('is 100 by default, a number up to 1,000, or off', () => {
    expect(resolveMaxSessions(undefined)).toBe(100);
    for (const max of [1, 1_000, false] as const) expect(resolveMaxSessions(max)).toBe(max);
    for (const max of [0, 1_001, 1.5, Number.NaN]) expect(() => resolveMaxSessions(max)).toThrow(TypeError);
  });
});

describe('sessionsOverLimit', () => {
  it('names the oldest, by time and then by id, the oldest first', () => {
    const live = [session('c', 2), session('b', 1), session('a', 2), session('d', 1), session('e', 3)];
    expect(sessionsOverLimit(live, 5, 'e')).toEqual([]);
    expect(sessionsOverLimit(live, 3, 'e')).toEqual(['b', 'd']);
    expect(sessionsOverLimit(live, 2, 'e')).toEqual(['b', 'd', 'a']);
    expect(sessionsOverLimit(live, 1, 'e')).toEqual(['b', 'd', 'a', 'c']);
  });

  it('takes the new session for the newest, whatever its time', () => {
    const live = [session('a', 1), session('b', 2), session('c', 3)];
    expect(sessionsOverLimit(live, 2, 'a')).toEqual(['b']);
    expect(sessionsOverLimit(live, 1, 'a')).toEqual(['b', 'c']);
  });

  it('leaves exactly as many as are to be kept, the new session among them, in any order of input', () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        ids.chain((some) =>
          fc.tuple(fc.shuffledSubarray(some, { minLength: some.length }), fc.nat(30), fc.nat()),
        ),
        ([shuffled, keepLess, pick]) => {
          const live = shuffled.map((id, n) => session(id, (n * 7) % 3));
          const newestId = shuffled[pick % shuffled.length] ?? '';
          const ended = sessionsOverLimit(live, keepLess + 1, newestId);
          expect(ended).toHaveLength(Math.max(0, live.length - keepLess - 1));
          expect(ended).not.toContain(newestId);
          expect(sessionsOverLimit(live.toReversed(), keepLess + 1, newestId)).toEqual(ended);
        },
      ),
    );
  });
});

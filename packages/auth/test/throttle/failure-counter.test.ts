import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFailureCounter, type FailureCounter } from '../../src/throttle/failure-counter.ts';

const LIMIT = 2;

/** Begins an attempt at a key; one that is refused ends as no failure. */
function begin(counter: FailureCounter, key: string, now: number, limit = LIMIT) {
  const begun = counter.begin([{ key, limit }], now);
  if (begun.refusal !== undefined) begun.end(() => false);
  return begun;
}

/** @returns the seconds that an attempt is made to wait; one that is admitted fails, with 0 */
function fail(counter: FailureCounter, key: string, now: number, limit = LIMIT): number {
  const { refusal, end } = begin(counter, key, now, limit);
  if (refusal === undefined) end(() => true);
  return refusal?.retryAfterSeconds ?? 0;
}

describe('createFailureCounter', () => {
  it('locks nobody out for longer than a window when the clock is set back', () => {
    const counter = createFailureCounter({ windowSeconds: 100, maxKeys: 10 });
    for (const now of [10_000, 10_000]) fail(counter, 'a', now);
    expect([fail(counter, 'a', 10_000), fail(counter, 'a', 0)]).toEqual([100, 0]);
  });

  it('ends an attempt in the window in which it began', () => {
    const counter = createFailureCounter({ windowSeconds: 100, maxKeys: 10 });
    const { end } = begin(counter, 'a', 0);
    expect(fail(counter, 'a', 100)).toBe(0);
    end(() => true);
    expect(fail(counter, 'a', 101)).toBe(0);
    expect(fail(counter, 'a', 102)).toBe(98);
  });

  it('counts against those tallies that the attempt fails for', () => {
    const counter = createFailureCounter({ windowSeconds: 100, maxKeys: 10 });
    const tallies = ['a', 'b'].map((key) => ({ key, limit: LIMIT }));
    for (let i = 0; i < LIMIT; i++) counter.begin(tallies, 0).end((index) => index === 1);
    expect([fail(counter, 'a', 0), fail(counter, 'b', 0)]).toEqual([0, 100]);
  });

  it('remembers a bounded number of keys, the latest', () => {
    const counter = createFailureCounter({ windowSeconds: 1_000, maxKeys: 100 });
    for (let i = 0; i < 10_000; i++) fail(counter, `key ${i}`, 0);
    for (const key of ['key 9999', 'key 9950']) fail(counter, key, 1);
    expect(['key 9999', 'key 9950', 'key 0'].map((key) => fail(counter, key, 1))).toEqual([999, 999, 0]);
  });
});

const WINDOW_SECONDS = 20;
const steps = fc.array(
  fc.record({
    key: fc.integer({ min: 0, max: 5 }),
    seconds: fc.constantFrom(0, 0, 0, 0, 0, 1, 3, 21),
    isFailure: fc.constantFrom(true, true, true, false),
    /** The attempt ends after this many further steps. */
    after: fc.integer({ min: 0, max: 4 }),
  }),
  { minLength: 50, maxLength: 200 },
);

describe('a counter of any size', () => {
  it('admits no more than the limit that fail in any window, while there is room for all keys', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const counter = createFailureCounter({ windowSeconds: WINDOW_SECONDS, maxKeys: 100 });
        const failed = new Map<number, number[]>();
        const underWay: { readonly until: number; readonly end: () => void }[] = [];
        let now = 0;
        for (const [at, { key, seconds, isFailure, after }] of script.entries()) {
          now += seconds;
          const begun = begin(counter, `${key}`, now);
          if (begun.refusal === undefined) {
            underWay.push({ until: at + after, end: () => begun.end(() => isFailure) });
            if (isFailure) failed.set(key, [...(failed.get(key) ?? []), now]);
          }
          for (const { end } of underWay.filter(({ until }) => until === at)) end();
        }
        for (const times of failed.values()) {
          // Two windows meet in any time as long as one.
          for (const from of times) {
            const within = times.filter((time) => time >= from && time < from + WINDOW_SECONDS);
            expect(within.length).toBeLessThanOrEqual(2 * LIMIT);
          }
        }
      }),
    );
  });

  it('locks nothing that has not been tried as often as the limit in the last window', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 8 }), (script, maxKeys) => {
        const counter = createFailureCounter({ windowSeconds: WINDOW_SECONDS, maxKeys });
        const tried = new Map<number, number[]>();
        let now = 0;
        for (const { key, seconds, isFailure } of script) {
          now += seconds;
          const begun = begin(counter, `${key}`, now);
          const recent = (tried.get(key) ?? []).filter((time) => time > now - WINDOW_SECONDS);
          if (begun.refusal !== undefined) {
            expect(recent.length).toBeGreaterThanOrEqual(LIMIT);
            continue;
          }
          begun.end(() => isFailure);
          if (isFailure) tried.set(key, [...recent, now]);
        }
      }),
    );
  });
});

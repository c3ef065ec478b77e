import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFailureCounter, type FailureCounter } from '../../src/throttle/failure-counter.ts';

/** Counts a failure whose attempt ends at once. */
function fail(counter: FailureCounter, key: string, now: number): void {
  counter.begin(key, now)(true, now);
}

describe('createFailureCounter', () => {
  it('makes a key wait for the end of the window that its first failure began', () => {
    const counter = createFailureCounter({ maxFailures: 2, windowSeconds: 100, maxKeys: 10 });
    fail(counter, 'a', 0);
    expect(counter.waitSeconds('a', 50)).toBe(0);
    fail(counter, 'a', 50);
    expect(counter.waitSeconds('a', 60)).toBe(40);
    expect(counter.waitSeconds('b', 60)).toBe(0);
    expect(counter.waitSeconds('a', 100)).toBe(0);
    fail(counter, 'a', 100);
    expect(counter.waitSeconds('a', 101)).toBe(0);
  });

  it('locks nobody out for longer than a window when the clock is set back', () => {
    const counter = createFailureCounter({ maxFailures: 1, windowSeconds: 100, maxKeys: 10 });
    fail(counter, 'a', 10_000);
    expect(counter.waitSeconds('a', 0)).toBe(100);
    expect(counter.waitSeconds('a', 100)).toBe(0);
  });

  it('has room while failures and attempts under way are below the limit', () => {
    const counter = createFailureCounter({ maxFailures: 3, windowSeconds: 100, maxKeys: 10 });
    fail(counter, 'a', 0);
    const ends = [counter.begin('a', 1), counter.begin('a', 2)];
    expect([counter.hasRoom('a', 3), counter.waitSeconds('a', 3)]).toEqual([false, 0]);
    ends[0]?.(false, 3);
    ends[0]?.(true, 3);
    expect([counter.hasRoom('a', 3), counter.waitSeconds('a', 3)]).toEqual([true, 0]);
    ends[1]?.(true, 4);
    expect(counter.hasRoom('a', 4)).toBe(true);
    fail(counter, 'a', 5);
    expect([counter.hasRoom('a', 6), counter.waitSeconds('a', 6)]).toEqual([false, 94]);
  });

  it('goes on counting an attempt whose window ends, and forgets one that never ends', () => {
    const counter = createFailureCounter({ maxFailures: 2, windowSeconds: 100, maxKeys: 10 });
    fail(counter, 'a', 0);
    const end = counter.begin('a', 90);
    counter.begin('a', 100);
    expect(counter.hasRoom('a', 110)).toBe(false);
    expect(counter.hasRoom('a', 190)).toBe(true);
    expect(counter.hasRoom('a', 200)).toBe(true);
    end(true, 201);
    fail(counter, 'a', 202);
    expect(counter.waitSeconds('a', 202)).toBe(99);
  });

  it('begins no window with an attempt that is no failure', () => {
    const counter = createFailureCounter({ maxFailures: 1, windowSeconds: 100, maxKeys: 10 });
    counter.begin('a', 0)(false, 0);
    fail(counter, 'a', 50);
    expect(counter.waitSeconds('a', 50)).toBe(100);
  });

  it('remembers a bounded number of keys, the latest', () => {
    const counter = createFailureCounter({ maxFailures: 2, windowSeconds: 1_000, maxKeys: 100 });
    for (let i = 0; i < 10_000; i++) fail(counter, `key ${i}`, 0);
    const isRemembered = (key: string) => {
      const end = counter.begin(key, 0);
      const isFull = !counter.hasRoom(key, 0);
      end(false, 0);
      return isFull;
    };
    expect(['key 9999', 'key 9900', 'key 9899'].map(isRemembered)).toEqual([true, true, false]);
  });

  it('forgets no attempt under way when it is filled', () => {
    const counter = createFailureCounter({ maxFailures: 1, windowSeconds: 1_000, maxKeys: 100 });
    const end = counter.begin('under way', 0);
    for (let i = 0; i < 10_000; i++) fail(counter, `key ${i}`, 0);
    expect(counter.hasRoom('under way', 1)).toBe(false);
    end(true, 1);
    expect(counter.waitSeconds('under way', 1)).toBe(1_000);
  });

  it('neither unlocks the locked nor refuses the unseen when it is full of locked windows', () => {
    const counter = createFailureCounter({ maxFailures: 1, windowSeconds: 1_000, maxKeys: 100 });
    for (let i = 0; i < 10_000; i++) fail(counter, `key ${i}`, Math.min(i, 100));
    for (let i = 0; i < 100; i++) expect(counter.waitSeconds(`key ${i}`, 100)).toBe(900 + i);
    fail(counter, 'unseen', 100);
    expect([counter.waitSeconds('unseen', 100), counter.hasRoom('unseen', 100)]).toEqual([0, true]);
    // The first of the windows is over: there is room again.
    fail(counter, 'unseen', 1_000);
    expect(counter.waitSeconds('unseen', 1_000)).toBe(1_000);
    expect(counter.waitSeconds('key 1', 1_000)).toBe(1);
  });
});

const MAX_FAILURES = 3;
const WINDOW_SECONDS = 20;
/** Attempts end before such a pause: none takes as long as a window. */
const LONG_PAUSE_SECONDS = 21;

interface Step {
  readonly key: number;
  readonly seconds: number;
  /** How the attempt ends, after this many further steps. */
  readonly isFailure: boolean;
  readonly after: number;
}

const steps = fc.array(
  fc.record({
    key: fc.integer({ min: 0, max: 5 }),
    seconds: fc.constantFrom(0, 0, 0, 0, 0, 1, 3, LONG_PAUSE_SECONDS),
    isFailure: fc.constantFrom(true, true, true, false),
    after: fc.integer({ min: 0, max: 4 }),
  }),
  { minLength: 50, maxLength: 200 },
);

/** What is true of one key, however many keys there are. */
interface Truth {
  failures: number;
  endsAt: number;
  underWay: number;
  readonly failedAt: number[];
}

/** Plays log-ins that look for room as the throttle does, beside a memory without bounds. */
function play(script: readonly Step[], maxKeys: number) {
  const counter = createFailureCounter({ maxFailures: MAX_FAILURES, windowSeconds: WINDOW_SECONDS, maxKeys });
  const truths = new Map<number, Truth>();
  let underWay: { readonly until: number; readonly end: () => void }[] = [];
  const seen: { key: number; now: number; waitSeconds: number; truth: Truth }[] = [];
  let now = 0;
  for (const [at, { key, seconds, isFailure, after }] of script.entries()) {
    const isDue = ({ until }: { readonly until: number }) => until <= at || seconds === LONG_PAUSE_SECONDS;
    for (const { end } of underWay.filter(isDue)) end();
    underWay = underWay.filter((attempt) => !isDue(attempt));
    now += seconds;
    const truth = truths.get(key) ?? { failures: 0, endsAt: 0, underWay: 0, failedAt: [] };
    truths.set(key, truth);
    if (truth.endsAt <= now) truth.failures = 0;
    const waitSeconds = counter.waitSeconds(`${key}`, now);
    seen.push({ key, now, waitSeconds, truth: { ...truth, failedAt: [...truth.failedAt] } });
    if (waitSeconds > 0 || !counter.hasRoom(`${key}`, now)) continue;
    const endAttempt = counter.begin(`${key}`, now);
    truth.underWay += 1;
    const end = () => {
      endAttempt(isFailure, now);
      truth.underWay -= 1;
      if (truth.endsAt <= now) truth.failures = 0;
      if (!isFailure) return;
      if (truth.failures === 0) truth.endsAt = now + WINDOW_SECONDS;
      truth.failures += 1;
      truth.failedAt.push(now);
    };
    underWay.push({ until: at + 1 + after, end });
  }
  return seen;
}

describe('a counter of few keys under many', () => {
  it('counts exactly while there is room for all', () => {
    fc.assert(
      fc.property(steps, (script) => {
        for (const { now, waitSeconds, truth } of play(script, 100)) {
          expect(waitSeconds).toBe(truth.failures < MAX_FAILURES ? 0 : truth.endsAt - now);
          expect(truth.failures + truth.underWay).toBeLessThanOrEqual(MAX_FAILURES);
        }
      }),
    );
  });

  it('locks nothing that has not failed often enough, and unlocks nothing before its time', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (script, maxKeys) => {
        const lockedUntil = new Map<number, number>();
        for (const { key, now, waitSeconds, truth } of play(script, maxKeys)) {
          const recent = truth.failedAt.filter((failedAt) => failedAt + WINDOW_SECONDS > now);
          if (waitSeconds > 0) expect(recent.length).toBeGreaterThanOrEqual(MAX_FAILURES);
          const end = lockedUntil.get(key) ?? 0;
          if (end > now) expect(now + waitSeconds).toBe(end);
          lockedUntil.set(key, now + waitSeconds);
        }
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createRetrySchedule } from '../../src/delivery/retry-schedule.ts';

const middle = () => 0.5;

describe('the retry schedule', () => {
  it('makes four attempts 30 s, 5 min and 50 min apart by default', () => {
    const schedule = createRetrySchedule({}, middle);
    expect([1, 2, 3, 4].map((attempt) => schedule.delayAfter(attempt))).toEqual([
      30_000,
      300_000,
      3_000_000,
      undefined,
    ]);
  });

  it('spreads every delay by 20 % to either side', () => {
    expect(createRetrySchedule({}, () => 0).delayAfter(1)).toBe(24_000);
    expect(createRetrySchedule({}, () => 1).delayAfter(1)).toBe(36_000);
  });

  it('repeats the last default for further attempts, and leaves out what fewer do not use', () => {
    const schedule = createRetrySchedule({ maxAttempts: 5 }, middle);
    expect([3, 4, 5].map((attempt) => schedule.delayAfter(attempt))).toEqual([
      3_000_000,
      3_000_000,
      undefined,
    ]);
    expect(createRetrySchedule({ maxAttempts: 2 }, middle).delayAfter(1)).toBe(30_000);
  });

  it('takes the delays one by one and repeats the last', () => {
    const schedule = createRetrySchedule({ delaysMs: [10, 20] }, middle);
    expect([1, 2, 3, 4].map((attempt) => schedule.delayAfter(attempt))).toEqual([10, 20, 20, undefined]);
  });

  it('makes an attempt more than there are delays, where more than three are listed', () => {
    const delaysMs = Array.from({ length: 19 }, (_, index) => index + 1);
    const schedule = createRetrySchedule({ delaysMs }, middle);
    expect(schedule.maxAttempts).toBe(20);
    expect([1, 19, 20].map((attempt) => schedule.delayAfter(attempt))).toEqual([1, 19, undefined]);
  });

  inOneTest([
    [{ maxAttempts: 0 }, /retry\.maxAttempts .* 1 to 20, not 0/],
    [{ maxAttempts: 21 }, /retry\.maxAttempts/],
    [{ maxAttempts: 2.5 }, /retry\.maxAttempts/],
    [{ maxAttempts: '4' as unknown as number }, /retry\.maxAttempts/],
    [{ delaysMs: [] }, /retry\.delaysMs/],
    [{ delaysMs: [0] }, /retry\.delaysMs\[0\]/],
    [{ delaysMs: [1, Number.POSITIVE_INFINITY] }, /retry\.delaysMs\[1\]/],
    [{ delaysMs: Array(20).fill(1) }, /retry\.delaysMs must be an array of 1 to 19 numbers/],
    [{ delaysMs: [1, 2, 3, 4], maxAttempts: 4 }, /delaysMs has 4 delays, and retry\.maxAttempts is 4/],
    [{ delaysMs: 10 as unknown as number[] }, /retry\.delaysMs must be an array/],
    [{ factor: 3 } as object, /unknown option "factor"/],
  ])('refuses %j', (options, message) => {
    expect(() => createRetrySchedule(options)).toThrow(TypeError);
    expect(() => createRetrySchedule(options)).toThrow(message);
  });
});

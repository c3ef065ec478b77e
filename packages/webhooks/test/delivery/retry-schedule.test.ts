import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_RETRY_AFTER_MS, retryAfterMs } from '../../src/delivery/retry-after.ts';
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

  it('takes base, factor, cap and number of attempts', () => {
    const schedule = createRetrySchedule(
      { maxAttempts: 5, baseDelayMs: 100, factor: 2.5, maxDelayMs: 600 },
      middle,
    );
    expect([1, 2, 3, 4, 5].map((attempt) => schedule.delayAfter(attempt))).toEqual([
      100,
      250,
      600,
      600,
      undefined,
    ]);
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

  it('waits for the later of the backoff and what the recipient asked for', () => {
    const schedule = createRetrySchedule({}, middle);
    expect(schedule.delayAfter(1, 45_000)).toBe(45_000);
    expect(schedule.delayAfter(2, 45_000)).toBe(300_000);
  });

  it('gives no further attempt however long the recipient asks to wait', () => {
    expect(createRetrySchedule({ maxAttempts: 1 }).delayAfter(1, 1_000)).toBeUndefined();
  });

  it.each([
    [{ maxAttempts: 0 }, /retry\.maxAttempts .* 1 to 20, not 0/],
    [{ maxAttempts: 21 }, /retry\.maxAttempts/],
    [{ maxAttempts: 2.5 }, /retry\.maxAttempts/],
    [{ maxAttempts: '4' as unknown as number }, /retry\.maxAttempts/],
    [{ baseDelayMs: 0 }, /retry\.baseDelayMs/],
    [{ factor: 0.5 }, /retry\.factor/],
    [{ factor: Number.NaN }, /retry\.factor/],
    [{ maxDelayMs: 1e12 }, /retry\.maxDelayMs/],
    [{ delaysMs: [] }, /retry\.delaysMs/],
    [{ delaysMs: [0] }, /retry\.delaysMs\[0\]/],
    [{ delaysMs: [1, Number.POSITIVE_INFINITY] }, /retry\.delaysMs\[1\]/],
    [{ delaysMs: Array(20).fill(1) }, /retry\.delaysMs must be an array of 1 to 19 numbers/],
    [{ delaysMs: [1, 2, 3, 4], maxAttempts: 4 }, /delaysMs has 4 delays, and retry\.maxAttempts is 4/],
    [{ delaysMs: [10], factor: 2 }, /retry\.delaysMs replaces retry\.factor/],
    [{ attempts: 3 } as object, /unknown option "attempts"/],
  ])('refuses %j', (options, message) => {
    expect(() => createRetrySchedule(options)).toThrow(TypeError);
    expect(() => createRetrySchedule(options)).toThrow(message);
  });
});

describe('Retry-After', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const now = Date.parse('2026-11-20T12:00:00Z');

  it.each([
    ['120', 120_000],
    [' 5 ', 5_000],
    ['0', 0],
    ['Fri, 20 Nov 2026 12:10:00 GMT', 600_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Friday, 20-Nov-26 12:00:30 GMT', 30_000],
    ['Fri Nov 20 12:10:00 2026', 600_000],
    ['Sun Nov  1 12:10:00 2026', 0],
    ['Sun Dec  6 12:10:00 2026', MAX_RETRY_AFTER_MS],
    ['Fri, 20 Nov 2026 12:10:00', 0],
    ['Fri, 20 Nov 2026 14:10:00 +0200', 0],
    ['7200', MAX_RETRY_AFTER_MS],
    ['9999999999', MAX_RETRY_AFTER_MS],
    ['Mon, 20 Nov 2034 12:10:00 GMT', MAX_RETRY_AFTER_MS],
    ['', 0],
    ['-5', 0],
    ['1.5', 0],
    ['1e9', 0],
    ['soon', 0],
    ['99999999999', MAX_RETRY_AFTER_MS],
    ['2026-11-20T13:00:00Z', 0],
  ])('%j means %d ms, wherever the process is', (header, expected) => {
    for (const zone of ['UTC', 'Asia/Tokyo', 'America/New_York']) {
      vi.stubEnv('TZ', zone);
      expect(retryAfterMs(header, now), zone).toBe(expected);
    }
  });

  it('means no pause when it is absent', () => {
    expect(retryAfterMs(undefined, now)).toBe(0);
  });
});

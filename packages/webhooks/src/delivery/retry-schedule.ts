import { integerOption, refuseUnknownOptions } from '../options.ts';
import { spread } from './deferral.ts';

/**
 * When a failed attempt is repeated. By default four attempts in all: 30 s, 5 min and 50 min after
 * the one before, each ±20 %, which spans a deploy and an engineer on call.
 */
export interface RetryOptions {
  /** Attempts in all, 1–20. Default: 4, and more where `delaysMs` has more than three delays. */
  readonly maxAttempts?: number | undefined;
  /** Delay after the first attempt, 1 ms – 1 day, default 30,000. */
  readonly baseDelayMs?: number | undefined;
  /** The factor between two delays, 1–100, default 10. */
  readonly factor?: number | undefined;
  /** Longest delay before jitter, 1 ms – 7 days, default 86,400,000 (one day). */
  readonly maxDelayMs?: number | undefined;
  /**
   * Each delay, instead of the three options above: 1–19 numbers of 1 ms – 7 days. The last one
   * repeats up to `maxAttempts`. Delays beyond `maxAttempts - 1` would never be used, and are
   * refused.
   */
  readonly delaysMs?: readonly number[] | undefined;
}

/** A validated {@link RetryOptions}. */
export interface RetrySchedule {
  readonly maxAttempts: number;
  /** The first delay, without jitter. */
  readonly firstDelayMs: number;
  /**
   * How long to wait after the given attempt, jitter included, or undefined when it was the last.
   *
   * @param seriesAttempt 1 for the first
   * @param retryAfterMs what the recipient asked for; the later of the two counts
   */
  delayAfter(seriesAttempt: number, retryAfterMs?: number): number | undefined;
}

/** Jitter keeps deliveries that failed together from returning together. */
const JITTER = 0.2;
const DAY_MS = 86_400_000;
const MAX_ATTEMPTS = 20;

/** @internal */
export function createRetrySchedule(
  options: RetryOptions = {},
  random: () => number = Math.random,
): RetrySchedule {
  refuseUnknownOptions('retry', options, ['maxAttempts', 'baseDelayMs', 'factor', 'maxDelayMs', 'delaysMs']);
  const delays = options.delaysMs === undefined ? [] : listed(options);
  const maxAttempts = integerOption('retry.maxAttempts', options.maxAttempts, {
    default: Math.max(4, delays.length + 1),
    min: 1,
    max: MAX_ATTEMPTS,
  });
  if (delays.length >= maxAttempts) {
    const found = `retry.delaysMs has ${delays.length} delays, and retry.maxAttempts is ${maxAttempts}`;
    throw new TypeError(`${found}: give fewer delays than attempts`);
  }
  const delayMs = delays.length === 0 ? exponential(options) : oneByOne(delays);

  return Object.freeze({
    maxAttempts,
    firstDelayMs: delayMs(1),
    delayAfter(seriesAttempt: number, retryAfterMs = 0) {
      if (seriesAttempt >= maxAttempts) return undefined;
      const jittered = delayMs(seriesAttempt) * (1 - JITTER + 2 * JITTER * random());
      return Math.max(Math.round(jittered), spread(retryAfterMs, random));
    },
  });
}

function exponential(options: RetryOptions): (seriesAttempt: number) => number {
  const base = integerOption('retry.baseDelayMs', options.baseDelayMs, {
    default: 30_000,
    min: 1,
    max: DAY_MS,
  });
  const factor = options.factor ?? 10;
  if (!(typeof factor === 'number' && factor >= 1 && factor <= 100)) {
    throw new TypeError(`retry.factor must be a number from 1 to 100, not ${String(factor)}`);
  }
  const max = integerOption('retry.maxDelayMs', options.maxDelayMs, {
    default: DAY_MS,
    min: 1,
    max: 7 * DAY_MS,
  });
  return (seriesAttempt) => Math.min(base * factor ** (seriesAttempt - 1), max);
}

function listed(options: RetryOptions): readonly number[] {
  const given: unknown = options.delaysMs;
  if (!Array.isArray(given) || given.length < 1 || given.length >= MAX_ATTEMPTS) {
    throw new TypeError(`retry.delaysMs must be an array of 1 to ${MAX_ATTEMPTS - 1} numbers`);
  }
  for (const other of ['baseDelayMs', 'factor', 'maxDelayMs'] as const) {
    if (options[other] !== undefined)
      throw new TypeError(`retry.delaysMs replaces retry.${other}: give one of them`);
  }
  return given.map((delay: unknown, index) => {
    if (typeof delay !== 'number') throw new TypeError(`retry.delaysMs[${index}] must be a number`);
    return integerOption(`retry.delaysMs[${index}]`, delay, { default: 0, min: 1, max: 7 * DAY_MS });
  });
}

function oneByOne(delays: readonly number[]): (seriesAttempt: number) => number {
  return (seriesAttempt) => delays[Math.min(seriesAttempt, delays.length) - 1] ?? 0;
}

import { booleanOption, integerOption, refuseUnknownOptions } from '../../../toolkit/src/options.ts';

/**
 * When a failed attempt is repeated. By default four attempts in all: 30 s, 5 min and 50 min after
 * the one before, each ±20 %, which spans a deploy and an engineer on call.
 */
export interface RetryOptions {
  /** Attempts in all, 1–20. Default: 4, and more if `delaysMs` has more than three delays. */
  readonly maxAttempts?: number | undefined;
  /**
   * The delay after each attempt, 1–19 numbers of 1 ms – 7 days. The last one repeats up to
   * `maxAttempts`. Delays beyond `maxAttempts - 1` would never be used, and are refused. Default:
   * 30 s, 5 min, 50 min.
   */
  readonly delaysMs?: readonly number[] | undefined;
  /**
   * Whether a recipient that asks to wait (429, or 503 with `Retry-After`) gets its events later,
   * and such an attempt does not count. `false`: every answer but 2xx is a failed attempt. Default:
   * true.
   */
  readonly deferBusy?: boolean | undefined;
}

/** A validated {@link RetryOptions}. */
export interface RetrySchedule {
  readonly maxAttempts: number;
  /** The first delay, without jitter. */
  readonly firstDelayMs: number;
  readonly deferBusy: boolean;
  /**
   * How long to wait after the given attempt, jitter included, or undefined when it was the last.
   *
   * @param seriesAttempt 1 for the first
   */
  delayAfter(seriesAttempt: number): number | undefined;
}

/** Jitter keeps deliveries that failed together from returning together. */
const JITTER = 0.2;
const DEFAULT_DELAYS_MS: readonly number[] = [30_000, 300_000, 3_000_000];
const MAX_DELAY_MS = 7 * 86_400_000;
const MAX_ATTEMPTS = 20;

/** @internal */
export function createRetrySchedule(
  options: RetryOptions = {},
  random: () => number = Math.random,
): RetrySchedule {
  refuseUnknownOptions('retry', options, ['maxAttempts', 'delaysMs', 'deferBusy']);
  const given = options.delaysMs === undefined ? undefined : listed(options.delaysMs);
  const delays = given ?? DEFAULT_DELAYS_MS;
  const maxAttempts = integerOption('retry.maxAttempts', options.maxAttempts, {
    default: Math.max(4, delays.length + 1),
    min: 1,
    max: MAX_ATTEMPTS,
  });
  if (given !== undefined && given.length >= maxAttempts) {
    const found = `retry.delaysMs has ${given.length} delays, and retry.maxAttempts is ${maxAttempts}`;
    throw new TypeError(`${found}: give fewer delays than attempts`);
  }

  return Object.freeze({
    maxAttempts,
    firstDelayMs: delays[0] ?? 0,
    deferBusy: booleanOption('retry.deferBusy', options.deferBusy, true),
    delayAfter(seriesAttempt: number) {
      if (seriesAttempt >= maxAttempts) return undefined;
      const delayMs = delays[Math.min(seriesAttempt, delays.length) - 1] ?? 0;
      return Math.round(delayMs * (1 - JITTER + 2 * JITTER * random()));
    },
  });
}

function listed(given: unknown): readonly number[] {
  if (!Array.isArray(given) || given.length < 1 || given.length >= MAX_ATTEMPTS) {
    throw new TypeError(`retry.delaysMs must be an array of 1 to ${MAX_ATTEMPTS - 1} numbers`);
  }
  return given.map((delay: unknown, index) => {
    if (typeof delay !== 'number') throw new TypeError(`retry.delaysMs[${index}] must be a number`);
    return integerOption(`retry.delaysMs[${index}]`, delay, { default: 0, min: 1, max: MAX_DELAY_MS });
  });
}

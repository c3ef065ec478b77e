const MINUTE_MS = 60_000;
/** Tokens that a bucket may owe: a process learns of a limit with its first attempts. */
const MAX_DEBT = 1;

/**
 * How often a webhook with `maxPerMinute` may be tried by this process: each attempt takes a token.
 * A full bucket has those of a second, and at least one.
 */
export interface TokenBucket {
  readonly perMinute: number;
  /** How many it had at that time; below 0 if it owes some. */
  readonly tokens: number;
  readonly at: number;
}

/** The tokens of a bucket now; infinitely many without a limit. */
export function tokensIn(bucket: TokenBucket | undefined, now: number): number {
  if (bucket === undefined) return Number.POSITIVE_INFINITY;
  const { perMinute, tokens, at } = bucket;
  return Math.min(tokens + ((now - at) * perMinute) / MINUTE_MS, Math.max(perMinute / 60, 1));
}

/** The bucket with one token less, under a limit that may be another one than before. */
export function withoutToken(
  bucket: TokenBucket | undefined,
  perMinute: number | null,
  now: number,
): TokenBucket | undefined {
  if (perMinute === null) return undefined;
  const before = { perMinute, tokens: tokensIn(bucket, now), at: now };
  return { ...before, tokens: Math.max(tokensIn(before, now) - 1, -MAX_DEBT) };
}

/** How many milliseconds pass until a bucket with so many tokens has one. */
export function msUntilToken({ perMinute }: TokenBucket, tokens: number): number {
  return ((1 - tokens) * MINUTE_MS) / perMinute;
}

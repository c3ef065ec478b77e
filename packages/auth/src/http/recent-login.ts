import { integerOption } from '../../../toolkit/src/options.ts';
import { type Claims, isClaims } from '../claims.ts';
import { type Clock, systemClock, unixSeconds } from '../clock.ts';
import { AuthError } from '../errors.ts';

// A log-in is recent by `auth_time`, when the session began. An endpoint that confirms the password
// within a session would be a second way to present one, with limits and hooks of its own, and
// would serve no user without a password. `acr` tells nothing apart: there is one kind of log-in.

/** 400 days: the longest life of a session. */
const MAX_SECONDS = 400 * 86_400;

/**
 * Reads the seconds of `requireRecentLogin` and {@link assertRecentLogin}.
 *
 * @throws TypeError when it is not a whole number from 1 to 34,560,000
 */
export function recentLoginSeconds(seconds: number): number {
  return integerOption('seconds', seconds, { min: 1, max: MAX_SECONDS });
}

/**
 * Requires that the user logged in within the last `seconds`: `requireRecentLogin` for a rule
 * within a handler, or without a framework. The system's clock decides.
 *
 * Refuses a time of the log-in that nothing tells, too: with an API key, or with a token without
 * `auth_time`. A time ahead of the clock passes; verification bounds it.
 *
 * ```ts
 * const claims = await auth.authenticate(request);
 * if (amount > 1_000) assertRecentLogin(claims, 300);
 * ```
 *
 * @param claims of `auth.authenticate` or `claimsOf`, never built from what a client sent
 * @param seconds 1–34,560,000
 * @throws AuthError `login_required`, with `maxAgeSeconds`
 * @throws TypeError when `claims` are none, or `seconds` is out of bounds
 */
export function assertRecentLogin(claims: Pick<Claims, 'authTime' | 'credential'>, seconds: number): void {
  assertRecentLoginBy(systemClock, claims, seconds);
}

/** The same by the clock of an instance. */
export function assertRecentLoginBy(
  clock: Clock,
  claims: Pick<Claims, 'authTime' | 'credential'>,
  seconds: number,
): void {
  if (!isClaims(claims)) throw new TypeError('claims must be the Claims of an authenticated request');
  const maxAgeSeconds = recentLoginSeconds(seconds);
  const now = unixSeconds(clock);
  const { authTime, credential } = claims;
  if (authTime !== undefined && credential === undefined && now - authTime <= maxAgeSeconds) return;
  throw new AuthError('login_required', `A log-in of the last ${maxAgeSeconds} seconds is required`, {
    maxAgeSeconds,
  });
}

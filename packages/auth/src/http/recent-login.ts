import { unixSeconds } from '../clock.ts';
import { AuthError } from '../errors.ts';
import { integerOption } from '../integer-option.ts';
import { authenticationOf } from './request-claims.ts';

/** 400 days: the longest life of a session. */
const MAX_SECONDS = 400 * 86_400;

/**
 * Reads the argument of `requireRecentLogin`.
 *
 * @throws TypeError when it is not a whole number from 1 to 34,560,000
 */
export function recentLoginSeconds(seconds: number): number {
  return integerOption('seconds', seconds, 1, MAX_SECONDS);
}

/**
 * Refuses a request whose user logged in longer ago than `seconds`, or at a time that nothing
 * tells: with an API key, or with a token without `auth_time`.
 *
 * The clock is that of the instance which authenticated the request.
 *
 * @throws ErrNoToken when no guard ran before, AuthError `login_required`
 */
export function assertRecentLogin(request: object, seconds: number): void {
  const { claims, clock } = authenticationOf(request);
  const { authTime, credential } = claims;
  const isRecent =
    authTime !== undefined && credential === undefined && unixSeconds(clock) - authTime <= seconds;
  if (isRecent) return;
  throw new AuthError('login_required', `A log-in of the last ${seconds} seconds is required`, {
    maxAgeSeconds: seconds,
  });
}

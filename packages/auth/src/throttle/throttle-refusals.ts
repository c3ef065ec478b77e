import { AuthError } from '../errors.ts';
import type { LoginFailureCounts } from './login-failure-store.ts';

/** A log-in under way gives its place back as soon as it has succeeded. */
const BUSY_RETRY_SECONDS = 1;

/** A limit, and what it is counted by. */
export interface Tally {
  /** Unique among everything that is counted. */
  readonly key: string;
  /** Failures that a window allows. */
  readonly limit: number;
}

/** An attempt that is counted as under way. */
export interface Begun {
  /** Why the attempt must not go on, if a limit is reached. It is still to be ended. */
  readonly refusal: AuthError | undefined;
  /** Ends the attempt, as a failure of some of its tallies. Never rejects. */
  end(isFailure: (index: number) => boolean): Promise<void>;
}

/** Refuses an attempt whose failures are at a limit. */
export function lockedOut(retryAfterSeconds: number): AuthError {
  return new AuthError('rate_limited', 'Too many attempts have failed', { retryAfterSeconds });
}

/** Refuses an attempt because those under way might all fail, and so reach a limit. */
export class BusyError extends AuthError {
  constructor() {
    super('rate_limited', 'Too many attempts are under way', { retryAfterSeconds: BUSY_RETRY_SECONDS });
  }
}

/** @param counts with the attempt that is judged among those under way */
export function isLocked({ limit }: Tally, counts: LoginFailureCounts | undefined): boolean {
  return counts !== undefined && counts.failures >= limit;
}

/** @param counts with the attempt that is judged among those under way */
export function isBusy({ limit }: Tally, counts: LoginFailureCounts | undefined): boolean {
  return counts !== undefined && counts.failures + counts.underWay > limit;
}

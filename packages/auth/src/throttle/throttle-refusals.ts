import { AuthError } from '../errors.ts';
import { HOST_CALL_TIMEOUT_MS } from '../host-call.ts';

/** By then, every function of the host that a log-in under way waits for now has ended. */
const BUSY_RETRY_SECONDS = HOST_CALL_TIMEOUT_MS / 1_000;

/** Refuses a log-in whose failures are at a limit. */
export function lockedOut(retryAfterSeconds: number): AuthError {
  return new AuthError('rate_limited', 'Too many attempts have failed', { retryAfterSeconds });
}

/** Refuses a log-in that has waited too long for others, or finds too many waiting. */
export function attemptsBusy(): AuthError {
  return new AuthError('rate_limited', 'Too many attempts are under way', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

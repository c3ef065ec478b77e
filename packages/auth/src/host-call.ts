import { withDeadline } from '../../toolkit/src/deadline.ts';
import { AuthError } from './errors.ts';

/**
 * How long a log-in or a status poll waits for a function of the host. Passwords that wait for one
 * another to be hashed take less.
 */
export const HOST_CALL_TIMEOUT_MS = 30_000;

/** Registered, so that a verifier which is made with another copy of the package is known as well. */
const LATE_CALL = Symbol.for('@acme/auth/late-call');

/** Tells whether nobody knows what a call would have answered: it has not settled in time. */
export function isLateCall(error: AuthError): boolean {
  return LATE_CALL in error;
}

/**
 * Bounds a function of the host in time: one that never settles would keep the place of its log-in,
 * and so lock an account, until the process ends. A late result is dropped.
 *
 * @param withinMs default 30 s
 * @throws AuthError `unavailable`, a late call, when the function has not settled within that time
 */
export function boundedHostCall<Args extends unknown[], Result>(
  name: string,
  call: (...args: Args) => Result | PromiseLike<Result>,
  withinMs: number = HOST_CALL_TIMEOUT_MS,
): (...args: Args) => Promise<Result> {
  const refuseLate = () => {
    const late = new AuthError('unavailable', `${name} has not settled within ${Math.ceil(withinMs)} ms`);
    throw Object.assign(late, { [LATE_CALL]: true });
  };
  return async (...args) => {
    if (withinMs <= 0) refuseLate();
    return await withDeadline<Result>(call(...args), withinMs, refuseLate, { unref: true });
  };
}

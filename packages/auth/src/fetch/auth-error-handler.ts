import { isAuthError } from '../errors.ts';
import { problemResponse } from '../http/problem-response.ts';
import { type AuthErrorHandlerOptions, createThrownErrorAnswers } from '../http/thrown-error.ts';
import type { Wrapper } from './guarded.ts';

/**
 * Answers the errors of this package that a handler threw (`hashing_busy` at a log-in, `claimsOf`
 * without a guard) as the guards do; every other error is thrown on.
 *
 * ```ts
 * export default { fetch: authErrorHandler()(app) };
 * ```
 */
export function authErrorHandler(options: AuthErrorHandlerOptions = {}): Wrapper {
  const answerThrown = createThrownErrorAnswers(options);
  return (handler) =>
    async (request, ...rest) => {
      try {
        return await handler(request, ...rest);
      } catch (error) {
        if (isAuthError(error)) return problemResponse(answerThrown(error, request));
        throw error;
      }
    };
}

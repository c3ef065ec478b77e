import type { ErrorHandler } from 'hono';
import { answerInHono } from '../../../toolkit/src/mounts/hono-response.ts';
import { functionOption } from '../../../toolkit/src/options.ts';
import { isAuthError } from '../errors.ts';
import { problemResponse } from '../http/problem-response.ts';
import { type AuthErrorHandlerOptions, createThrownErrorAnswers } from '../http/thrown-error.ts';
import { resolveLogger } from '../logging/logger.ts';

/**
 * Answers the errors of this package that a handler threw (`hashing_busy` at a log-in, `claimsOf`
 * without a guard) as the guards do; every other error goes to `otherwise`.
 *
 * ```ts
 * app.onError(authErrorHandler());
 * ```
 *
 * @param otherwise the host's own error handler. Default: as Hono does without one, an
 *   `HTTPException` gives its response, anything else is printed and answered 500.
 */
export function authErrorHandler(
  otherwise: ErrorHandler = answerAsHono,
  options: AuthErrorHandlerOptions = {},
): ErrorHandler {
  const answerOther = functionOption('otherwise', otherwise, answerAsHono);
  const answerThrown = createThrownErrorAnswers(options);
  return (error, c) =>
    isAuthError(error)
      ? answerInHono(c, problemResponse(answerThrown(error, c.req.raw)))
      : answerOther(error, c);
}

const answerAsHono: ErrorHandler = (error, c) => {
  if ('getResponse' in error) {
    const response = error.getResponse();
    return c.newResponse(response.body, response);
  }
  resolveLogger(console).error({ err: error }, 'A handler failed');
  return c.text('Internal Server Error', 500);
};

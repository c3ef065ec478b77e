import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAuthError } from '../errors.ts';
import { sendProblem } from '../http/node-problem.ts';
import { type AuthErrorHandlerOptions, createThrownErrorAnswers } from '../http/thrown-error.ts';

/** An error-handling middleware of Express 4 and 5, in terms of Node's own types. */
export type AuthErrorHandler = (
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Answers the errors of this package that a handler threw (`hashing_busy` at a log-in, `claimsOf`
 * without a guard) as the guards do; every other error goes on to the next error handler. Put it
 * after the routes.
 *
 * Express 4 does not notice the rejection of an `async` handler: there, pass it on with
 * `next(error)`.
 */
export function authErrorHandler(options: AuthErrorHandlerOptions = {}): AuthErrorHandler {
  const answerThrown = createThrownErrorAnswers(options);
  // Express tells an error handler from a middleware by its four parameters.
  return (error, request, response, next) => {
    if (isAuthError(error) && !response.headersSent) sendProblem(response, answerThrown(error, request));
    else next(error);
  };
}

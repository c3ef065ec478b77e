import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAuthError } from '../errors.ts';
import { sendProblem } from '../http/node-problem.ts';
import { problemFor } from '../http/problem.ts';

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
export function authErrorHandler(): AuthErrorHandler {
  // Express tells an error handler from a middleware by its four parameters.
  return (error, _request, response, next) => {
    if (isAuthError(error) && !response.headersSent) sendProblem(response, problemFor(error));
    else next(error);
  };
}

import { isAuthError } from '../errors.ts';
import { type AuthErrorHandlerOptions, createThrownErrorAnswers } from '../http/thrown-error.ts';
import type { GuardedRequest } from './guards.ts';
import { type ProblemReply, replyProblem } from './reply-problem.ts';

/** An error handler of Fastify 5, for `setErrorHandler`. */
export type AuthErrorHandler = (error: unknown, request: GuardedRequest, reply: ProblemReply) => void;

/**
 * Answers the errors of this package that a handler threw (`hashing_busy` at a log-in, `claimsOf`
 * without a guard) as the guards do; every other error goes on to the error handler of the
 * surrounding context, at last Fastify's own.
 *
 * ```ts
 * app.setErrorHandler(authErrorHandler());
 * ```
 */
export function authErrorHandler(options: AuthErrorHandlerOptions = {}): AuthErrorHandler {
  const answerThrown = createThrownErrorAnswers(options);
  return (error, request, reply) => {
    if (!isAuthError(error)) throw error instanceof Error ? error : thrownValue(error);
    replyProblem(reply, answerThrown(error, request.raw));
  };
}

/** Fastify answers 200 with a value that an error handler throws, unless that is an `Error`. */
function thrownValue(cause: unknown): Error {
  return new Error('A handler threw something that is no Error', { cause });
}

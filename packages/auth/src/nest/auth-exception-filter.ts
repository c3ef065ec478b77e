import type { ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { isAuthError } from '../errors.ts';
import { type ProblemReply, replyProblem } from '../fastify/reply-problem.ts';
import { sendProblem } from '../http/node-problem.ts';
import type { Problem } from '../http/problem.ts';
import { type AuthErrorHandlerOptions, createThrownErrorAnswers } from '../http/thrown-error.ts';
import { type HttpRequest, nodeRequest } from './http-request.ts';
import { RefusedException } from './refused-exception.ts';

/** What is left to this filter: Nest asks with `instanceof`, which knows one copy of a class. */
// biome-ignore lint/complexity/noStaticOnlyClass: what stands behind instanceof is a class.
abstract class Answerable {
  static [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof RefusedException || isAuthError(error);
  }
}

/** A response of Express, or a reply of Fastify, which holds Node's. */
type HttpResponse = ServerResponse | (ProblemReply & { readonly raw: ServerResponse });

/**
 * Answers the refusals of the guards as `application/problem+json` with their headers, and the
 * errors of this package that a handler threw (`hashing_busy` at a log-in, `claimsOf` without a
 * guard) in the same way. Every other exception goes to your other filters, and to Nest.
 *
 * ```ts
 * app.useGlobalFilters(new AuthExceptionFilter());
 * ```
 *
 * Without it, a refusal still has its status and body, but no `WWW-Authenticate`, and a thrown
 * error is a 500.
 *
 * @throws TypeError naming the option that is unknown or of a wrong shape
 */
export class AuthExceptionFilter implements ExceptionFilter {
  readonly catch: (exception: unknown, host: ArgumentsHost) => void;

  constructor(options: AuthErrorHandlerOptions = {}) {
    const answerThrown = createThrownErrorAnswers(options);
    this.catch = (exception, host) => {
      if (host.getType<string>() !== 'http') throw exception;
      const http = host.switchToHttp();
      const response = http.getResponse<HttpResponse>();
      if (exception instanceof RefusedException) answer(response, exception.problem);
      else if (!isAuthError(exception)) throw exception;
      else answer(response, answerThrown(exception, nodeRequest(http.getRequest<HttpRequest>())));
    };
  }
}
// Without decorator syntax, which needs an option of the compiler.
Catch(Answerable)(AuthExceptionFilter);

function answer(response: HttpResponse, problem: Problem): void {
  const raw = 'raw' in response ? response.raw : response;
  // Ended, a half-written response would look complete to the client.
  if (raw.headersSent) raw.destroy();
  else if ('raw' in response) replyProblem(response, problem);
  else sendProblem(response, problem);
}

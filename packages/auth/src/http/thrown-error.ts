import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import type { AuthError } from '../errors.ts';
import { defaultLogger, type Logger, resolveLogger } from '../logging/logger.ts';
import type { AuthRequest } from './auth-request.ts';
import { logFailure } from './failure-log.ts';
import { type Problem, problemFor } from './problem.ts';
import { logRefusedRequest } from './refusal-log.ts';

/** Options of `authErrorHandler`. */
export interface AuthErrorHandlerOptions {
  /**
   * Receives a debug line for each refusal, if it has a method `debug`, and the failure behind
   * each 503 `unavailable`. Default: errors go to `console`.
   */
  readonly logger?: Logger | undefined;
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof AuthErrorHandlerOptions>(['logger']);

/** Returns the answer to an error of this package that a handler threw, and logs it. */
export type AnswerThrown = (error: AuthError, request: AuthRequest) => Problem;

/** @throws TypeError naming the option that is unknown or of a wrong shape */
export function createThrownErrorAnswers(options: AuthErrorHandlerOptions): AnswerThrown {
  refuseUnknownOptions('authErrorHandler', options, OPTION_NAMES);
  const logger = resolveLogger(options.logger ?? defaultLogger);
  return (error, request) => {
    const problem = problemFor(error);
    if (problem.body.code === 'unavailable') logFailure(logger, error);
    else logRefusedRequest(logger, error, request);
    return problem;
  };
}

import { HttpException } from '@nestjs/common';
import type { Problem } from '../http/problem.ts';

/**
 * What a guard throws to refuse a request. `AuthExceptionFilter` sends it with its headers; Nest by
 * itself, and a filter for `HttpException`, still find the status and the body.
 */
export class RefusedException extends HttpException {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super({ ...problem.body }, problem.status);
    this.problem = problem;
    this.message = problem.body.detail;
  }

  /** What GraphQL sends. Apollo takes out an `http` unless its headers are a record. */
  get extensions(): Pick<Problem['body'], 'code'> & { readonly http: Pick<Problem, 'status' | 'headers'> } {
    const { 'content-type': _, ...headers } = this.problem.headers;
    return { code: this.problem.body.code, http: { status: this.problem.status, headers } };
  }

  get statusCode(): number {
    return this.problem.status;
  }
}

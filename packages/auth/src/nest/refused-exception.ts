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
  }

  get statusCode(): number {
    return this.problem.status;
  }
}

import type { Context } from 'hono';
import type { Problem } from '../http/problem.ts';
import { problemResponse } from '../http/problem-response.ts';

/**
 * Gives a problem as the context's response, with the headers that middleware before has set on it.
 */
export function respondProblem(c: Context, problem: Problem): Response {
  const response = problemResponse(problem);
  return c.newResponse(response.body, response);
}

import type { Context } from 'hono';
import { answerInHono } from '../../../toolkit/src/mounts/hono-response.ts';
import type { Problem } from '../http/problem.ts';
import { problemResponse } from '../http/problem-response.ts';

/**
 * Makes a problem the context's response, beside what middleware before has set on it.
 */
export function respondProblem(c: Context, problem: Problem): Response {
  return answerInHono(c, problemResponse(problem));
}

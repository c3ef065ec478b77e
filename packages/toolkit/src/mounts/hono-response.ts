import { addHeaders, dropForeignHeaders } from '../node-web/add-headers.ts';

/** The members of Hono's context that an answer needs. */
export interface AnsweringContext {
  /** Makes a response with the headers that middleware has set. */
  body(data: null): Response;
  set res(response: Response | undefined);
}

/**
 * Makes a response the answer of Hono's context, and returns it. Headers that a middleware has set
 * before stay, cookies included, except those that the response has itself.
 *
 * Hono by itself writes the headers of a response that it already has over those of a later one, as
 * soon as a middleware such as `cors()` has touched `c.res`.
 */
export function answerInHono(c: AnsweringContext, response: Response): Response {
  const { status, headers: ours } = response;
  const headers = c.body(null).headers;
  dropForeignHeaders({
    hasHeader: (name) => headers.has(name),
    removeHeader: (name) => headers.delete(name),
  });
  addHeaders(ours, headers);
  // Headers are complete before the body is touched: `Response` of `@hono/node-server` 1.15 to 1.19
  // forgets there what was added to them after it was made.
  const answer = new Response(response.body, { status, headers });
  c.res = undefined;
  c.res = answer;
  return answer;
}

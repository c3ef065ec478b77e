import type { Problem } from './problem.ts';

/**
 * A problem as a Web `Response`. Its headers are a `Headers` object: of others, the `Response` of
 * `@hono/node-server` 1.15 to 1.19 forgets what is appended later.
 */
export function problemResponse({ status, headers, body }: Problem): Response {
  return new Response(JSON.stringify(body), { status, headers: new Headers(headers) });
}

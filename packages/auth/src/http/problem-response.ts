import type { Problem } from './problem.ts';

/** A problem as a Web `Response`. */
export function problemResponse({ status, headers, body }: Problem): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

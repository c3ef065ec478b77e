import type { AdminProblem } from './admin-problem.ts';

const COMMON_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

type Headers = Readonly<Record<string, string>>;

export function emptyResponse(status: number, headers: Headers = {}): Response {
  return new Response(null, { status, headers: { ...COMMON_HEADERS, ...headers } });
}

export function jsonResponse(status: number, json: object, headers: Headers = {}): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  return new Response(bytes, {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(bytes.length),
      ...COMMON_HEADERS,
      ...headers,
    },
  });
}

export function problemResponse(problem: AdminProblem): Response {
  const headers = { 'Content-Type': 'application/problem+json', ...problem.headers };
  return jsonResponse(problem.status, problem, headers);
}

import type { AdminProblem } from './admin-problem.ts';

const COMMON_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

type Headers = Readonly<Record<string, string>>;

/** A member of an answer that is JSON already: parsed, its numbers could be others. */
export class JsonText {
  readonly [member: string]: unknown;
  readonly text: string;

  /** @throws SyntaxError unless the text is JSON */
  constructor(text: string) {
    JSON.parse(text);
    this.text = text;
  }
}

export function emptyResponse(status: number, headers: Headers = {}): Response {
  return new Response(null, { status, headers: { ...COMMON_HEADERS, ...headers } });
}

export function jsonResponse(status: number, json: object, headers: Headers = {}): Response {
  const bytes = new TextEncoder().encode(textOf(json));
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

function textOf(json: object): string {
  if (!Object.values(json).some((value) => value instanceof JsonText)) return JSON.stringify(json);
  const members = Object.entries(json).flatMap(([name, value]) => {
    const text = value instanceof JsonText ? value.text : JSON.stringify(value);
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`;
  });
  return `{${members.join()}}`;
}

export function problemResponse(problem: AdminProblem): Response {
  const headers = { 'Content-Type': 'application/problem+json', ...problem.headers };
  return jsonResponse(problem.status, problem, headers);
}

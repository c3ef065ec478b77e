import type { ServerResponse } from 'node:http';
import type { Problem } from './problem.ts';

/** Sends a problem over Node's own response. */
export function sendProblem(response: ServerResponse, { status, headers, body }: Problem): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(JSON.stringify(body));
}

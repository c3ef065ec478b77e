import type { ServerResponse } from 'node:http';
import { dropForeignHeaders } from '../../../toolkit/src/node-web/add-headers.ts';
import type { Problem } from './problem.ts';

/** Sends a problem over Node's own response. */
export function sendProblem(response: ServerResponse, { status, headers, body }: Problem): void {
  response.statusCode = status;
  dropForeignHeaders(response);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(JSON.stringify(body));
}

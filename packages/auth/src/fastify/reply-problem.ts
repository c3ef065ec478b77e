import { dropForeignHeaders } from '../../../toolkit/src/node-web/add-headers.ts';
import type { Problem } from '../http/problem.ts';

/** What sending a problem needs of a Fastify reply. */
export interface ProblemReply {
  code(status: number): unknown;
  headers(values: Record<string, string>): unknown;
  hasHeader(name: string): boolean;
  removeHeader(name: string): unknown;
  send(payload: Uint8Array): unknown;
}

/**
 * Sends a problem, as bytes: to JSON text Fastify adds a charset, which problem details do not
 * have.
 */
export function replyProblem(reply: ProblemReply, { status, headers, body }: Problem): void {
  reply.code(status);
  dropForeignHeaders(reply);
  reply.headers(headers);
  reply.send(Buffer.from(JSON.stringify(body)));
}

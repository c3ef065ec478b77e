import type { AuthRequest } from '../http/auth-request.ts';

/** A request as Nest hands it on: Express's own is Node's, Fastify's holds Node's. */
export type HttpRequest = AuthRequest & { readonly raw?: AuthRequest };

/** Returns the request of Node, whatever Nest runs on. */
export function nodeRequest(request: HttpRequest): AuthRequest {
  return request.raw ?? request;
}

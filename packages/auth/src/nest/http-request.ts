import type { ExecutionContext } from '@nestjs/common';
import { AuthError } from '../errors.ts';
import type { AuthRequest } from '../http/auth-request.ts';

/** A request as Nest hands it on: Express's own is Node's, Fastify's holds Node's. */
export type HttpRequest = AuthRequest & { readonly raw?: AuthRequest };

/** Returns the request of Node, whatever Nest runs on. */
export function nodeRequest(request: HttpRequest): AuthRequest {
  return request.raw ?? request;
}

/** Where the drivers of GraphQL keep the request: Apollo, Yoga, Mercurius. */
interface GraphqlContext {
  readonly req?: HttpRequest;
  readonly request?: HttpRequest;
  readonly reply?: { readonly request?: HttpRequest };
}

/**
 * Returns the HTTP request behind a route or a GraphQL resolver, whose third argument is the
 * context.
 *
 * @throws AuthError `unavailable` if there is none
 */
export function httpRequestOf(context: ExecutionContext): HttpRequest {
  const type = context.getType<string>();
  if (type === 'http') return context.switchToHttp().getRequest<HttpRequest>();
  if (type === 'graphql') {
    const { req, request, reply } = context.getArgByIndex<GraphqlContext | undefined>(2) ?? {};
    const found = req ?? request ?? reply?.request;
    if (found !== undefined) return found;
  }
  throw new AuthError(
    'unavailable',
    `The guards of @acme/auth/nest need an HTTP request, and found none in this context: ${type}`,
  );
}

import type { ExecutionContext } from '@nestjs/common';
import { AuthError } from '../errors.ts';
import type { AuthRequest } from '../http/auth-request.ts';
import { outerAuthentication, storeClaims } from '../http/request-claims.ts';

/** A request as Nest hands it on: Express's own is Node's, Fastify's holds Node's. */
export type HttpRequest = AuthRequest & { readonly raw?: AuthRequest };

/** Returns the request of Node, whatever Nest runs on. */
export function nodeRequest(request: HttpRequest): AuthRequest {
  return request.raw ?? request;
}

/** Where the drivers of GraphQL keep the request: Apollo, graphql-ws, Yoga, Mercurius. */
interface GraphqlContext {
  readonly req?: HttpRequest & { readonly extra?: { readonly request?: HttpRequest } };
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
    const found = req?.extra?.request ?? req ?? request ?? reply?.request;
    if (found !== undefined) return found;
  }
  throw new AuthError(
    'unavailable',
    `The guards of @acme/auth/nest need an HTTP request, and found none in this context: ${type}`,
  );
}

/**
 * Returns what holds the claims: the request of a route, or the `info` of a field of GraphQL, a new
 * one for every execution of the field. It starts with what the request had before GraphQL ran.
 * (Reference resolvers of a federation share an `info`: they have no request, and so no claims.)
 */
export function carrierOf(context: ExecutionContext): object {
  const request = httpRequestOf(context);
  if (context.getType<string>() !== 'graphql') return request;
  const info = context.getArgByIndex<object>(3);
  const outer = outerAuthentication(request);
  if (outer && !outerAuthentication(info)) storeClaims(info, outer.claims, outer.clock);
  return info;
}

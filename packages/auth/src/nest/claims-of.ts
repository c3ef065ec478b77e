import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Claims } from '../claims.ts';
import { authenticationOf } from '../http/request-claims.ts';
import { carrierOf } from './http-request.ts';

/**
 * Returns the claims that a guard found: of Nest's `ExecutionContext`, of the request of a route,
 * or of the `info` of a field of GraphQL. Each field has its own; a request has those that all its
 * guarded fields agree on.
 *
 * @throws ErrNoToken when no guard ran, so that a handler or a field without a guard fails closed;
 *   ErrInvalidToken `ambiguous` for a request whose fields have different claims
 */
export function claimsOf<Scope extends string = string>(request: object): Claims<Scope> {
  return authenticationOf(isExecutionContext(request) ? carrierOf(request) : request).claims;
}

/**
 * Gives a parameter of a route or a resolver its claims, as `claimsOf` does:
 * `profile(@CurrentClaims() { uid }: Claims)`.
 */
export function CurrentClaims(): ParameterDecorator {
  return currentClaims();
}

const currentClaims = createParamDecorator((_data: unknown, context: ExecutionContext) => claimsOf(context));

function isExecutionContext(source: object | null | undefined): source is ExecutionContext {
  return typeof source === 'object' && source !== null && 'getArgByIndex' in source;
}

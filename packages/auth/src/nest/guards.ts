import type { ExecutionContext } from '@nestjs/common';
import { type Guards, guardsFor } from '../guards/guards-for.ts';
import { carrierOf, httpRequestOf, nodeRequest } from './http-request.ts';
import { RefusedException } from './refused-exception.ts';

/**
 * A guard of HTTP routes and of GraphQL resolvers, for `@UseGuards` and `useGlobalGuards`, over
 * Express or Fastify.
 */
export interface Guard {
  /**
   * @throws RefusedException if the request may not pass; AuthError `unavailable` if there is no
   *   HTTP request, such as in a microservice
   */
  canActivate(context: ExecutionContext): Promise<true>;
}

// The other adapters import only types of their framework. This one imports classes, because Nest
// recognises exceptions and filters by its own classes and metadata.
const guards = guardsFor<Guard>((check) => ({
  async canActivate(context) {
    const request = httpRequestOf(context);
    const carrier = carrierOf(context);
    const problem = await check(nodeRequest(request), carrier, carrier === request ? undefined : request);
    if (problem !== undefined) throw new RefusedException(problem);
    return true;
  },
}));

/** Lets a request through that carries a valid access token cookie. */
export const requireAuth: Guards<Guard>['requireAuth'] = guards.requireAuth;
/** Lets a request through whose claims have the scope. */
export const requireScope: Guards<Guard>['requireScope'] = guards.requireScope;
/** Lets a request through whose user has logged in within the last seconds. */
export const requireRecentLogin: Guards<Guard>['requireRecentLogin'] = guards.requireRecentLogin;
/** Lets a request through that carries a known API key. */
export const requireApiKey: Guards<Guard>['requireApiKey'] = guards.requireApiKey;
/** Lets a request through that carries the cookie, or else the key. */
export const requireAuthOrApiKey: Guards<Guard>['requireAuthOrApiKey'] = guards.requireAuthOrApiKey;
/** Refuses an unsafe request that another site's page sent. */
export const requireSameOrigin: Guards<Guard>['requireSameOrigin'] = guards.requireSameOrigin;

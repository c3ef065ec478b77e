import { type Guards, guardsFor } from '../guards/guards-for.ts';
import { problemResponse } from '../http/problem-response.ts';
import { requireHandler, type Wrapper } from './guarded.ts';

const guards = guardsFor<Wrapper>((check) => (handler) => {
  requireHandler(handler);
  return async (request, ...rest) => {
    const problem = await check(request, request);
    return problem === undefined ? await handler(request, ...rest) : problemResponse(problem);
  };
});

/** Lets a request through that carries a valid access token cookie. */
export const requireAuth: Guards<Wrapper>['requireAuth'] = guards.requireAuth;
/** Lets a request through whose claims have the scope. */
export const requireScope: Guards<Wrapper>['requireScope'] = guards.requireScope;
/** Lets a request through whose user has logged in within the last seconds. */
export const requireRecentLogin: Guards<Wrapper>['requireRecentLogin'] = guards.requireRecentLogin;
/** Lets a request through that carries a known API key. */
export const requireApiKey: Guards<Wrapper>['requireApiKey'] = guards.requireApiKey;
/** Lets a request through that carries the cookie, or else the key. */
export const requireAuthOrApiKey: Guards<Wrapper>['requireAuthOrApiKey'] = guards.requireAuthOrApiKey;
/** Refuses an unsafe request that another site's page sent. */
export const requireSameOrigin: Guards<Wrapper>['requireSameOrigin'] = guards.requireSameOrigin;

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Guards, guardsFor } from '../guards/guards-for.ts';
import { sendProblem } from '../http/node-problem.ts';

/** A middleware of Express 4 and 5, in terms of Node's own types. */
export type Guard = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

const guards = guardsFor<Guard>((check) => (request, response, next) => {
  check(request, request)
    .then((problem) => {
      if (problem !== undefined) sendProblem(response, problem);
      return problem === undefined;
    })
    // Not a `catch` behind it: what `next` throws must not call it again.
    .then((mayPass) => (mayPass ? next() : undefined), next);
});

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

import { type Guards, guardsFor } from '../guards/guards-for.ts';
import type { AuthRequest } from '../http/auth-request.ts';
import { type ProblemReply, replyProblem } from './reply-problem.ts';

/** What a guard looks at of a Fastify request, over HTTP/1 or HTTP/2. */
export interface GuardedRequest {
  readonly raw: AuthRequest;
}

/**
 * A hook of Fastify 5, for `onRequest` on a route or with `addHook`; every later hook of a request
 * will do as well.
 */
export type Guard = (request: GuardedRequest, reply: ProblemReply, done: (error?: Error) => void) => void;

/**
 * Hooks with a callback, which a refusal never calls. After an async hook Fastify goes on to the
 * handler unless the answer is on its way, and an `onSend` hook that waits for something delays
 * that.
 */
const guards = guardsFor<Guard>((check) => (request, reply, done) => {
  check(request.raw, request)
    .then((problem) => {
      if (problem !== undefined) replyProblem(reply, problem);
      return problem === undefined;
    })
    // Not a `catch` behind it: what `done` throws must not call it again.
    .then((mayPass) => (mayPass ? done() : undefined), done);
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

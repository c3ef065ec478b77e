import type { ApiKeyValidator } from '../api-keys/api-key-validator.ts';
import type { Auth, ScopeOf } from '../auth.ts';
import {
  type ApiKeyGuardOptions,
  checkApiKey,
  checkAuth,
  checkAuthOrApiKey,
  checkSameOrigin,
  checkScope,
  type GuardCheck,
} from '../guards/guard-check.ts';
import { requiredScope } from '../guards/required-scope.ts';
import type { AuthRequest } from '../http/auth-request.ts';
import { type ProblemReply, replyProblem } from './reply-problem.ts';

/** What a guard looks at of a Fastify request, over HTTP/1 or HTTP/2. */
export interface GuardedRequest {
  readonly raw: AuthRequest;
}

/** A hook of Fastify 5, for `onRequest` on a route or with `addHook`; every later hook of a request will do as well. */
export type Guard = (request: GuardedRequest, reply: ProblemReply, done: (error?: Error) => void) => void;

/**
 * Lets a request through that carries a valid access token cookie of this instance; `claimsOf` then gives its
 * claims. Anything else is answered 401, a cross-site request 403, a failure of the server 503.
 *
 * ```ts
 * app.get('/api/admin/me', { onRequest: requireAuth(auth) }, async (request) => ({ uid: claimsOf(request).uid }));
 * ```
 *
 * In `onRequest` it runs before the body is read: who is not authenticated should not make the server parse.
 */
export function requireAuth(auth: Auth): Guard {
  return guard(checkAuth(auth));
}

/**
 * Lets a request through whose claims have the scope; 403 otherwise, and 401 when no guard has run before.
 *
 * ```ts
 * app.addHook('onRequest', requireAuth(auth));
 * app.addHook('onRequest', requireScope(auth, 'admin')); // or requireScope<typeof auth>('admin')
 * ```
 *
 * @typeParam A the instance's type, which makes a scope that it does not know a compile error
 * @throws TypeError when the scope is empty, longer than 64 characters, or not in the instance's own list
 */
export function requireScope<A extends Auth>(auth: A, scope: ScopeOf<A>): Guard;
export function requireScope<A extends Auth = Auth>(scope: ScopeOf<A>): Guard;
export function requireScope(...args: [scope: string] | [Auth, string]): Guard {
  return guard(checkScope(requiredScope(...args)));
}

/**
 * Lets a request through whose `Authorization: Bearer` carries an API key that the validator knows.
 *
 * An access token is never accepted here. A validator refuses a key with `null` or `ErrInvalidToken` (401); whatever else
 * it throws is reported to the logger and answered 503.
 */
export function requireApiKey(validator: ApiKeyValidator, options: ApiKeyGuardOptions = {}): Guard {
  return guard(checkApiKey(validator, options));
}

/**
 * Tries the access token cookie first, then the API key.
 *
 * A cookie that fails, a cross-site one included, never outranks a key: the request then speaks for the key alone.
 */
export function requireAuthOrApiKey(auth: Auth, validator: ApiKeyValidator): Guard {
  return guard(checkAuthOrApiKey(auth, validator));
}

/** Refuses an unsafe request that another site's page sent: for a log-in, which carries no token yet. */
export function requireSameOrigin(auth: Auth): Guard {
  return guard(checkSameOrigin(auth));
}

/**
 * A hook with a callback, which a refusal never calls. After an async hook Fastify goes on to the handler unless the
 * answer is on its way, and an `onSend` hook that waits for something delays that.
 */
function guard(check: GuardCheck): Guard {
  return (request, reply, done) => {
    check(request.raw, request)
      .then((problem) => {
        if (problem !== undefined) replyProblem(reply, problem);
        return problem === undefined;
      })
      // Not a `catch` behind it: what `done` throws must not call it again.
      .then((mayPass) => (mayPass ? done() : undefined), done);
  };
}

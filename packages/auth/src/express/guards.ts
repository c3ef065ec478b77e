import type { IncomingMessage, ServerResponse } from 'node:http';
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
import { sendProblem } from '../http/node-problem.ts';

/** A middleware of Express 4 and 5, in terms of Node's own types. */
export type Guard = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Lets a request through that carries a valid access token cookie of this instance; `claimsOf` then gives its
 * claims. Anything else is answered 401, a cross-site request 403, a failure of the server 503.
 *
 * Put it before the body parser: who is not authenticated should not make the server parse.
 */
export function requireAuth(auth: Auth): Guard {
  return guard(checkAuth(auth));
}

/**
 * Lets a request through whose claims have the scope; 403 otherwise, and 401 when no guard has run before.
 *
 * ```ts
 * app.use('/api/admin', requireAuth(auth), requireScope(auth, 'admin'));
 * app.use('/api/admin', requireAuth(auth), requireScope<typeof auth>('admin')); // the same
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

/**
 * Refuses an unsafe request that another site's page sent: for a log-in, which carries no token yet.
 *
 * ```ts
 * app.post('/api/admin/auth/login', requireSameOrigin(auth), express.json(), logIn);
 * ```
 */
export function requireSameOrigin(auth: Auth): Guard {
  return guard(checkSameOrigin(auth));
}

function guard(check: GuardCheck): Guard {
  return (request, response, next) => {
    check(request, request)
      .then((problem) => {
        if (problem !== undefined) sendProblem(response, problem);
        return problem === undefined;
      })
      // Not a `catch` behind it: what `next` throws must not call it again.
      .then((mayPass) => (mayPass ? next() : undefined), next);
  };
}

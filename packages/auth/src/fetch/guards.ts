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
import { problemResponse } from '../http/problem-response.ts';
import type { Wrapper } from './wrapper.ts';

/**
 * Asks a handler only for requests that carry a valid access token cookie of this instance; `claimsOf(request)` then
 * gives its claims. Anything else is answered 401, a cross-site request 403, a failure of the server 503.
 *
 * ```ts
 * export const GET = requireAuth(auth)((request) => Response.json({ uid: claimsOf(request).uid }));
 * ```
 */
export function requireAuth(auth: Auth): Wrapper {
  return guard(checkAuth(auth));
}

/**
 * Asks a handler only for requests whose claims have the scope; the answer is 403 otherwise, and 401 when no guard
 * has run before: it belongs inside one.
 *
 * ```ts
 * guarded([requireAuth(auth), requireScope(auth, 'admin')], handler); // or requireScope<typeof auth>('admin')
 * ```
 *
 * @typeParam A the instance's type, which makes a scope that it does not know a compile error
 * @throws TypeError when the scope is empty, longer than 64 characters, or not in the instance's own list
 */
export function requireScope<A extends Auth>(auth: A, scope: ScopeOf<A>): Wrapper;
export function requireScope<A extends Auth = Auth>(scope: ScopeOf<A>): Wrapper;
export function requireScope(...args: [scope: string] | [Auth, string]): Wrapper {
  return guard(checkScope(requiredScope(...args)));
}

/**
 * Asks a handler only for requests whose `Authorization: Bearer` carries an API key that the validator knows.
 *
 * An access token is never accepted here. A validator refuses a key with `null` or `ErrInvalidToken` (401); whatever else
 * it throws is reported to the logger and answered 503.
 */
export function requireApiKey(validator: ApiKeyValidator, options: ApiKeyGuardOptions = {}): Wrapper {
  return guard(checkApiKey(validator, options));
}

/**
 * Tries the access token cookie first, then the API key.
 *
 * A cookie that fails, a cross-site one included, never outranks a key: the request then speaks for the key alone.
 */
export function requireAuthOrApiKey(auth: Auth, validator: ApiKeyValidator): Wrapper {
  return guard(checkAuthOrApiKey(auth, validator));
}

/** Refuses an unsafe request that another site's page sent: for a log-in, which carries no token yet. */
export function requireSameOrigin(auth: Auth): Wrapper {
  return guard(checkSameOrigin(auth));
}

function guard(check: GuardCheck): Wrapper {
  return (handler) =>
    async (request, ...rest) => {
      const problem = await check(request, request);
      return problem === undefined ? await handler(request, ...rest) : problemResponse(problem);
    };
}

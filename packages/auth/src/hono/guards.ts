import type { MiddlewareHandler } from 'hono';
import type { ApiKeyValidator } from '../api-keys/api-key-validator.ts';
import type { Auth, ScopeOf } from '../auth.ts';
import type { Claims } from '../claims.ts';
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
import { claimsOf } from '../http/request-claims.ts';
import { respondProblem } from './respond-problem.ts';

/** What a guard adds to Hono's context: `c.get('claims')` and `c.var.claims`, typed where the guard is in the chain. */
export interface AuthEnv<Scope extends string = string> {
  Variables: { claims: Claims<Scope> };
}

/** A middleware that lets a request through with claims, or answers it. */
export type Guard<Scope extends string = string> = MiddlewareHandler<AuthEnv<Scope>>;

/**
 * Lets a request through that carries a valid access token cookie of this instance; `c.get('claims')` then gives its
 * claims, typed, and so does `claimsOf(c)`. Anything else is answered 401, a cross-site request 403, a failure of the
 * server 503.
 *
 * ```ts
 * app.get('/api/admin/me', requireAuth(auth), (c) => c.json({ uid: c.var.claims.uid }));
 * ```
 *
 * Behind `app.use('*', requireAuth(auth))` declare the variables once: `new Hono<AuthEnv<ScopeOf<typeof auth>>>()`.
 */
export function requireAuth<Scope extends string>(auth: Auth<Scope>): Guard<Scope> {
  return credentialGuard(checkAuth(auth));
}

/**
 * Lets a request through whose claims have the scope; 403 otherwise, and 401 when no guard has run before.
 *
 * ```ts
 * app.use('/api/admin/*', requireAuth(auth), requireScope(auth, 'admin')); // or requireScope<typeof auth>('admin')
 * ```
 *
 * @typeParam A the instance's type, which makes a scope that it does not know a compile error
 * @throws TypeError when the scope is empty, longer than 64 characters, or not in the instance's own list
 */
export function requireScope<A extends Auth>(auth: A, scope: ScopeOf<A>): MiddlewareHandler;
export function requireScope<A extends Auth = Auth>(scope: ScopeOf<A>): MiddlewareHandler;
export function requireScope(...args: [scope: string] | [Auth, string]): MiddlewareHandler {
  return guard(checkScope(requiredScope(...args)));
}

/**
 * Lets a request through whose `Authorization: Bearer` carries an API key that the validator knows.
 *
 * An access token is never accepted here. A validator refuses a key with `null` or `ErrInvalidToken` (401); whatever else
 * it throws is reported to the logger and answered 503.
 */
export function requireApiKey(validator: ApiKeyValidator, options: ApiKeyGuardOptions = {}): Guard {
  return credentialGuard(checkApiKey(validator, options));
}

/**
 * Tries the access token cookie first, then the API key.
 *
 * A cookie that fails, a cross-site one included, never outranks a key: the request then speaks for the key alone.
 */
export function requireAuthOrApiKey<Scope extends string>(
  auth: Auth<Scope>,
  validator: ApiKeyValidator,
): Guard<Scope> {
  return credentialGuard(checkAuthOrApiKey(auth, validator));
}

/** Refuses an unsafe request that another site's page sent: for a log-in, which carries no token yet. */
export function requireSameOrigin(auth: Auth): MiddlewareHandler {
  return guard(checkSameOrigin(auth));
}

function credentialGuard<Scope extends string>(check: GuardCheck): Guard<Scope> {
  return async (c, next) => {
    const problem = await check(c.req.raw, c);
    if (problem !== undefined) return respondProblem(c, problem);
    c.set('claims', claimsOf<Scope>(c));
    return await next();
  };
}

function guard(check: GuardCheck): MiddlewareHandler {
  return async (c, next) => {
    const problem = await check(c.req.raw, c);
    return problem === undefined ? await next() : respondProblem(c, problem);
  };
}

import type { ApiKeyValidator } from '../api-keys/api-key-validator.ts';
import type { Auth, ScopeOf } from '../auth.ts';
import { isScope, MAX_SCOPE_LENGTH } from '../claims.ts';
import {
  type ApiKeyGuardOptions,
  checkApiKey,
  checkAuth,
  checkAuthOrApiKey,
  checkRecentLogin,
  checkSameOrigin,
  checkScope,
  type GuardCheck,
} from './guard-check.ts';

/**
 * The guards of one framework, each in its own idiom: a middleware, a hook, or a wrapper around a
 * handler.
 *
 * Each adapter exports them as consts of these members' types: editors show the documentation here
 * at every call.
 */
export interface Guards<Guard> {
  /**
   * Lets a request through that carries a valid access token cookie of this instance; `claimsOf`
   * then returns its claims. A cross-site request is answered 403, a failure of the server 503, and
   * any other request 401.
   *
   * ```ts
   * app.use('/api/admin', requireAuth(auth)); // Express
   * app.get('/api/admin/me', { onRequest: requireAuth(auth) }, async (request) => claimsOf(request)); // Fastify
   * app.get('/api/admin/me', requireAuth(auth), (c) => c.json(c.var.claims)); // Hono
   * export const GET = requireAuth(auth)((request) => Response.json(claimsOf(request))); // fetch
   * ```
   *
   * Put it before the body parser, in Fastify on `onRequest`, so that the server parses no body of
   * an unauthenticated request. In Hono, `c.get('claims')` returns the claims as well, typed if the
   * guard is in the chain.
   */
  requireAuth(auth: Auth): Guard;

  /**
   * Lets a request through whose claims have the scope, and are of this instance; 403 otherwise,
   * and 401 when no guard has run before. The audience says of which instance claims are.
   *
   * ```ts
   * app.use('/api/admin', requireAuth(auth), requireScope(auth, 'admin')); // Express
   * app.addHook('onRequest', requireScope(auth, 'admin')); // Fastify, after the hook of requireAuth
   * app.use('/api/admin/*', requireAuth(auth), requireScope(auth, 'admin')); // Hono
   * guarded([requireAuth(auth), requireScope(auth, 'admin')], handler); // fetch
   * ```
   *
   * `requireScope<typeof auth>('admin')` takes the claims of every instance.
   *
   * @typeParam A the instance's type, which makes a scope that it does not know a compile error
   * @throws TypeError when the scope is empty, longer than 64 characters, or not in the instance's
   *   own list
   */
  requireScope<A extends Auth>(auth: A, scope: ScopeOf<A>): Guard;
  requireScope<A extends Auth = Auth>(scope: ScopeOf<A>): Guard;

  /**
   * Lets a request through whose user has logged in within the last `seconds`. Any other request is
   * answered 401 `login_required`, with the challenge of RFC 9470, or 401 `token_missing` when no
   * guard has run before.
   *
   * ```ts
   * app.delete('/api/admin/users/:id', requireAuth(auth), requireRecentLogin(300), removeUser); // Express
   * app.delete('/users/:id', { onRequest: [requireAuth(auth), requireRecentLogin(300)] }, removeUser); // Fastify
   * app.delete('/api/admin/users/:id', requireAuth(auth), requireRecentLogin(300), removeUser); // Hono
   * guarded([requireAuth(auth), requireRecentLogin(300)], removeUser); // fetch
   * ```
   *
   * It reads the claim `auth_time`, which the tokens of `createSessions` carry, by the clock of the
   * instance that authenticated the request. A status poll renews the token and not the time. API
   * keys, and tokens without the claim, never pass.
   *
   * @param seconds 1–34,560,000 (400 days)
   * @throws TypeError when `seconds` is out of bounds
   */
  requireRecentLogin(seconds: number): Guard;

  /**
   * Lets a request through whose `Authorization: Bearer` carries an API key that the validator
   * knows.
   *
   * An access token is never accepted. A validator refuses a key with `null` or `ErrInvalidToken`
   * (401). Any error that is not an `AuthError` goes to the logger and is answered 503.
   */
  requireApiKey(validator: ApiKeyValidator, options?: ApiKeyGuardOptions): Guard;

  /**
   * Tries the access token cookie first, then the API key.
   *
   * A cookie that fails, also for being cross-site, never outranks a key: the claims are then those
   * of the key.
   */
  requireAuthOrApiKey(auth: Auth, validator: ApiKeyValidator): Guard;

  /**
   * Refuses an unsafe request from a page of another site, for a log-in, which carries no token
   * yet.
   *
   * ```ts
   * app.post('/api/admin/auth/login', requireSameOrigin(auth), express.json(), logIn); // Express
   * ```
   */
  requireSameOrigin(auth: Auth): Guard;
}

/**
 * Makes the guards of a framework.
 *
 * @param adapt turns a check into the framework's own guard
 */
export function guardsFor<Guard>(adapt: (check: GuardCheck) => Guard): Guards<Guard> {
  return {
    requireAuth: (auth) => adapt(checkAuth(auth)),
    requireScope: (...args: [scope: string] | [Auth, string]) =>
      adapt(checkScope(requiredScope(...args), args.length === 2 ? args[0] : undefined)),
    requireRecentLogin: (seconds) => adapt(checkRecentLogin(seconds)),
    requireApiKey: (validator, options = {}) => adapt(checkApiKey(validator, options)),
    requireAuthOrApiKey: (auth, validator) => adapt(checkAuthOrApiKey(auth, validator)),
    requireSameOrigin: (auth) => adapt(checkSameOrigin(auth)),
  };
}

/** An instance as far as its scopes are concerned. */
interface ScopedInstance {
  readonly options: { readonly scopes: readonly string[] | undefined };
}

/**
 * Reads the arguments of `requireScope`: the scope alone, or the instance that knows it and the
 * scope.
 *
 * @throws TypeError when no token can carry the scope, the list of the instance lacks it, or there
 *   is no instance where one should be
 */
function requiredScope(...args: readonly [scope: string] | readonly [ScopedInstance, string]): string {
  const [auth, scope] = args.length === 1 ? [undefined, args[0]] : args;
  if (args.length > 1 && typeof auth?.options !== 'object') {
    throw new TypeError('auth must be an instance that createAuth made');
  }
  if (!isScope(scope)) throw new TypeError(`scope must be a string of 1 to ${MAX_SCOPE_LENGTH} characters`);
  const known = auth?.options.scopes;
  if (known !== undefined && !known.includes(scope)) {
    throw new TypeError(`scope must be one that the instance knows (${known.join(', ')}), got ${scope}`);
  }
  return scope;
}

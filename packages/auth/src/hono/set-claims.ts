import type { Context, Env } from 'hono';
import type { Claims } from '../claims.ts';
import { storeHostClaims } from '../http/request-claims.ts';

/**
 * Stores the claims of a request on its context, as a guard does: for a guard of your own, once it
 * has authenticated the request. `claimsOf(c)` and `c.get('claims')` then return them,
 * `requireScope` judges them, and `requireRecentLogin` judges their `authTime` by the system's
 * clock. They replace those of an earlier guard.
 *
 * ```ts
 * setClaims(c, new Claims({ uid: user.id, scopes: user.scopes }));
 * ```
 *
 * Nothing that a client sends can stand in for them: only an instance of `Claims` is taken.
 *
 * @throws TypeError when `claims` is no instance of `Claims`
 */
export function setClaims<E extends Env>(c: Context<E>, claims: Claims): void {
  if (typeof c?.set !== 'function') throw new TypeError('c must be the context of Hono');
  storeHostClaims(c, claims);
  (c as Context).set('claims', claims);
}

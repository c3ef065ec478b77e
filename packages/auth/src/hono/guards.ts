import type { MiddlewareHandler } from 'hono';
import { answerInHono } from '../../../toolkit/src/mounts/hono-response.ts';
import type { ApiKeyValidator } from '../api-keys/api-key-validator.ts';
import type { Auth } from '../auth.ts';
import type { Claims } from '../claims.ts';
import { type Guards, guardsFor } from '../guards/guards-for.ts';
import { problemResponse } from '../http/problem-response.ts';
import { claimsOf } from '../http/request-claims.ts';

/**
 * What a guard adds to Hono's context: `c.get('claims')` and `c.var.claims`, typed if the guard is
 * in the chain.
 *
 * Behind `app.use('*', requireAuth(auth))` declare the variables once:
 * `new Hono<AuthEnv<ScopeOf<typeof auth>>>()`.
 */
export interface AuthEnv<Scope extends string = string> {
  Variables: { claims: Claims<Scope> };
}

/** A middleware that lets a request through with claims, or answers it. */
export type Guard<Scope extends string = string> = MiddlewareHandler<AuthEnv<Scope>>;

/** Guards whose claims have the scopes of the instance as their type. */
interface CredentialGuards extends Guards<Guard> {
  requireAuth<Scope extends string>(auth: Auth<Scope>): Guard<Scope>;
  requireAuthOrApiKey<Scope extends string>(auth: Auth<Scope>, validator: ApiKeyValidator): Guard<Scope>;
}

const guards = guardsFor<MiddlewareHandler>((check) => async (c, next) => {
  const problem = await check(c.req.raw, c);
  return problem === undefined ? await next() : answerInHono(c, problemResponse(problem));
});

const credentialGuards: CredentialGuards = guardsFor<Guard>((check) => async (c, next) => {
  const problem = await check(c.req.raw, c);
  if (problem !== undefined) return answerInHono(c, problemResponse(problem));
  c.set('claims', claimsOf(c));
  return await next();
});

/** Lets a request through that carries a valid access token cookie. */
export const requireAuth: CredentialGuards['requireAuth'] = credentialGuards.requireAuth;
/** Lets a request through whose claims have the scope. */
export const requireScope: Guards<MiddlewareHandler>['requireScope'] = guards.requireScope;
/** Lets a request through whose user has logged in within the last seconds. */
export const requireRecentLogin: Guards<MiddlewareHandler>['requireRecentLogin'] = guards.requireRecentLogin;
/** Lets a request through that carries a known API key. */
export const requireApiKey: CredentialGuards['requireApiKey'] = credentialGuards.requireApiKey;
/** Lets a request through that carries the cookie, or else the key. */
export const requireAuthOrApiKey: CredentialGuards['requireAuthOrApiKey'] =
  credentialGuards.requireAuthOrApiKey;
/** Refuses an unsafe request that another site's page sent. */
export const requireSameOrigin: Guards<MiddlewareHandler>['requireSameOrigin'] = guards.requireSameOrigin;

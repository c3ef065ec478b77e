import { Claims, type ClaimsInit } from '../claims.ts';
import type { Authenticator } from '../http/guard-check.ts';
import { storeClaims } from '../http/request-claims.ts';

/**
 * FOR TESTS ONLY: whoever calls it is authenticated, without a token.
 *
 * Stores claims on a request as a guard would, in the guard's place: `claimsOf` gives them and `requireScope` judges
 * them. It takes an Express request, a Fastify request, a Hono context (whose `c.get('claims')` it sets as well) or a
 * Web `Request`, and gives it back. A guard that runs afterwards asks for its own credential and replaces the claims
 * or refuses the request: nothing that is injected opens a guard. To test with guards, see {@link authenticateAs}.
 *
 * ```ts
 * app.use((request, _response, next) => { withClaims(request, { uid: '42', scopes: ['admin'] }); next(); }); // Express
 * app.addHook('onRequest', async (request) => { withClaims(request, { uid: '42', scopes: ['admin'] }); }); // Fastify
 * app.use(async (c, next) => { withClaims(c, { uid: '42', scopes: ['admin'] }); await next(); }); // Hono
 * await handler(withClaims(new Request('http://localhost/'), { uid: '42', scopes: ['admin'] })); // fetch
 * ```
 *
 * @throws TypeError when the claims are outside the bounds of `ClaimsInit`; Error when `NODE_ENV` is `production`
 */
export function withClaims<T extends object>(requestOrContext: T, claims: ClaimsInit): T {
  refuseInProduction('withClaims');
  const injected = new Claims(claims);
  storeClaims(requestOrContext, injected);
  if (isHonoContext(requestOrContext)) requestOrContext.set('claims', injected);
  return requestOrContext;
}

/**
 * FOR TESTS ONLY: an instance that authenticates every request as the given user, without a token.
 *
 * It is the given instance in every other respect: it still refuses what other sites' pages send. An application that takes its instance as an argument is tested
 * whole, guards and scopes included:
 *
 * ```ts
 * const app = createApp({ auth: authenticateAs(auth, { uid: '42', scopes: ['admin'] }) });
 * ```
 *
 * @throws TypeError when the claims are outside the bounds of `ClaimsInit`; Error when `NODE_ENV` is `production`
 */
export function authenticateAs<A extends Authenticator>(auth: A, claims: ClaimsInit): A {
  refuseInProduction('authenticateAs');
  const injected = new Claims(claims);
  return Object.freeze({
    ...auth,
    async authenticate(request) {
      auth.assertSameOrigin(request);
      return injected;
    },
  } satisfies Partial<Authenticator> & A);
}

function refuseInProduction(name: string): void {
  if (process.env.NODE_ENV === 'production') {
    throw new Error(`${name} authenticates without a token: it is for tests, and NODE_ENV is production`);
  }
}

/** The one of the four that keeps variables. */
function isHonoContext(target: object): target is { set(name: string, value: unknown): void } {
  return 'req' in target && 'set' in target && typeof target.set === 'function';
}

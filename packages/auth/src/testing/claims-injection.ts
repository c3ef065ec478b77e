import { Claims, type ClaimsInit } from '../claims.ts';
import { systemClock } from '../clock.ts';
import type { Authenticator } from '../http/authenticator.ts';
import { storeClaims } from '../http/request-claims.ts';

/**
 * FOR TESTS ONLY: authenticates a request without a token.
 *
 * Stores claims on a request in place of a guard: `claimsOf` returns them, `requireScope` judges
 * them, and `requireRecentLogin` judges their `authTime` by the system's clock. It takes an Express
 * request, a Fastify request, a Hono context (whose `c.get('claims')` it sets as well) or a Web
 * `Request`, and returns it. A guard that runs afterwards asks for its own credential, and replaces
 * the claims or refuses the request: injected claims open no guard. To test with guards, see
 * {@link authenticateAs}.
 *
 * ```ts
 * app.use((request, _response, next) => { withClaims(request, { uid: '42', scopes: ['admin'] }); next(); }); // Express
 * app.addHook('onRequest', async (request) => { withClaims(request, { uid: '42', scopes: ['admin'] }); }); // Fastify
 * app.use(async (c, next) => { withClaims(c, { uid: '42', scopes: ['admin'] }); await next(); }); // Hono
 * await handler(withClaims(new Request('http://localhost/'), { uid: '42', scopes: ['admin'] })); // fetch
 * ```
 *
 * It works if `NODE_ENV` is `test`, as Jest sets it, and under Vitest and `node --test`.
 *
 * @throws TypeError when the claims are outside the bounds of `ClaimsInit`; Error outside of tests,
 *   and always if `NODE_ENV` is `production`
 */
export function withClaims<T extends object>(requestOrContext: T, claims: ClaimsInit): T {
  testsOnly('withClaims')();
  const injected = new Claims(claims);
  storeClaims(requestOrContext, injected, systemClock);
  if (isHonoContext(requestOrContext)) requestOrContext.set('claims', injected);
  return requestOrContext;
}

/**
 * FOR TESTS ONLY: an instance that authenticates every request as the given user, without a token.
 *
 * In every other respect it is the given instance, and it still refuses requests from pages of
 * other sites. An application that takes its instance as an argument is tested as a whole, with its
 * guards and scopes:
 *
 * ```ts
 * const app = createApp({ auth: authenticateAs(auth, { uid: '42', scopes: ['admin'] }) });
 * ```
 *
 * It works where {@link withClaims} does. Every request checks again: in a process that turns out
 * to be in production, an instance that was made earlier authenticates nobody.
 *
 * @throws TypeError when the claims are outside the bounds of `ClaimsInit`; Error outside of tests,
 *   and always if `NODE_ENV` is `production`, by `authenticate` too
 */
export function authenticateAs<A extends Authenticator>(auth: A, claims: ClaimsInit): A {
  const refuseOutsideTests = testsOnly('authenticateAs');
  refuseOutsideTests();
  const injected = new Claims({ audience: auth.options.audience, ...claims });
  return Object.freeze({
    ...auth,
    async authenticate(request) {
      refuseOutsideTests();
      auth.assertSameOrigin(request);
      return injected;
    },
  } satisfies Partial<Authenticator> & A);
}

/** Of the four, only a Hono context keeps variables. */
function isHonoContext(target: object): target is { set(name: string, value: unknown): void } {
  return 'req' in target && 'set' in target && typeof target.set === 'function';
}

/**
 * Returns a check that this process runs tests, for every time that claims are injected. It reads
 * the environment each time, so that it also refuses in a process that turns out to be in
 * production.
 *
 * @param name the public function, as the messages name it
 * @returns the check, which throws an Error outside of tests
 */
function testsOnly(name: string): () => void {
  const purpose = `${name} authenticates without a token: it is for tests`;
  return () => {
    if (process.env.NODE_ENV === 'production') throw new Error(`${purpose}, and NODE_ENV is production`);
    if (!isTestRunner()) throw new Error(`${purpose}, and no test runner is found: set NODE_ENV=test`);
  };
}

function isTestRunner(): boolean {
  const { env, execArgv } = process;
  // Jest sets NODE_ENV unless the host has. JEST_WORKER_ID proves nothing: jest-worker, which
  // builds use, sets it too.
  if (env.NODE_ENV === 'test' || env.VITEST === 'true') return true;
  // `node --test` sets the variable in its processes; with `--test-isolation=none`, the flag is on
  // the process itself.
  return Boolean(env.NODE_TEST_CONTEXT) || execArgv.includes('--test');
}

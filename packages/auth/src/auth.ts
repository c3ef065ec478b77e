import { type AuthOptions, type ResolvedAuthOptions, resolveAuthOptions } from './auth-options.ts';
import type { Claims } from './claims.ts';
import { unixSeconds } from './clock.ts';
import { isAuthError } from './errors.ts';
import { createNotifier } from './hooks/notifier.ts';
import { type AuthParts, withParts } from './http/auth-parts.ts';
import type { AuthRequest } from './http/auth-request.ts';
import { type PresentedToken, readCandidates, validateCandidates } from './http/authenticate.ts';
import { readBearerToken } from './http/bearer-token.ts';
import { assertSameOrigin } from './http/cross-site.ts';
import { createRefusals } from './http/refusals.ts';
import { createTokenCookies, type TokenCookies } from './http/token-cookies.ts';
import { createAccessTokens, type IssueAccessTokenOptions } from './tokens/access-token.ts';
import { createKeyRing, type KeyRing } from './tokens/key-ring.ts';
import { createKeyedHash } from './tokens/keyed-hash.ts';
import { createRevocations, type Revocations } from './tokens/revocations.ts';
import { createSuccessorTokens } from './tokens/successor-tokens.ts';
import { MAX_TOKEN_LENGTH } from './tokens/token-text.ts';

/** Counters of one instance since it was created. */
export type AuthStats = {
  /** Access tokens issued. */
  readonly issued: number;
  /** Validations that gave claims. */
  readonly accepted: number;
  /** Validations that failed: expired, malformed, badly signed, for another instance. */
  readonly rejected: number;
};

/**
 * One authentication instance: its keys, its cookies, its counters.
 *
 * An application usually has two, for administrators and for users, which may share a signing key:
 * a token is bound to the instance that issued it. All methods are safe to call concurrently.
 *
 * @typeParam Scope the scopes that the application knows; a misspelt one is then a compile error
 */
export interface Auth<Scope extends string = string> extends TokenCookies {
  /** The options that others need to know, with every default filled in; frozen. */
  readonly options: ResolvedAuthOptions;

  /**
   * The revocations that this instance knows of. Every validation checks them, without a database.
   */
  readonly revocations: Revocations;

  /**
   * Issues a signed access token for the user.
   *
   * @param uid 1–128 characters
   * @param scopes at most 64 of 1–64 characters each
   * @throws TypeError when an argument is out of bounds. AuthError `token_too_large` when there are
   *   more scopes, or the token would be longer than its cookie has room for: 4,096 characters less
   *   those of the cookie's name
   */
  issueAccessToken(uid: string, scopes: readonly Scope[], options?: IssueAccessTokenOptions): Promise<string>;

  /**
   * Validates an access token and returns its claims, without a database or the network. A token
   * that {@link Auth.revocations} revokes is invalid, with the reason `revoked`.
   *
   * @throws ErrInvalidToken, ErrTokenExpired
   */
  validateAccessToken(token: string): Promise<Claims<Scope>>;

  /**
   * Authenticates a request by its access token cookie.
   *
   * All cookies of the name are read, because a nested path may add more. The cookie that is valid
   * for this instance counts. More than four cookies, or two different valid ones, are refused. An
   * unsafe request from another site's page is refused before its token is validated. Each request
   * counts once in {@link Auth.stats}, no matter how many cookies it has.
   *
   * @throws ErrNoToken, ErrInvalidToken, ErrTokenExpired, AuthError `cross_site`; any other error
   *   is a failure of the host (its clock), or a TypeError for what is no request, and must not let
   *   the request in
   */
  authenticate(request: AuthRequest): Promise<Claims<Scope>>;

  /**
   * Refuses an unsafe request from another site's page. Use it for a log-in, which has no token
   * yet.
   *
   * A request with a bearer credential passes, because a page cannot add one unless the host's CORS
   * rules allow it. {@link Auth.authenticate}, which trusts the cookie, makes no such exception.
   *
   * @throws AuthError `cross_site`
   */
  assertSameOrigin(request: AuthRequest): void;

  /** Returns a snapshot of the counters. */
  stats(): AuthStats;

  /**
   * Resolves when `onTokenRefused` has been called with every event and has settled, or used up its
   * time. Never rejects. Await it before the process ends, once no more requests are served.
   */
  idle(): Promise<void>;
}

/** The scopes that an instance knows: `ScopeOf<typeof auth>`. */
export type ScopeOf<A> = A extends Auth<infer Scope> ? Scope : never;

/**
 * Creates an authentication instance.
 *
 * ```ts
 * const auth = createAuth({ signingKey: process.env.AUTH_KEY, scopes: ['admin', 'admin:webhooks'] });
 * const token = await auth.issueAccessToken('42', ['admin']);
 * response.setHeader('set-cookie', auth.accessTokenCookie(token));
 * ```
 *
 * @typeParam Scope the scopes that the application knows: read off the option `scopes`, or given as
 *   `createAuth<'admin' | 'admin:webhooks'>(…)`; any text without either
 * @throws TypeError naming the first option that is unknown or out of bounds; never a key's value
 */
export function createAuth<Scope extends string = string>(authOptions: AuthOptions<Scope>): Auth<Scope> {
  const { trustedOrigins, dangerouslyAllowCrossSiteRequests, onTokenRefused, ...shown } =
    resolveAuthOptions(authOptions);
  const options = Object.freeze<ResolvedAuthOptions>(shown);
  const { audience, logger } = options;
  const shared = {
    ttlSeconds: options.accessTokenTtlSeconds,
    clockToleranceSeconds: options.clockToleranceSeconds,
    clock: options.clock,
    logger,
  };
  const revocations = createRevocations(shared);
  const keyRing = createKeyRing(authOptions);
  const maxLength = MAX_TOKEN_LENGTH - options.accessTokenCookie.name.length;
  const tokens = createAccessTokens({ ...shared, keyRing, audience, revocations, maxLength });
  const counters = { issued: 0, accepted: 0, rejected: 0 };
  const notifier = createNotifier(logger);
  const refusals = createRefusals({
    logger,
    audience,
    tellTokenRefused: notifier.hook('onTokenRefused', onTokenRefused),
    now: () => unixSeconds(options.clock),
  });

  /** Awaits only a promise: a token of our own is validated without a tick of the event loop. */
  async function counted(
    validate: () => Claims | Promise<Claims>,
    presented: PresentedToken,
  ): Promise<Claims> {
    try {
      const validation = validate();
      const claims = validation instanceof Promise ? await validation : validation;
      counters.accepted += 1;
      return claims;
    } catch (error) {
      // A clock that fails does not make the token a rejected one.
      if (isAuthError(error)) counters.rejected += 1;
      refusals.tokenRefused({ kind: 'access_token', error, ...presented });
      throw error;
    }
  }

  function refuseCrossSite(request: AuthRequest): void {
    if (!dangerouslyAllowCrossSiteRequests) assertSameOrigin(request, trustedOrigins);
  }

  function refuseCrossSiteToken(request: AuthRequest): void {
    try {
      refuseCrossSite(request);
    } catch (error) {
      refusals.tokenRefused({ kind: 'access_token', error, request });
      throw error;
    }
  }

  const auth: Auth<Scope> = {
    options,
    revocations,
    ...createTokenCookies(options),

    async issueAccessToken(uid, scopes, issueOptions) {
      const token = tokens.issue(uid, scopes, issueOptions);
      counters.issued += 1;
      return token;
    },

    validateAccessToken: (token) => counted(() => tokens.validate(token), { token }),

    async authenticate(request) {
      const candidates = readCandidates(request, options.accessTokenCookie.name);
      refuseCrossSiteToken(request);
      const presented: PresentedToken = { request };
      return await counted(() => validateCandidates(tokens, candidates, presented), presented);
    },

    assertSameOrigin(request) {
      if (readBearerToken(request) === undefined) refuseCrossSite(request);
    },

    stats: () => ({ ...counters }),
    idle: () => notifier.idle(),
  };
  return Object.freeze(withParts(auth, { ...keyedParts(keyRing), refusals, refuseCrossSite }));
}

/** What is derived from the signing keys, for sessions. */
function keyedParts(keyRing: KeyRing): Pick<AuthParts, 'successorTokens' | 'keyedHash'> {
  return {
    successorTokens: createSuccessorTokens(keyRing),
    keyedHash: (label) => createKeyedHash(keyRing, label),
  };
}

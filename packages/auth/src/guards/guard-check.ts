import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import type { ApiKeyValidator } from '../api-keys/api-key-validator.ts';
import type { Claims } from '../claims.ts';
import { systemClock, unixSeconds } from '../clock.ts';
import { isAuthError } from '../errors.ts';
import { partsOf } from '../http/auth-parts.ts';
import type { AuthRequest } from '../http/auth-request.ts';
import { authenticateAuthOrApiKey, requireValidator, validateApiKey } from '../http/authenticate-api-key.ts';
import { type Authenticator, requireInstance } from '../http/authenticator.ts';
import { logFailure } from '../http/failure-log.ts';
import { type Problem, problemFor } from '../http/problem.ts';
import { assertRecentLoginBy, recentLoginSeconds } from '../http/recent-login.ts';
import { logRefusedRequest } from '../http/refusal-log.ts';
import { createRefusals } from '../http/refusals.ts';
import { assertScope, authenticationOf, shareClaims, storeClaims } from '../http/request-claims.ts';
import { defaultLogger, type Logger, resolveLogger } from '../logging/logger.ts';

/**
 * Decides on one request, whatever the framework. It resolves to nothing if the request may pass,
 * or to the problem to refuse it with. It never rejects, because an adapter that does not handle a
 * rejection must not let a request through.
 *
 * @param carrier the framework's own request or context, which holds the claims
 * @param shared the request of a field, which its siblings have as well
 */
export type GuardCheck = (...args: Parameters<Assertion>) => Promise<Problem | undefined>;

type Assertion = (request: AuthRequest, carrier: object, shared?: object) => unknown;

/** Options of `requireApiKey`. */
export interface ApiKeyGuardOptions {
  /** The instance that reports refused keys: `onTokenRefused`. Its clock is used. Default none. */
  readonly auth?: Authenticator | undefined;
  /** Default: that of `auth`, or errors go to `console`. */
  readonly logger?: Logger | undefined;
}

const API_KEY_GUARD_OPTIONS: ReadonlySet<string> = new Set<keyof ApiKeyGuardOptions>(['auth', 'logger']);

/** Checks the access token cookie. */
export function checkAuth(auth: Authenticator): GuardCheck {
  return credentialCheck(requireInstance(auth), (request) => auth.authenticate(request));
}

/** Checks the API key in the Authorization header. */
export function checkApiKey(validator: ApiKeyValidator, options: ApiKeyGuardOptions): GuardCheck {
  refuseUnknownOptions('requireApiKey', options, API_KEY_GUARD_OPTIONS);
  const instance = options.auth && requireInstance(options.auth);
  requireValidator(validator, instance?.audience);
  const clock = instance?.clock ?? systemClock;
  const logger = resolveLogger(options.logger ?? instance?.logger ?? defaultLogger);
  const refusals =
    partsOf(options.auth)?.refusals ??
    createRefusals({ logger, audience: false, tellTokenRefused: undefined, now: () => unixSeconds(clock) });
  return credentialCheck({ clock, logger }, (request) =>
    validateApiKey(request, validator, { clock, refusals, audience: instance?.audience }),
  );
}

/** Checks the cookie, then the API key. */
export function checkAuthOrApiKey(auth: Authenticator, validator: ApiKeyValidator): GuardCheck {
  const instance = requireInstance(auth);
  requireValidator(validator, instance.audience);
  return credentialCheck(instance, (request) => authenticateAuthOrApiKey(request, auth, validator));
}

/**
 * Checks that the claims of an earlier guard have the scope, and are those of the instance. Without
 * such a guard, no request passes. The logger is that of the instance, or else of the earlier
 * guard.
 */
export function checkScope(scope: string, auth?: Pick<Authenticator, 'options'>): GuardCheck {
  return check(auth?.options.logger, (_request, carrier) =>
    assertScope(carrier, scope, auth?.options.audience),
  );
}

/**
 * Checks that the user of an earlier guard's claims logged in within the last `seconds`. Without
 * such a guard, no request passes. The clock is that of the instance which authenticated the
 * request.
 */
export function checkRecentLogin(seconds: number): GuardCheck {
  const maxAgeSeconds = recentLoginSeconds(seconds);
  return check(undefined, (_request, carrier) => {
    const { claims, clock } = authenticationOf(carrier);
    assertRecentLoginBy(clock, claims, maxAgeSeconds);
  });
}

/** Checks that no page of another site sent the request, for a route without authentication. */
export function checkSameOrigin(auth: Authenticator): GuardCheck {
  const { logger } = requireInstance(auth);
  return check(logger, (request) => auth.assertSameOrigin(request));
}

/** The loggers of the guards that let a request through, where they take debug lines. */
const loggers = new WeakMap<object, Logger>();

function credentialCheck(
  { clock, logger }: Authenticator['options'],
  authenticate: (request: AuthRequest) => Promise<Claims>,
): GuardCheck {
  return check(logger, async (request, carrier, shared) => {
    const claims = await authenticate(request);
    storeClaims(carrier, claims, clock);
    if (logger.debug !== undefined) loggers.set(carrier, logger);
    const ambiguous = shared && shareClaims(shared, { claims, clock }, carrier);
    if (ambiguous) logRefusedRequest(logger, ambiguous, request);
  });
}

function check(logger: Logger | undefined, assertion: Assertion): GuardCheck {
  return async (request, carrier, shared) => {
    try {
      await assertion(request, carrier, shared);
      return undefined;
    } catch (error) {
      const problem = problemFor(error);
      if (problem.status === 503) logFailure(logger, error);
      else if (isAuthError(error)) logRefusedRequest(logger ?? loggers.get(carrier), error, request);
      return problem;
    }
  };
}

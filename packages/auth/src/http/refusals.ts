import { isAuthError } from '../errors.ts';
import type { TellHook } from '../hooks/notifier.ts';
import type { Logger } from '../logging/logger.ts';
import { logSafeText } from '../text/log-safe-text.ts';
import type { AuthRequest } from './auth-request.ts';
import { logRefusedToken } from './refusal-log.ts';
import { requestFacts } from './request-facts.ts';
import { presentedFacts, type TokenRefusedEvent, tokenRefusalReason } from './token-refusal.ts';

const MAX_IP_LENGTH = 64;
const MAX_USER_AGENT_LENGTH = 256;

/** A token that was refused, with the error and where it came from. */
export interface TokenRefusal {
  readonly kind: TokenRefusedEvent['kind'];
  readonly error: unknown;
  /** Only read for what it says of itself; neither kept nor told. */
  readonly token?: string | undefined;
  readonly request?: AuthRequest | undefined;
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
}

/** Tells the host of the tokens that an instance refuses. */
export interface Refusals {
  /**
   * Tells `onTokenRefused`, and writes a debug line. Errors that do not refuse a token are ignored.
   * Never throws, never waits.
   */
  tokenRefused(refusal: TokenRefusal): void;
}

export interface RefusalsConfig {
  readonly logger: Logger;
  readonly audience: string | false;
  readonly tellTokenRefused: TellHook<TokenRefusedEvent> | undefined;
  /** Returns the time in Unix seconds. */
  now(): number;
}

export function createRefusals({ logger, audience, tellTokenRefused, now }: RefusalsConfig): Refusals {
  function describe({ kind, error, token, request, ip, userAgent }: TokenRefusal): void {
    const reason = tokenRefusalReason(error);
    if (reason === undefined || !isAuthError(error)) return;
    const event: TokenRefusedEvent = {
      kind,
      code: error.code,
      reason,
      audience,
      presented: presentedFacts(kind, token, reason),
      ...requestFacts(request),
      ip: ip === undefined ? undefined : logSafeText(ip, MAX_IP_LENGTH),
      userAgent: userAgent === undefined ? undefined : logSafeText(userAgent, MAX_USER_AGENT_LENGTH),
      refusedAt: now(),
    };
    logRefusedToken(logger, error, event, request);
    tellTokenRefused?.([event]);
  }

  return {
    tokenRefused(refusal) {
      if (tellTokenRefused === undefined && logger.debug === undefined) return;
      try {
        describe(refusal);
      } catch (err) {
        // A clock that fails just now must not turn a refusal into another answer.
        logger.error({ err }, 'A refused token could not be reported');
      }
    },
  };
}

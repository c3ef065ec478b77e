import { Claims, isScopeList, isSessionId, isUid, isUnixTime } from '../claims.ts';
import { ErrInvalidToken, ErrTokenExpired } from '../errors.ts';
import type { JsonObject } from './json-object.ts';
import type { VerifiedToken } from './verified-token-cache.ts';

/** How far an issuer's clock may run ahead of ours, for `iat` and `auth_time` alike. */
export const MAX_ISSUED_AHEAD_SECONDS = 60;

export interface ClaimRules {
  /** The `aud` that a token must carry, or `false` to accept any. */
  readonly audience: string | false;
  /** The longest `exp - iat`: what a stolen signing key, or a careless issuer, can mint at most. */
  readonly ttlSeconds: number;
  readonly clockToleranceSeconds: number;
}

/**
 * Turns the payload of a token whose signature is verified into claims and the times between which
 * they hold.
 *
 * Expiry is judged once shape and audience are known to be right, so that "expired" always means
 * "refresh it".
 *
 * @param now Unix seconds
 * @throws ErrInvalidToken, ErrTokenExpired
 */
export function readTokenClaims(payload: JsonObject, rules: ClaimRules, now: number): VerifiedToken {
  // Own members, by constant names: `member` takes any name, which makes this function 170 ns
  // instead of 130 (Node 20).
  const uid = Object.hasOwn(payload, 'uid') ? payload.uid : undefined;
  const scopes = Object.hasOwn(payload, 'scopes') ? payload.scopes : undefined;
  const issuedAt = Object.hasOwn(payload, 'iat') ? payload.iat : undefined;
  const expiresAt = Object.hasOwn(payload, 'exp') ? payload.exp : undefined;
  const notBefore = Object.hasOwn(payload, 'nbf') ? payload.nbf : undefined;
  const authTime = Object.hasOwn(payload, 'auth_time') ? payload.auth_time : undefined;
  const sessionId = Object.hasOwn(payload, 'sid') ? payload.sid : undefined;
  if (!isUid(uid)) throw invalidClaim('uid');
  if (!isScopeList(scopes)) throw invalidClaim('scopes');
  if (!isUnixTime(issuedAt)) throw invalidClaim('iat');
  if (!isUnixTime(expiresAt)) throw invalidClaim('exp');
  if (notBefore !== undefined && !isUnixTime(notBefore)) throw invalidClaim('nbf');
  if (authTime !== undefined && !isUnixTime(authTime)) throw invalidClaim('auth_time');
  if (sessionId !== undefined && !isSessionId(sessionId)) throw invalidClaim('sid');
  if (!isForAudience(Object.hasOwn(payload, 'aud') ? payload.aud : undefined, rules.audience)) {
    throw new ErrInvalidToken('The token is meant for another audience', 'audience');
  }

  const tolerance = rules.clockToleranceSeconds;
  const validUntil = expiresAt + tolerance;
  const latestTime = Math.max(issuedAt, authTime ?? 0);
  const validFrom = Math.max(latestTime - MAX_ISSUED_AHEAD_SECONDS, (notBefore ?? 0) - tolerance);
  if (now >= validUntil) throw new ErrTokenExpired();
  if (now < validFrom) throw new ErrInvalidToken('The token is not valid yet', 'time');
  if (expiresAt - issuedAt > rules.ttlSeconds) {
    throw new ErrInvalidToken('The token lives longer than this instance allows', 'time');
  }
  if (!isPlausibleAuthTime(authTime, issuedAt, tolerance)) {
    throw new ErrInvalidToken('The log-in is later than its token', 'time');
  }
  const claims = new Claims({
    uid,
    scopes,
    issuedAt,
    expiresAt,
    authTime,
    sessionId,
    audience: rules.audience,
  });
  return { claims, validFrom, validUntil };
}

/** Tells whether a log-in came before its token, as far as two clocks can tell. */
export function isPlausibleAuthTime(
  authTime: number | undefined,
  issuedAt: number,
  toleranceSeconds: number,
): boolean {
  return authTime === undefined || authTime <= issuedAt + toleranceSeconds;
}

function isForAudience(aud: unknown, expected: string | false): boolean {
  if (expected !== false) return aud === expected;
  return (
    aud === undefined ||
    typeof aud === 'string' ||
    (Array.isArray(aud) && aud.every((item) => typeof item === 'string'))
  );
}

function invalidClaim(name: string): ErrInvalidToken {
  return new ErrInvalidToken(`The claim ${name} is missing or of a wrong shape`, 'claims');
}

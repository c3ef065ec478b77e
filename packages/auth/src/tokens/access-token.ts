import { integerOption, refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { Claims, isUid, MAX_SCOPES } from '../claims.ts';
import { type Clock, unixSeconds } from '../clock.ts';
import { AuthError, ErrInvalidToken } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import { type ClaimRules, isPlausibleAuthTime, readTokenClaims } from './access-token-claims.ts';
import { ALGORITHM, readTokenHeader, TOKEN_TYPE } from './access-token-header.ts';
import { parseJsonObject } from './json-object.ts';
import type { KeyRing, RingKey } from './key-ring.ts';
import type { Revocations } from './revocations.ts';
import { findSigner, verifyWithJose } from './token-signature.ts';
import { isCanonicalToken, SIGNATURE_LENGTH } from './token-text.ts';
import { createVerifiedTokenCache } from './verified-token-cache.ts';

/** Estimated on the high side: less than 1 KiB for the usual token. */
const CACHE_BYTES = 16 * 2 ** 20;

export interface AccessTokenConfig extends ClaimRules {
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly revocations: Pick<Revocations, 'isRevoked'>;
  readonly logger: Logger;
  /** Of an issued token, in characters: what its cookie has room for. */
  readonly maxLength: number;
}

export interface IssueAccessTokenOptions {
  /** Written as `sid`: the session that the token belongs to. */
  readonly sessionId?: string;
  /**
   * Written as `auth_time`: when the user logged in, in Unix seconds, at most
   * `clockToleranceSeconds` ahead of now. `requireRecentLogin` reads it. Default: none, and
   * `requireRecentLogin` then refuses the token.
   */
  readonly authTime?: number;
  /**
   * A shorter life for this one token, in seconds: 1 up to the instance's `accessTokenTtlSeconds`.
   */
  readonly ttlSeconds?: number;
}

const ISSUE_OPTIONS: ReadonlySet<string> = new Set<keyof IssueAccessTokenOptions>([
  'sessionId',
  'authTime',
  'ttlSeconds',
]);

/** Issues and validates the signed access tokens of one instance. */
export interface AccessTokens {
  issue(uid: string, scopes: readonly string[], options?: IssueAccessTokenOptions): string;

  /**
   * Gives a promise for a token that only the general path understands; for our own tokens the
   * answer is at hand.
   */
  validate(token: unknown): Claims | Promise<Claims>;
}

export function createAccessTokens(config: AccessTokenConfig): AccessTokens {
  const { keyRing, clock, revocations } = config;
  const headerOfIssued = ownHeader(keyRing.signingKey.kid);
  const knownHeaders = ownHeaders(keyRing);
  const cache = createVerifiedTokenCache({
    maxBytes: CACHE_BYTES,
    ttlSeconds: config.ttlSeconds + config.clockToleranceSeconds,
  });

  /** Judges the payload of a token whose signature is verified: nothing looks at it before. */
  function readVerified(token: string, payloadBytes: Uint8Array, now: number): Claims {
    const payload = parseJsonObject(payloadBytes);
    if (payload === undefined) throw new ErrInvalidToken('The token has no JSON payload', 'claims');
    const verified = readTokenClaims(payload, config, now);
    cache.remember(token, verified, now);
    return unlessRevoked(verified.claims);
  }

  function unlessRevoked(claims: Claims): Claims {
    if (revocations.isRevoked(claims)) throw new ErrInvalidToken('The token is revoked', 'revoked');
    return claims;
  }

  async function validateWithJose(token: string): Promise<Claims> {
    const { kid } = readTokenHeader(token, config.audience === false);
    const keys = keyRing.verificationKeys(kid);
    if (keys.length === 0) throw new ErrInvalidToken('The token names an unknown key', 'key');
    return readVerified(token, await verifyWithJose(findSigner(keys, token), token), unixSeconds(clock));
  }

  return {
    issue(uid, scopes, options = {}) {
      refuseUnknownOptions('issueAccessToken', options, ISSUE_OPTIONS);
      const ttl = options.ttlSeconds ?? config.ttlSeconds;
      integerOption('ttlSeconds', ttl, { min: 1, max: config.ttlSeconds });
      const issuedAt = unixSeconds(clock);
      const { sessionId, authTime } = options;
      if (isUid(uid) && Array.isArray(scopes) && scopes.length > MAX_SCOPES) {
        throw tooLarge(config, { uid, scopes: scopes.length });
      }
      // What could not be validated is not issued: the constructor of Claims holds the same bounds.
      const claims = new Claims({ uid, scopes, issuedAt, expiresAt: issuedAt + ttl, authTime, sessionId });
      if (!isPlausibleAuthTime(authTime, issuedAt, config.clockToleranceSeconds)) {
        throw new TypeError(`authTime must be a time that has passed, got ${authTime} at ${issuedAt}`);
      }
      const signed = `${headerOfIssued}.${payloadSegment(claims, config.audience)}`;
      const length = signed.length + 1 + SIGNATURE_LENGTH;
      if (length > config.maxLength) throw tooLarge(config, { uid, length });
      return `${signed}.${keyRing.signingKey.sign(signed)}`;
    },

    validate(token) {
      const now = unixSeconds(clock);
      const known = typeof token === 'string' ? cache.find(token, now) : undefined;
      if (known !== undefined) return unlessRevoked(known.claims);
      if (!isCanonicalToken(token)) {
        throw new ErrInvalidToken('The token is not in canonical form', 'malformed');
      }
      const header = findOwnHeader(knownHeaders, token);
      if (header === undefined) return validateWithJose(token);
      findSigner(header.keys, token);
      const payload = token.slice(header.prefix.length, token.lastIndexOf('.'));
      return readVerified(token, Buffer.from(payload, 'base64url'), now);
    },
  };
}

/** Scopes grow while the application runs: no mistake in a call, and no outage. */
function tooLarge({ logger, maxLength }: AccessTokenConfig, found: object): AuthError {
  const limits = { maxLength, maxScopes: MAX_SCOPES };
  logger.error({ ...found, ...limits }, 'An access token would be too large: grant fewer or shorter scopes');
  return new AuthError('token_too_large', 'The scopes of the user do not fit into an access token');
}

function payloadSegment(claims: Claims, audience: string | false): string {
  const payload = {
    uid: claims.uid,
    scopes: claims.scopes,
    iat: claims.issuedAt,
    exp: claims.expiresAt,
    ...(audience === false ? {} : { aud: audience }),
    ...(claims.authTime === undefined ? {} : { auth_time: claims.authTime }),
    ...(claims.sessionId === undefined ? {} : { sid: claims.sessionId }),
  };
  return Buffer.from(JSON.stringify(payload), 'utf8').toString('base64url');
}

/** The header of the tokens that one key signs, as the first segment of a token. */
function ownHeader(kid: string | undefined): string {
  const header = { alg: ALGORITHM, typ: TOKEN_TYPE, ...(kid === undefined ? {} : { kid }) };
  return Buffer.from(JSON.stringify(header), 'utf8').toString('base64url');
}

/** A header text whose meaning is known without reading it, and the keys it stands for. */
interface OwnHeader {
  /** The first segment of a token with its dot. */
  readonly prefix: string;
  readonly keys: readonly RingKey[];
}

/**
 * Gives the headers that this ring signs with, and that of a ring with a single key, which has no
 * `kid`: a host that has just gone over to rotation still sees its tokens. At most one more than
 * there are keys.
 */
function ownHeaders(keyRing: KeyRing): readonly OwnHeader[] {
  const kids = new Set([...keyRing.verificationKeys(undefined).map((key) => key.kid), undefined]);
  return [...kids].map((kid) => ({ prefix: `${ownHeader(kid)}.`, keys: keyRing.verificationKeys(kid) }));
}

/** Gives the header that a canonical token begins with, if it is one of ours. */
function findOwnHeader(headers: readonly OwnHeader[], token: string): OwnHeader | undefined {
  for (const header of headers) if (token.startsWith(header.prefix)) return header;
  return undefined;
}

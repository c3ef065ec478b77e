import { parseApiKey } from '../api-keys/api-key.ts';
import type { AuthErrorCode } from '../error-codes.ts';
import { isAuthError, type TokenRefusalReason } from '../errors.ts';
import { logSafeText } from '../text/log-safe-text.ts';
import { member, parseJsonObject } from '../tokens/json-object.ts';
import { isCanonicalToken } from '../tokens/token-text.ts';
import type { RequestFacts } from './request-facts.ts';

/** The longest `kid` or `aud` that is told. */
const MAX_FACT_LENGTH = 256;

/** A token that was presented and refused. */
export interface TokenRefusedEvent extends RequestFacts {
  readonly kind: 'access_token' | 'refresh_token' | 'api_key';
  /** The code of the error. */
  readonly code: AuthErrorCode;
  /** Why, in more detail than the client gets. */
  readonly reason: TokenRefusalReason;
  /** The `audience` of the instance: what an access token has to carry. `false`: any. */
  readonly audience: string | false;
  /** What the token says of itself, as far as it can be read. Never the token. */
  readonly presented: PresentedFacts;
  /** The client of a status poll, as the session lists it; '' or `undefined`: not known. */
  readonly ip: string | undefined;
  readonly userAgent: string | undefined;
  /** Unix seconds. */
  readonly refusedAt: number;
}

/** Each text has at most 256 characters; control characters are replaced. */
export interface PresentedFacts {
  /**
   * Whether a key of this instance signed the token. If not, anyone may have written `kid` and
   * `audience`: never decide by them.
   */
  readonly isVerified: boolean;
  /** The `kid` of an access token. */
  readonly kid?: string | undefined;
  /** The `aud` of an access token; several are separated by a comma. */
  readonly audience?: string | undefined;
  /** The prefix and the first 8 random characters of an API key, as lists show it. */
  readonly displayPrefix?: string | undefined;
}

const NOTHING: PresentedFacts = Object.freeze({ isVerified: false });

/** The codes that say that a presented token was refused, and what they say of the reason. */
const REASONS: Partial<Readonly<Record<AuthErrorCode, TokenRefusalReason>>> = {
  token_invalid: 'unknown',
  token_expired: 'expired',
  session_expired: 'expired',
  session_revoked: 'revoked',
  refresh_again: 'rotated',
  cross_site: 'cross_site',
};

/** What the debug lines say, however the request was refused. */
export const CROSS_SITE_WORDS =
  'a page of another site sent the request; if you trust its origin, name it in the option trustedOrigins of createAuth';

/**
 * In plain words, for the debug line. The words are constant: those of an error may be the host's.
 */
const WORDS: Readonly<Record<TokenRefusalReason, string>> = {
  malformed: 'it does not have the form of one',
  header: 'its header is not { alg: "HS256", typ: "at+jwt" }, or has a parameter that is never accepted',
  key: 'its kid names none of the signing keys of this instance',
  signature: 'none of the signing keys of this instance has signed it',
  claims: 'a claim is missing or has a wrong shape',
  audience: 'it is meant for another audience',
  time: 'it is not valid yet, or lives longer than accessTokenTtlSeconds allows',
  revoked: 'it has been revoked, or its session has ended',
  ambiguous: 'two different valid ones came with one request',
  too_many: 'more than four came with one request',
  unknown: 'there is no such one',
  expired: 'it has expired',
  replaced: 'its session has ended, because its browser has logged in again',
  rotated: 'it was replaced two minutes ago or earlier; the answer has its successor',
  reused: 'it came back after its successor was in use, so its session has ended',
  cross_site: CROSS_SITE_WORDS,
};

/** Reasons that are found only after the signature has been verified. */
const AFTER_VERIFICATION: ReadonlySet<TokenRefusalReason> = new Set<TokenRefusalReason>([
  'claims',
  'audience',
  'time',
  'revoked',
  'expired',
]);
/** Reasons that are not about one token. */
const WITHOUT_ONE_TOKEN: ReadonlySet<TokenRefusalReason> = new Set<TokenRefusalReason>([
  'ambiguous',
  'too_many',
  'cross_site',
]);

/**
 * Returns why a presented token was refused, or `undefined` if the error does not say that one was:
 * a missing token, a failure of the host.
 */
export function tokenRefusalReason(error: unknown): TokenRefusalReason | undefined {
  if (!isAuthError(error) || !Object.hasOwn(REASONS, error.code)) return undefined;
  // An error of the host, or of another copy of the package, may have a reason of its own.
  const { reason } = error;
  return reason !== undefined && Object.hasOwn(WORDS, reason) ? reason : REASONS[error.code];
}

/** Reads what a refused token says of itself; the longest that is read has 4,096 characters. */
export function presentedFacts(
  kind: TokenRefusedEvent['kind'],
  token: string | undefined,
  reason: TokenRefusalReason,
): PresentedFacts {
  if (token === undefined || WITHOUT_ONE_TOKEN.has(reason)) return NOTHING;
  if (kind === 'api_key') {
    const parsed = parseApiKey(token);
    return parsed?.isIntact ? { isVerified: false, displayPrefix: parsed.displayPrefix } : NOTHING;
  }
  if (kind === 'refresh_token' || !isCanonicalToken(token)) return NOTHING;
  const [header, payload] = token.split('.', 2).map(segmentMembers);
  return {
    isVerified: AFTER_VERIFICATION.has(reason),
    kid: factOf(header?.('kid')),
    audience: factOf(payload?.('aud')),
  };
}

/** Says in plain words why a token was refused: what was expected, and what came. */
export function refusalWords({ kind, reason, audience, presented }: TokenRefusedEvent): string {
  if (kind === 'access_token' && reason === 'audience') return audienceWords(audience, presented.audience);
  if (kind === 'access_token' && reason === 'key' && presented.kid !== undefined) {
    return `its kid ${JSON.stringify(presented.kid)} names none of the signing keys of this instance`;
  }
  return WORDS[reason];
}

function audienceWords(expected: string | false, presented: string | undefined): string {
  if (expected === false) return 'its audience (aud) is neither a text nor a list of texts';
  const came =
    presented === undefined
      ? 'it has no audience (aud)'
      : `it is meant for the audience (aud) ${JSON.stringify(presented)}`;
  return `${came}, and this instance accepts ${JSON.stringify(expected)} alone: see its options audience and cookiePath`;
}

function segmentMembers(segment: string): (name: string) => unknown {
  const object = parseJsonObject(Buffer.from(segment, 'base64url'));
  return (name) => (object === undefined ? undefined : member(object, name));
}

function factOf(value: unknown): string | undefined {
  const texts: unknown[] = Array.isArray(value) ? value.slice(0, MAX_FACT_LENGTH) : [value];
  const isTold = texts.length > 0 && texts.every((text) => typeof text === 'string');
  return isTold ? logSafeText(texts.join(', '), MAX_FACT_LENGTH) : undefined;
}

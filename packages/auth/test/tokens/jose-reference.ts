import { compactVerify } from 'jose';

/** What the reference says of a token: claims, or the code of the error. */
export type Verdict = 'token_invalid' | 'token_expired' | { readonly [claim: string]: unknown };

export interface ReferenceRules {
  /** Secrets by `kid`; one under `''` has none. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly audience: string;
  readonly ttlSeconds: number;
  readonly clockToleranceSeconds: number;
}

const FORBIDDEN = ['crit', 'jku', 'jwk', 'x5u', 'x5c'];
const END_OF_TIME = 253_402_300_799;
const UNFIT = /[\0\p{Surrogate}]/u;
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Judges a token at a time in Unix seconds. */
export type JudgeAt = (now: number) => Verdict;

/**
 * Validates an access token the long way: jose verifies, and the rules of the format are written
 * out once more, with nothing of the package. It is plain on purpose.
 */
export async function readWithJose(token: string, rules: ReferenceRules): Promise<JudgeAt> {
  const payload = await verifiedPayload(token, rules);
  const claims = payload && claimsIn(payload, rules);
  return (now) => (claims === undefined ? 'token_invalid' : judgeTimes(claims, rules, now));
}

async function verifiedPayload(token: string, rules: ReferenceRules): Promise<Uint8Array | undefined> {
  const segments = token.split('.');
  const isCanonical = segments.every(
    (text) => text !== '' && base64url(Buffer.from(text, 'base64url')) === text,
  );
  if (!isCanonical || segments.length !== 3 || segments[2]?.length !== 43 || token.length > 4096) {
    return undefined;
  }
  // jose skips a byte order mark in a header; RFC 8259 section 8.1 lets no sender write one.
  const header = Buffer.from(segments[0] ?? '', 'base64url').toString();
  if (header.startsWith('\ufeff')) return undefined;
  for (const [kid, secret] of rules.secrets) {
    try {
      const verified = await compactVerify(token, Buffer.from(secret), { algorithms: ['HS256'] });
      const header = new Map(Object.entries(verified.protectedHeader));
      if (`${header.get('typ')}`.toLowerCase() !== 'at+jwt' || typeof header.get('typ') !== 'string') break;
      if (FORBIDDEN.some((name) => header.has(name))) break;
      if (header.has('kid') && header.get('kid') !== kid) continue;
      if (header.has('kid') && kid === '') break;
      return verified.payload;
    } catch {
      // Another key may fit.
    }
  }
  return undefined;
}

/** The claims of a verified token whose shapes are right. */
interface ReferenceClaims {
  readonly uid: unknown;
  readonly scopes: unknown;
  readonly sid: unknown;
  readonly iat: number;
  readonly exp: number;
  readonly nbf: number;
  readonly authTime: number | undefined;
}

function claimsIn(bytes: Uint8Array, rules: ReferenceRules): ReferenceClaims | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const payload = new Map<string, unknown>(Object.entries(parsed));
  const { uid, scopes, sid } = Object.fromEntries(payload);
  const [iat, exp, nbf] = [payload.get('iat'), payload.get('exp'), payload.get('nbf') ?? 0];
  const authTime = payload.get('auth_time') ?? 0;
  const shapesFit =
    isText(uid, 128) &&
    VISIBLE.test(String(uid)) &&
    Array.isArray(scopes) &&
    scopes.length <= 64 &&
    scopes.every((scope) => isText(scope, 64)) &&
    (!payload.has('sid') || isText(sid, 128)) &&
    payload.get('nbf') !== null &&
    payload.get('auth_time') !== null &&
    payload.get('aud') === rules.audience;
  if (!shapesFit || !isTime(iat) || !isTime(exp) || !isTime(nbf) || !isTime(authTime)) return undefined;
  return { uid, scopes, sid, iat, exp, nbf, authTime: payload.has('auth_time') ? authTime : undefined };
}

function judgeTimes(claims: ReferenceClaims, rules: ReferenceRules, now: number): Verdict {
  const { uid, scopes, sid, iat, exp, nbf, authTime } = claims;
  if (exp + rules.clockToleranceSeconds <= now) return 'token_expired';
  if (iat - now > 60 || nbf - now > rules.clockToleranceSeconds || exp - iat > rules.ttlSeconds) {
    return 'token_invalid';
  }
  const loggedInAt = authTime ?? 0;
  if (loggedInAt - now > 60 || loggedInAt - iat > rules.clockToleranceSeconds) return 'token_invalid';
  return { uid, scopes, sessionId: sid, issuedAt: iat, expiresAt: exp, authTime };
}

function isText(value: unknown, maxLength: number): boolean {
  return typeof value === 'string' && value !== '' && value.length <= maxLength && !UNFIT.test(value);
}

function isTime(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= END_OF_TIME;
}

function base64url(bytes: Buffer): string {
  return bytes.toString('base64url');
}

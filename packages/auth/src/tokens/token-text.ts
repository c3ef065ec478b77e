/** The longest access token that is looked at: what a browser keeps in one cookie. */
export const MAX_TOKEN_LENGTH = 4096;

/** HMAC-SHA-256 gives 32 bytes, which are 43 base64url characters. */
export const SIGNATURE_LENGTH = 43;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Tells whether a value is the one spelling of a compact HS256 token that this package accepts.
 *
 * Decoders of base64url are lenient: padding, line breaks, `+` for `-` and unused low bits of the
 * last character give several texts for one token. A cache or a list of revoked tokens keyed by the
 * text needs exactly one, so everything else is refused before any cryptography: three segments of
 * unpadded base64url whose unused bits are zero (RFC 4648 section 3.5), the last of 43 characters,
 * at most {@link MAX_TOKEN_LENGTH} in all.
 */
export function isCanonicalToken(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_TOKEN_LENGTH || !COMPACT_FORM.test(value)) return false;
  const first = value.indexOf('.');
  const last = value.lastIndexOf('.');
  return (
    value.length - last - 1 === SIGNATURE_LENGTH &&
    hasCanonicalEnd(value, first, first) &&
    hasCanonicalEnd(value, last, last - first - 1) &&
    hasCanonicalEnd(value, value.length, SIGNATURE_LENGTH)
  );
}

/** Judges the segment of the given length that ends before `end`. */
function hasCanonicalEnd(token: string, end: number, length: number): boolean {
  const rest = length % 4;
  if (rest === 0) return true;
  if (rest === 1) return false;
  const unusedBits = rest === 2 ? 0b1111 : 0b11;
  return (ALPHABET.indexOf(token.charAt(end - 1)) & unusedBits) === 0;
}

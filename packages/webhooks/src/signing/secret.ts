/** The prefix of every signing secret. */
export const SECRET_PREFIX = 'whsec_';

const SECRET_BYTES = 24;

/** The bounds of Standard Webhooks, "Signature scheme", in bytes. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** Generates a signing secret: `whsec_` and the base64 of 24 random bytes. */
export function generateSecret(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return SECRET_PREFIX + btoa(String.fromCharCode(...bytes));
}

/**
 * The base64 length of the longest secret, longer than a signature's. The pattern below would
 * overflow the stack on megabytes.
 */
const MAX_BASE64_LENGTH = 88;

/**
 * Decodes the random bytes of a signing secret: the HMAC key of the Standard Webhooks headers.
 *
 * @throws TypeError unless the text is a `whsec_` secret of 24–64 bytes in canonical base64. The
 *   message never contains the text.
 */
export function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = typeof secret === 'string' && secret.startsWith(SECRET_PREFIX) ? secret.slice(6) : '';
  const bytes = decodeBase64(encoded);
  if (bytes === undefined || bytes.length < MIN_SECRET_BYTES || bytes.length > MAX_SECRET_BYTES) {
    throw new TypeError(
      `The secret must be the text ${SECRET_PREFIX}… that was shown when the webhook was created, unchanged`,
    );
  }
  return bytes;
}

/**
 * Decodes canonical base64 (padded, zero trailing bits, no white space) of at most 64 bytes.
 * Returns `undefined` for any other text.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > MAX_BASE64_LENGTH) return undefined;
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  const binary = atob(text);
  if (btoa(binary) !== text) return undefined;
  // By index: `Uint8Array.from` iterates over the text, which takes 3 µs for the secret of each
  // delivery.
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

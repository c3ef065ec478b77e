/** What every signing secret begins with. */
export const SECRET_PREFIX = 'whsec_';

const SECRET_BYTES = 24;

/** Standard Webhooks, "Signature scheme": a secret has between 24 and 64 bytes. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** Generates a signing secret: `whsec_` and the base64 of 24 random bytes. */
export function generateSecret(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return SECRET_PREFIX + btoa(String.fromCharCode(...bytes));
}

/** The base64 of the longest secret. A signature is shorter; the engine's pattern overflows its stack on megabytes. */
const MAX_BASE64_LENGTH = 88;

/**
 * The random bytes inside a signing secret: the HMAC key of the Standard Webhooks headers.
 *
 * @throws TypeError when the text is no `whsec_` secret of 24–64 bytes in canonical base64. The message never
 * repeats it.
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

/** Decodes canonical base64 (padded, zero trailing bits, no white space) of at most 64 bytes; `undefined` for any other text. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > MAX_BASE64_LENGTH) return undefined;
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  const binary = atob(text);
  if (btoa(binary) !== text) return undefined;
  // By index: `Uint8Array.from` walks the text as an iterable, 3 µs for a secret, and each delivery needs one.
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

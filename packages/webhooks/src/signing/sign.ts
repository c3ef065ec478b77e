import { encodeHex, hmacKey, signedContent } from './hmac.ts';
import { secretBytes } from './secret.ts';
import { copyRawBody, isSignedId, isSignedTimestamp, type RawBody } from './signed-parts.ts';

/** What a signature covers, and the secret that makes it. */
export interface SignInput {
  /** The webhook's signing secret, `whsec_…`. */
  readonly secret: string;
  /** The delivery's id: the value of `X-Webhook-ID`. Up to 255 letters, digits, `_` and `-`. */
  readonly id: string;
  /** Unix seconds of when the delivery was created: the value of `X-Webhook-Timestamp`. */
  readonly timestamp: number | string;
  /** The request body, byte for byte. */
  readonly body: RawBody;
}

/**
 * Computes the value of `X-Webhook-Signature`: 64 lower-case hexadecimal characters.
 *
 * It is HMAC-SHA256 over `<id>.<timestamp>.<body>`, keyed with the UTF-8 bytes of the whole secret text,
 * `whsec_` included. To check a signature, use `verify`: comparing text with `===` leaks where it differs.
 *
 * @throws TypeError when the secret is malformed, or the id, timestamp or body is none that a callback can have.
 */
export async function sign({ secret, id, timestamp, body }: SignInput): Promise<string> {
  secretBytes(secret);
  const seconds = String(timestamp);
  if (!isSignedId(id)) throw new TypeError('id must be 1 to 255 letters, digits, _ and -');
  if (!isSignedTimestamp(seconds)) throw new TypeError('timestamp must be whole Unix seconds, 0 or more');
  const content = signedContent(id, seconds, copyRawBody(body));
  const key = await hmacKey(new TextEncoder().encode(secret), 'sign');
  const signature = await globalThis.crypto.subtle.sign('HMAC', key, content);
  return encodeHex(new Uint8Array(signature));
}

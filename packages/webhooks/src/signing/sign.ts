import { encodeHex, hmacKey, signedContent } from './hmac.ts';
import { secretBytes } from './secret.ts';
import { copyRawBody, isSignedId, isSignedTimestamp, type RawBody } from './signed-parts.ts';

/** The content that a signature covers, and its secret. */
export interface SignInput {
  /** The webhook's signing secret, `whsec_…`. */
  readonly secret: string;
  /** The delivery's id: the value of `X-Webhook-ID`. Up to 255 letters, digits, `_` and `-`. */
  readonly id: string;
  /** When the delivery was created, in Unix seconds: the value of `X-Webhook-Timestamp`. */
  readonly timestamp: number | string;
  /** The request body, byte for byte. */
  readonly body: RawBody;
}

/**
 * Computes the value of `X-Webhook-Signature`: 64 lower-case hexadecimal characters.
 *
 * It is HMAC-SHA256 over `<id>.<timestamp>.<body>`, keyed with the UTF-8 bytes of the whole secret
 * text, including `whsec_`. To check a signature, use `verify`: comparing text with `===` leaks the
 * position of a difference.
 *
 * @throws TypeError if the secret is malformed, or if the id, timestamp or body is not valid for a
 *   callback.
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

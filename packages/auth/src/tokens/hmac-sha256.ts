import { hash } from 'node:crypto';

/** The block of SHA-256, in bytes. */
const BLOCK = 64;
const DIGEST = 32;

/**
 * Creates the HMAC-SHA-256 of one key (RFC 2104), as a function from text to unpadded base64url.
 *
 * It is made of two one-shot hashes of `node:crypto`, which take 0.8 µs for a token where
 * `createHmac`, whose every call sets up a stream and a native object for the garbage collector,
 * takes 1.4 µs (`bench/hmac.ts`). The tests hold it against the vectors of RFC 4231 and against
 * `createHmac`.
 *
 * @param maxLength the longest text, in characters, all of them below U+0080
 * @throws RangeError when a text is longer: it is never cut
 */
export function createHmacSha256(secret: Uint8Array, maxLength: number): (text: string) => string {
  const key = secret.length > BLOCK ? hash('sha256', secret, 'buffer') : secret;
  const inner = Buffer.alloc(BLOCK + maxLength, 0x36, 'latin1');
  const outer = Buffer.alloc(BLOCK + DIGEST, 0x5c);
  for (const [index, byte] of key.entries()) {
    inner[index] = byte ^ 0x36;
    outer[index] = byte ^ 0x5c;
  }
  return (text) => {
    if (text.length > maxLength) throw new RangeError(`The text is longer than ${maxLength} characters`);
    // Both buffers are used within this call alone, which nothing interrupts.
    inner.write(text, BLOCK, 'latin1');
    const digest = hash('sha256', inner.subarray(0, BLOCK + text.length), 'binary');
    outer.write(digest, BLOCK, 'latin1');
    return hash('sha256', outer, 'base64url');
  };
}

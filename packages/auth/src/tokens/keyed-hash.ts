import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';

/**
 * Hashes texts under a secret of the instance, for one use that a label names: nobody without a
 * signing key can compute or recognise a hash.
 */
export interface KeyedHash {
  /** Returns 43 characters of base64url: HMAC-SHA-256 with the key that signs. */
  hash(text: string): string;
  /**
   * Tells whether any key of the instance gives the text this hash. Takes as long for a hash that
   * is wrong at its end as for one that is wrong at its beginning.
   */
  matches(text: string, hash: string): boolean;
}

/**
 * Derives a secret from each signing key by HKDF under the label, which keeps this use apart from
 * every other.
 */
export function createKeyedHash({ signingKey, verificationKeys }: KeyRing, label: string): KeyedHash {
  const secrets = verificationKeys(undefined).map((key) => key.deriveSecret(label));
  const signing = signingKey.deriveSecret(label);
  return Object.freeze({
    hash: (text: string) => hmac(signing, text).toString('base64url'),
    matches(text: string, hash: string) {
      const presented = Buffer.from(hash, 'utf8');
      return secrets.some((secret) => {
        const expected = Buffer.from(hmac(secret, text).toString('base64url'), 'utf8');
        return expected.length === presented.length && timingSafeEqual(expected, presented);
      });
    },
  });
}

function hmac(secret: Uint8Array, text: string): Buffer {
  return createHmac('sha256', secret).update(text, 'utf8').digest();
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';

/**
 * Hashes texts under a secret of the instance, for one use that a label names: nobody without a
 * signing key can compute or recognise a hash.
 */
export interface KeyedHash {
  /** Returns 43 characters of base64url: HMAC-SHA-256 with the key that signs. */
  hash(text: string): string;
  /** Returns the name of the key that signs, 8 characters of base64url, and the hash behind it. */
  sign(text: string): string;
  /**
   * Tells whether `sign` has given this for the text, with any key of the instance. Computes one
   * hash at most. Takes as long for a hash that is wrong at its end as for one that is wrong at its
   * beginning.
   */
  matches(text: string, signed: string): boolean;
}

/**
 * Derives a secret from each signing key by HKDF under the label, which keeps this use apart from
 * every other.
 */
export function createKeyedHash({ signingKey, verificationKeys }: KeyRing, label: string): KeyedHash {
  const secrets = verificationKeys(undefined).map((key) => named(key.deriveSecret(label)));
  const signing = named(signingKey.deriveSecret(label));
  return Object.freeze({
    hash: (text: string) => hmac(signing.secret, text),
    sign: (text: string) => signing.name + hmac(signing.secret, text),
    matches(text: string, signed: string) {
      const key = secrets.find(({ name }) => signed.startsWith(name));
      if (key === undefined) return false;
      const presented = Buffer.from(signed, 'utf8');
      const expected = Buffer.from(key.name + hmac(key.secret, text), 'utf8');
      return expected.length === presented.length && timingSafeEqual(expected, presented);
    },
  });
}

/** The name tells nothing of the secret that a hash under it would not tell. */
function named(secret: Uint8Array) {
  return { secret, name: hmac(secret, '').slice(0, 8) };
}

function hmac(secret: Uint8Array, text: string): string {
  return createHmac('sha256', secret).update(text, 'utf8').digest('base64url');
}

import { createHash, createHmac } from 'node:crypto';
import { AuthError } from '../errors.ts';
import type { KeyRing } from './key-ring.ts';

/** What tells the derived secret from every other use of a signing key. */
const SUCCESSOR_LABEL = '@acme/auth refresh token successor';

/**
 * Derives the refresh token that follows another one, so that any number of tabs and processes that
 * are presented one token compute one successor, without a lock.
 *
 * A successor depends on the presented token, on a salt that the store keeps, and on a secret of
 * the instance: a copy of the table and an old token lead to no other token.
 */
export interface SuccessorTokens {
  /**
   * Names the key that new successors are derived with: the `kid` of the key that signs, or a
   * fingerprint.
   */
  readonly keyId: string;

  /**
   * Derives the successor with the key that is named, whether it signs or not.
   *
   * @param token 64 hex characters
   * @throws AuthError `unavailable` when no key of the instance has this name
   */
  derive(token: string, salt: string, keyId: string): string;
}

/**
 * Each key is known by its `kid` and by its fingerprint, so that a key may be given a `kid` later.
 */
export function createSuccessorTokens({ signingKey, verificationKeys }: KeyRing): SuccessorTokens {
  const secrets = new Map<string, Uint8Array>();
  let keyId = '';
  for (const key of verificationKeys(undefined)) {
    const secret = key.deriveSecret(SUCCESSOR_LABEL);
    const fingerprint = fingerprintOf(secret);
    secrets.set(fingerprint, secret);
    if (key.kid !== undefined) secrets.set(key.kid, secret);
    if (key === signingKey) keyId = key.kid ?? fingerprint;
  }
  return Object.freeze({
    keyId,
    derive(token: string, salt: string, namedKeyId: string) {
      const secret = secrets.get(namedKeyId);
      if (secret === undefined) {
        throw new AuthError(
          'unavailable',
          'A session was refreshed with a signing key that this process does not have: keep retired keys for the life of a refresh token',
        );
      }
      // 32 bytes and 32 bytes: exactly the block of SHA-256, and nothing to tell apart.
      const hmac = createHmac('sha256', Buffer.concat([secret, Buffer.from(token, 'hex')]));
      return hmac.update(salt, 'utf8').digest('hex');
    },
  });
}

/** The colon keeps it apart from every `kid`. */
function fingerprintOf(secret: Uint8Array): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 32)}`;
}

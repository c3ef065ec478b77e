import { timingSafeEqual } from 'node:crypto';
import { compactVerify, errors } from 'jose';
import { ErrInvalidToken } from '../errors.ts';
import { ALGORITHM } from './access-token-header.ts';
import type { RingKey } from './key-ring.ts';
import { SIGNATURE_LENGTH } from './token-text.ts';

/**
 * Used within one synchronous call only: allocating two buffers per token would cost as much as
 * comparing them.
 */
const given = Buffer.alloc(SIGNATURE_LENGTH);
const expected = Buffer.alloc(SIGNATURE_LENGTH);

/**
 * Tells whether one of the keys signed a canonical token. The time it takes does not depend on
 * where a wrong signature differs.
 */
export function isSignedBy(keys: readonly RingKey[], token: string): boolean {
  const end = token.length - SIGNATURE_LENGTH;
  const signed = token.slice(0, end - 1);
  given.write(token.slice(end), 'latin1');
  for (const key of keys) {
    expected.write(key.sign(signed), 'latin1');
    if (timingSafeEqual(expected, given)) return true;
  }
  return false;
}

/**
 * Gives the payload of a canonical token once jose has verified it with one of the keys.
 *
 * The general path, for any header that an issuer may write; {@link isSignedBy} is the short one,
 * for headers that are known.
 *
 * @throws ErrInvalidToken
 */
export async function verifyWithJose(keys: readonly RingKey[], token: string): Promise<Uint8Array> {
  for (const key of keys) {
    try {
      return (await compactVerify(token, await key.secret(), { algorithms: [ALGORITHM] })).payload;
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      if (error instanceof errors.JOSEError) throw new ErrInvalidToken('The token is malformed', 'malformed');
      throw error;
    }
  }
  throw new ErrInvalidToken('The signature does not verify', 'signature');
}

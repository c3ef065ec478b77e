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
 * Finds the key that signed a canonical token. The time it takes does not depend on where a wrong
 * signature differs.
 *
 * @throws ErrInvalidToken if none of the keys did
 */
export function findSigner(keys: readonly RingKey[], token: string): RingKey {
  const end = token.length - SIGNATURE_LENGTH;
  const signed = token.slice(0, end - 1);
  given.write(token.slice(end), 'latin1');
  for (const key of keys) {
    expected.write(key.sign(signed), 'latin1');
    if (timingSafeEqual(expected, given)) return key;
  }
  throw new ErrInvalidToken('The signature does not verify', 'signature');
}

/**
 * Gives the payload of a canonical token once jose has verified it, too.
 *
 * The general path, for any header that an issuer may write. Only what {@link findSigner} has found
 * a key for comes here: a forged token costs jose nothing, whatever number of keys it may be tried
 * with.
 *
 * @throws ErrInvalidToken
 */
export async function verifyWithJose(key: RingKey, token: string): Promise<Uint8Array> {
  try {
    return (await compactVerify(token, await key.secret(), { algorithms: [ALGORITHM] })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new ErrInvalidToken('The token is malformed', 'malformed');
    throw error;
  }
}

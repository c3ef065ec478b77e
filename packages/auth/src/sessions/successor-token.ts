import { createHmac } from 'node:crypto';

/**
 * Derives the refresh token that follows another one: HMAC-SHA-256 of the salt, keyed by the presented token, as 64
 * hex characters.
 *
 * It needs no stored secret and no lock: any number of tabs that present one token at once compute one successor from
 * the one salt that was stored, and who reads the table, which holds hashes and salts, can compute none.
 */
export function successorToken(token: string, salt: string): string {
  return createHmac('sha256', token).update(salt, 'utf8').digest('hex');
}

import { createHash, randomBytes } from 'node:crypto';

const REFRESH_TOKEN_FORM = /^[0-9a-f]{64}$/;

/**
 * Generates an opaque refresh token: 64 hex characters from 32 random bytes. Store only its
 * {@link hashToken}.
 */
export function generateRefreshToken(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Tells whether a value has the form of a refresh token; whether it exists is the store's answer.
 */
export function isRefreshToken(value: unknown): value is string {
  return typeof value === 'string' && REFRESH_TOKEN_FORM.test(value);
}

/** @throws TypeError when a host passes something else than a list of refresh tokens */
export function requireTokens(refreshTokens: unknown): void {
  if (!Array.isArray(refreshTokens)) throw new TypeError('refreshTokens must be an array of strings');
}

/**
 * Hashes a random token for storage and lookup: SHA-256 of its text, 64 hex characters.
 *
 * One round is enough for 256 random bits. A password is not random: use `hashPassword` for it.
 *
 * @throws TypeError when the token is no string
 */
export function hashToken(token: string): string {
  if (typeof token !== 'string') throw new TypeError('token must be a string');
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

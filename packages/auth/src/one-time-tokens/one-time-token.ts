import { randomBytes } from 'node:crypto';

const FORM = /^[0-9a-f]{64}$/;

/**
 * Generates a one-time token: 64 hex characters from 32 random bytes.
 *
 * Hex rather than base64url, because the text travels through mail. It has one spelling, it never
 * ends in a character that mail programs leave out of a link (`-`, `_`), and no encoding of URLs
 * changes it.
 */
export function generateOneTimeToken(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Tells whether a value has the form of a one-time token; whether it is open is the store's answer.
 */
export function isOneTimeToken(value: unknown): value is string {
  return typeof value === 'string' && FORM.test(value);
}

const PURPOSE_FORM = /^[a-z][a-z0-9_]{0,63}$/;

/** @throws TypeError for anything but a purpose: code names it, never a client */
export function assertPurpose(purpose: unknown): void {
  if (typeof purpose === 'string' && PURPOSE_FORM.test(purpose)) return;
  throw new TypeError('purpose must be a lower-case letter, then at most 63 of a-z, 0-9 and _');
}

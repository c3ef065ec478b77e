import { randomBytes } from 'node:crypto';

/** Generates a random identifier: 32 hex characters from 16 random bytes, fit for a primary key. */
export function generateId(): string {
  return randomBytes(16).toString('hex');
}

import type { NewSession } from '../../src/sessions/store/session-store.ts';

/** A session of user 42 that begins at second 1,000 and expires at 9,000. */
export const EXAMPLE_SESSION: NewSession = Object.freeze({
  id: 'a'.repeat(32),
  tokenHash: 'b'.repeat(64),
  uid: '42',
  instance: '/api',
  createdAt: 1_000,
  expiresAt: 9_000,
  userAgent: '',
  ip: '',
});

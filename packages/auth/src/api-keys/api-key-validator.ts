import type { ClaimsInit } from '../claims.ts';

/**
 * The host's look-up of an API key.
 *
 * It receives the hash text `sha256$<hex>`, never the key, finds the record, checks `revoked_at` and `expires_at`,
 * and gives the claims. For an unknown or revoked key it gives `null` or `undefined`, or throws `ErrInvalidToken`:
 * the answer is 401. Anything else that it throws counts as a failure of the look-up and is answered 503: a broken
 * database lets nobody in.
 *
 * `expiresAt` is the key's expiry in Unix seconds, or 0 for none; claims that have expired are refused.
 */
export type ApiKeyValidator = (
  hash: string,
) => ClaimsInit | null | undefined | Promise<ClaimsInit | null | undefined>;

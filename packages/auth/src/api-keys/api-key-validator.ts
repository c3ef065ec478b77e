import type { ClaimsInit } from '../claims.ts';

/** Where a validator of ours says its audience, which other copies of the package read. */
export const VALIDATOR_AUDIENCE: unique symbol = Symbol.for('@acme/auth/validator-audience');

/**
 * The host's lookup of an API key.
 *
 * It receives the hash text `sha256$<hex>`, never the key, finds the record, checks `revoked_at`
 * and `expires_at`, and gives the claims. For an unknown or revoked key it gives `null` or
 * `undefined`, or throws `ErrInvalidToken`, which the package exports: the answer is 401.
 *
 * **An ordinary `Error` is no refusal.** Whatever else it throws counts as a failure of the
 * lookup: a broken database lets nobody in. The answer is 503, and the guards report to the logger
 * what was thrown.
 *
 * `expiresAt` is the key's expiry in Unix seconds, or 0 for none; claims that have expired are
 * refused. No instance binds it: one that serves administrators and users has to tell their keys
 * apart itself, or to return the `audience` of each, which guards compare with that of their
 * instance.
 *
 * ```ts
 * const validator: ApiKeyValidator = async (hash) => {
 *   const row = await db.findKey(hash);
 *   if (row === undefined || row.revokedAt !== null) throw new ErrInvalidToken();
 *   return { uid: row.uid, scopes: row.scopes, expiresAt: row.expiresAt ?? 0 };
 * };
 * ```
 */
export type ApiKeyValidator = (
  hash: string,
) => ClaimsInit | null | undefined | Promise<ClaimsInit | null | undefined>;

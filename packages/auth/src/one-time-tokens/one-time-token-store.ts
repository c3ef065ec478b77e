import type { StoreInterface } from '../host-store.ts';
import type { HostTransaction } from '../host-transaction.ts';
import type { PurgeOptions } from '../sessions/store/session-store.ts';

/**
 * Stores one-time tokens for {@link createOneTimeTokens}. Of a token's text, the store gets only
 * the SHA-256.
 *
 * A user has at most one open token for a purpose in an instance. A store keeps open tokens only: a
 * token that was consumed, replaced or revoked is removed in the same step.
 *
 * For every method:
 * - Times are whole Unix seconds of the caller's clock. A column may store them in any form.
 * - Hashes are lower-case hex. `uid`, `instance` and `purpose` compare byte for byte, case and
 *   trailing space included.
 * - A token of another instance or for another purpose does not exist.
 * - A call that has resolved is durable. A call that rejects has changed nothing, as far as the
 *   store can tell.
 * - All methods may be called concurrently, from any number of processes.
 * - If the host passes a transaction, the store uses only that transaction's statements and tries
 *   each one once. What the call did then commits or rolls back with the transaction. A store that
 *   cannot take part throws a TypeError and changes nothing.
 */
export interface OneTimeTokenStore {
  /**
   * Stores a token, in place of the one that the user has for this purpose in this instance.
   * Atomic: of several concurrent calls, exactly one leaves its token, and at no time are two open.
   *
   * Hashes of two tokens are never equal, because each has 256 random bits.
   */
  issue(token: NewOneTimeToken): Promise<void>;

  /**
   * Removes the open token with this hash, instance and purpose. Atomic: of any number of
   * concurrent calls, one gets the token. A token that is replaced or revoked meanwhile is either
   * consumed first or not at all.
   *
   * @returns the token; `undefined` if there is none that is open: `now >= expiresAt` counts as
   *   none, and leaves the row to {@link OneTimeTokenStore.purge}
   */
  consume(presented: PresentedOneTimeToken): Promise<OneTimeToken | undefined>;

  /** Finds the token that {@link OneTimeTokenStore.consume} would return, and changes nothing. */
  find(presented: Omit<PresentedOneTimeToken, 'transaction'>): Promise<OneTimeToken | undefined>;

  /**
   * Atomically removes the open tokens of a user in the instance: all of them, or the one for
   * `purpose`.
   *
   * @returns how many open tokens this call removed
   */
  revokeAll(revocation: OneTimeTokenRevocation): Promise<number>;

  /**
   * Removes at most `limit` tokens with `expiresAt <= expiredBefore`, of all instances.
   *
   * @returns how many tokens were removed; fewer than `limit` means that none is left
   */
  purge(options: PurgeOptions): Promise<number>;
}

/** What every such store must be able to do. */
export const ONE_TIME_TOKEN_STORE: StoreInterface<OneTimeTokenStore> = {
  name: 'OneTimeTokenStore',
  label: 'The one-time token store',
  methods: {
    issue: 'store a new token',
    consume: 'consume a token',
    find: 'find a token',
    revokeAll: 'revoke the tokens of a user',
    purge: 'purge tokens',
  },
};

/** A one-time token without its text. Times are Unix seconds. */
export interface OneTimeToken {
  /** 1–128 characters. It need not be a user's: an invitation has an id of its own. */
  readonly uid: string;
  /** The audience of the token's instance, or the name that stands for it. 1–256 characters. */
  readonly instance: string;
  /** 1–64 characters: a lower-case letter, then `a-z`, `0-9` or `_`. */
  readonly purpose: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export interface NewOneTimeToken extends OneTimeToken {
  /** 64 hex characters. */
  readonly tokenHash: string;
  readonly transaction?: HostTransaction | undefined;
}

export interface PresentedOneTimeToken {
  readonly tokenHash: string;
  readonly instance: string;
  readonly purpose: string;
  readonly now: number;
  readonly transaction?: HostTransaction | undefined;
}

export interface OneTimeTokenRevocation {
  readonly uid: string;
  readonly instance: string;
  /** If given, only the token for this purpose is removed. */
  readonly purpose?: string | undefined;
  readonly now: number;
  readonly transaction?: HostTransaction | undefined;
}

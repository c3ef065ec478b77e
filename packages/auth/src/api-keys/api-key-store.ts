/**
 * Keeps API keys, as their SHA-256 alone, for {@link createApiKeys} to create, show and validate.
 *
 * For every method:
 * - Times are whole Unix seconds of the caller's clock; how a column spells them is the store's
 *   business.
 * - Ids, hashes, `uid` and `instance` compare byte for byte: case, accents and trailing space
 *   included.
 * - A key of another instance is as good as absent, except that its id and its hash are taken.
 * - What has resolved is durable. What rejects has changed nothing, as far as the store can tell.
 * - All methods may be called at once, from any number of processes.
 */
export interface ApiKeyStore {
  /**
   * Stores a new key. Rejects when its id or its hash is taken, and leaves the key that has it as
   * it is.
   */
  add(key: StoredApiKey): Promise<void>;

  /**
   * Finds the instance's key of a hash, revoked and expired ones included. `undefined` when there
   * is none. One look-up.
   */
  findByHash(lookup: ApiKeyLookup): Promise<StoredApiKey | undefined>;

  /**
   * Lists the keys that a user has in the instance, revoked and expired ones included: newest first
   * (by `createdAt`, then by id, both descending), at most `limit`, only those that come behind
   * `after` in this order.
   */
  list(query: ApiKeyQuery): Promise<readonly ApiKey[]>;

  /**
   * Revokes a key. Atomic and idempotent: of several calls the first sets the time, and it stays.
   *
   * @returns whether the user has a key of this id in the instance, revoked by this call or before;
   *   somebody else's is as good as absent
   */
  revoke(revocation: ApiKeyRevocation): Promise<boolean>;

  /**
   * Revokes every key that a user has in the instance and that is not revoked yet, in one step.
   *
   * @returns how many this call revoked
   */
  revokeAll(revocation: Omit<ApiKeyRevocation, 'id'>): Promise<number>;

  /**
   * Notes that the keys were used at `usedAt`. Idempotent; it moves `lastUsedAt` forward, never
   * back, and touches nothing else. Ids without a key are ignored. At most {@link MAX_IDS_PER_USE}
   * ids.
   */
  recordUse(ids: readonly string[], usedAt: number): Promise<void>;
}

/** The most ids of one {@link ApiKeyStore.recordUse}. */
export const MAX_IDS_PER_USE = 500;

/** A key as lists show it: neither the key nor its hash. Times are Unix seconds. */
export interface ApiKey {
  /** 32 hex characters. */
  readonly id: string;
  /**
   * What the key is bound to: the audience of an instance, or the name that stands for it. 1–256
   * characters.
   */
  readonly instance: string;
  /** The user that requests with this key speak for. 1–128 characters. */
  readonly uid: string;
  /** What its owner calls it. 1–128 characters. */
  readonly name: string;
  /** The prefix and the first 8 random characters of the key. */
  readonly displayPrefix: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  /** `null`: it does not expire. */
  readonly expiresAt: number | null;
  /** About a minute precise; `null` where it was never used. */
  readonly lastUsedAt: number | null;
  /** `null`: it is not revoked. */
  readonly revokedAt: number | null;
}

export interface StoredApiKey extends ApiKey {
  /** `sha256$<hex>`. */
  readonly keyHash: string;
}

export interface ApiKeyLookup {
  readonly keyHash: string;
  readonly instance: string;
}

export interface ApiKeyQuery {
  readonly uid: string;
  readonly instance: string;
  readonly limit: number;
  /** The last one of the page before. */
  readonly after?: Pick<ApiKey, 'id' | 'createdAt'> | undefined;
}

export interface ApiKeyRevocation {
  readonly id: string;
  readonly uid: string;
  readonly instance: string;
  readonly now: number;
}

import type { StoreInterface } from '../host-store.ts';

/**
 * Stores API keys for {@link createApiKeys}, which creates, lists and validates them. Of a key's
 * text, the store gets only the SHA-256 and the display prefix.
 *
 * For every method:
 * - Times are whole Unix seconds of the caller's clock. A column may store them in any form.
 * - Ids, hashes, `uid` and `instance` compare byte for byte: case, accents and trailing space
 *   included.
 * - A key of another instance does not exist, except that its id and its hash are taken.
 * - A call that has resolved is durable. A call that rejects has changed nothing, as far as the
 *   store can tell.
 * - All methods may be called concurrently, from any number of processes.
 */
export interface ApiKeyStore {
  /**
   * Stores a new key. Rejects if its id or its hash is taken, and leaves the existing key
   * unchanged.
   */
  add(key: StoredApiKey): Promise<void>;

  /**
   * Finds the instance's key with this hash, even if it is revoked or expired. Returns `undefined`
   * if there is none. Takes one lookup.
   */
  findByHash(lookup: ApiKeyLookup): Promise<StoredApiKey | undefined>;

  /**
   * Lists the keys of a user in the instance, revoked and expired ones included. The order is
   * newest first: by `createdAt`, then by id, both descending. Returns at most `limit` keys, all of
   * which come after `after` in this order.
   */
  list(query: ApiKeyQuery): Promise<readonly ApiKey[]>;

  /**
   * Revokes a key. Atomic and idempotent: the first of several calls sets the time, and later calls
   * leave it unchanged.
   *
   * @returns whether the user has a key with this id in the instance, revoked by this call or
   *   before; another user's key does not count
   */
  revoke(revocation: ApiKeyRevocation): Promise<boolean>;

  /**
   * Atomically revokes every key of a user in the instance that is not revoked yet.
   *
   * @returns how many keys this call revoked
   */
  revokeAll(revocation: Omit<ApiKeyRevocation, 'id'>): Promise<number>;

  /**
   * Records that the keys were used at `usedAt`. Idempotent. It moves `lastUsedAt` forward, never
   * back, and changes nothing else. Ids without a key are ignored. A call has at most {@link
   * MAX_IDS_PER_USE} ids.
   */
  recordUse(ids: readonly string[], usedAt: number): Promise<void>;
}

/** What every such store must be able to do. */
export const API_KEY_STORE: StoreInterface<ApiKeyStore> = {
  name: 'ApiKeyStore',
  label: 'The API key store',
  methods: {
    add: 'store a new API key',
    findByHash: 'find an API key',
    list: 'list the API keys of a user',
    revoke: 'revoke an API key',
    revokeAll: 'revoke the API keys of a user',
    recordUse: 'record the last use of API keys',
  },
};

/** The most ids in one call of {@link ApiKeyStore.recordUse}. */
export const MAX_IDS_PER_USE = 500;

/** A key as a list shows it, without the key text and its hash. Times are Unix seconds. */
export interface ApiKey {
  /** 32 hex characters. */
  readonly id: string;
  /**
   * The instance that the key is bound to: its audience, or the name that stands for it. 1–256
   * characters.
   */
  readonly instance: string;
  /** The user on whose behalf requests with this key act. 1–128 characters. */
  readonly uid: string;
  /** The name that the owner gave it. 1–128 characters. */
  readonly name: string;
  /** The prefix and the first 8 random characters of the key. */
  readonly displayPrefix: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  /** `null` if it does not expire. */
  readonly expiresAt: number | null;
  /** Accurate to about a minute; `null` if the key was never used. */
  readonly lastUsedAt: number | null;
  /** `null` if it is not revoked. */
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
  /** The last key of the previous page. */
  readonly after?: Pick<ApiKey, 'id' | 'createdAt'> | undefined;
}

export interface ApiKeyRevocation {
  readonly id: string;
  readonly uid: string;
  readonly instance: string;
  readonly now: number;
}

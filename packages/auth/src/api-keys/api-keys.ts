import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Claims, type ClaimsInit, isClaims, isUid, isUnixTime } from '../claims.ts';
import { type Clock, resolveClock, unixSeconds } from '../clock.ts';
import { AuthError, ErrTokenExpired } from '../errors.ts';
import { type Logger, resolveLogger } from '../logger.ts';
import { refuseUnknownOptions } from '../refuse-unknown-options.ts';
import { generateApiKey } from './api-key.ts';
import { type ApiKeyInput, readApiKeyInput } from './api-key-input.ts';
import type { ApiKey, ApiKeyQuery, ApiKeyStore, StoredApiKey } from './api-key-store.ts';
import { createUseRecorder } from './use-recorder.ts';

const MAX_PAGE = 200;
const ID_FORM = /^[0-9a-f]{32}$/;
const HASH_FORM = /^sha256\$[0-9a-f]{64}$/;

export interface ApiKeysOptions {
  /** The prefix of new keys: 2–32 characters, a lower-case letter first, then `a-z`, `0-9` or `_`. Default `key`. */
  readonly prefix?: string | undefined;
  /** Default `Date.now`. */
  readonly clock?: Clock | undefined;
  /** Told when the last use of keys cannot be stored. Default `console`. */
  readonly logger?: Logger | undefined;
  /**
   * Lets a request that an API key vouches for create, list and revoke keys. Default false: a leaked key could
   * otherwise make itself successors that outlive its revocation.
   */
  readonly dangerouslyAllowManagementByApiKey?: boolean | undefined;
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof ApiKeysOptions | 'store'>([
  'store',
  'prefix',
  'clock',
  'logger',
  'dangerouslyAllowManagementByApiKey',
]);

/** A key that was just created. */
export interface CreatedApiKey extends ApiKey {
  /** The whole key: show it once. It is stored nowhere. */
  readonly key: string;
}

export interface ApiKeyPage {
  /** 1–200, default 100. */
  readonly limit?: number | undefined;
  /** The last key of the page before. */
  readonly after?: Pick<ApiKey, 'id' | 'createdAt'> | undefined;
}

/**
 * The API keys of users: created, listed and revoked by their owner, and validated on requests.
 *
 * Whose keys they are is said by the `Claims` of the request's context, as `claimsOf` gives them, and by nothing that a
 * client sends: an object that is no `Claims` is refused. To manage keys for somebody else, a host that has checked who
 * asks makes the claims itself: `new Claims({ uid, scopes })`.
 *
 * All methods are safe to call concurrently, in any number of processes on one store.
 */
export interface ApiKeys {
  /**
   * Creates a key. The raw key is in the answer and nowhere else: what is stored is its hash.
   *
   * A key never grants a scope that its owner does not hold at this moment; it keeps the scopes it was given when its
   * owner later loses some, until it is revoked.
   *
   * @param input may be a request's body as it is; unknown fields are refused
   * @param options `prefix` instead of the one given at construction
   * @throws AuthError `input_invalid`; `insufficient_scope` for a scope that the owner lacks; `session_required` where
   *   an API key vouches for the owner
   * @throws TypeError when `owner` is no `Claims`
   */
  create(owner: Claims, input: ApiKeyInput, options?: { readonly prefix?: string }): Promise<CreatedApiKey>;

  /**
   * Lists the owner's keys, newest first, revoked and expired ones included.
   *
   * @throws AuthError `session_required`; `input_invalid` when the page is out of bounds
   * @throws TypeError when `owner` is no `Claims`
   */
  list(owner: Claims, page?: ApiKeyPage): Promise<readonly ApiKey[]>;

  /**
   * Revokes a key of the owner's, from the next request on. Idempotent.
   *
   * @returns whether the owner has a key of this id; somebody else's key is as good as absent
   * @throws AuthError `session_required`
   * @throws TypeError when `owner` is no `Claims`
   */
  revoke(owner: Claims, id: string): Promise<boolean>;

  /**
   * Revokes every key of a user: call it where users are deleted or disabled, with the uid of your own record.
   *
   * @returns how many keys were revoked
   * @throws TypeError when `uid` is none
   */
  revokeAllOf(uid: string): Promise<number>;

  /**
   * Validates the hash of a presented key: an `ApiKeyValidator` for `requireApiKey` and `requireAuthOrApiKey`.
   *
   * One look-up by the hash; nothing is cached, so a revocation counts at once, in every process. The use is noted as
   * `lastUsedAt`, at most once a minute per key; no request waits for that, and none fails by it.
   *
   * @throws ErrTokenExpired; whatever the store rejects with, which is answered 503
   */
  readonly validator: (hash: string) => Promise<ClaimsInit | null>;

  /** Resolves when every noted use has been written or given up: await it before closing the database. */
  idle(): Promise<void>;
}

/**
 * Creates the API keys of an application over a store.
 *
 * @throws TypeError naming the option that is unknown or out of bounds
 */
export function createApiKeys(options: ApiKeysOptions & { readonly store: ApiKeyStore }): ApiKeys {
  refuseUnknownOptions('createApiKeys', options, OPTION_NAMES);
  const { store, prefix = 'key' } = options;
  const { dangerouslyAllowManagementByApiKey: isKeyEnough = false } = options;
  const clock = resolveClock(options.clock ?? Date.now);
  const logger = resolveLogger(options.logger ?? console);
  // Throws for a prefix of a wrong form now, not at the first key.
  generateApiKey(prefix);
  const uses = createUseRecorder(store, logger);

  function uidOf(owner: Claims): string {
    if (!isClaims(owner)) throw new TypeError("owner must be the Claims of the request's context");
    if (owner.credential === 'api_key' && !isKeyEnough) {
      throw new AuthError('session_required', 'API keys are not managed with an API key');
    }
    return owner.uid;
  }

  return Object.freeze<ApiKeys>({
    async create(owner, input, { prefix: ownPrefix = prefix } = {}) {
      const uid = uidOf(owner);
      const createdAt = unixSeconds(clock);
      const { name, scopes, expiresAt } = readApiKeyInput(input, createdAt);
      const missing = scopes.find((scope) => !owner.hasScope(scope));
      if (missing !== undefined) {
        throw new AuthError('insufficient_scope', 'A key cannot have a scope that its owner lacks', {
          scope: missing,
        });
      }
      const { key, displayPrefix, hash } = generateApiKey(ownPrefix);
      const id = randomBytes(16).toString('hex');
      const apiKey = {
        id,
        uid,
        name,
        displayPrefix,
        scopes,
        createdAt,
        expiresAt,
        lastUsedAt: null,
        revokedAt: null,
      };
      await store.add({ ...apiKey, keyHash: hash });
      return { ...apiKey, key };
    },

    async list(owner, page = {}) {
      return await store.list({ uid: uidOf(owner), ...readPage(page) });
    },

    async revoke(owner, id) {
      const uid = uidOf(owner);
      // Whatever else came with the request cannot be an id.
      if (!isId(id)) return false;
      return await store.revoke({ id, uid, now: unixSeconds(clock) });
    },

    async revokeAllOf(uid) {
      if (!isUid(uid)) throw new TypeError('uid must be a string of 1 to 128 characters');
      return await store.revokeAll({ uid, now: unixSeconds(clock) });
    },

    async validator(hash) {
      if (!HASH_FORM.test(hash)) return null;
      const found = await store.findByHash(hash);
      if (found === undefined || !isSameHash(found.keyHash, hash) || found.revokedAt !== null) return null;
      const now = unixSeconds(clock);
      if (found.expiresAt !== null && now >= found.expiresAt) {
        throw new ErrTokenExpired('The API key has expired');
      }
      uses.note(found.id, found.lastUsedAt, now);
      return claimsOf(found);
    },

    idle: () => uses.idle(),
  });
}

/** Where to go on in a list usually comes back from a client. */
function readPage({ limit = 100, after }: ApiKeyPage): Omit<ApiKeyQuery, 'uid'> {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    throw new AuthError('input_invalid', `limit must be a whole number from 1 to ${MAX_PAGE}`);
  }
  if (after === undefined) return { limit };
  const { id, createdAt } = Object(after);
  if (!isId(id) || !isUnixTime(createdAt)) {
    throw new AuthError('input_invalid', 'after must be the id and createdAt of a listed key');
  }
  return { limit, after: { id, createdAt } };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID_FORM.test(value);
}

function claimsOf({ uid, scopes, createdAt, expiresAt }: StoredApiKey) {
  return { uid, scopes, issuedAt: createdAt, expiresAt: expiresAt ?? 0 };
}

/** A store that compares loosely (case, trailing space) must not find another key than the one presented. */
function isSameHash(stored: string, presented: string): boolean {
  const [a, b] = [Buffer.from(stored, 'utf8'), Buffer.from(presented, 'utf8')];
  return a.length === b.length && timingSafeEqual(a, b);
}

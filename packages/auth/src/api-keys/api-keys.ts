import { randomBytes, timingSafeEqual } from 'node:crypto';
import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import {
  type Claims,
  type ClaimsInit,
  isClaims,
  isOfAnother,
  isScopeList,
  isUnixTime,
  requireUid,
} from '../claims.ts';
import { AuthError, ErrInvalidToken, ErrTokenExpired } from '../errors.ts';
import { generateApiKey } from './api-key.ts';
import { type ApiKeyInput, readApiKeyInput } from './api-key-input.ts';
import {
  type ApiKeyJson,
  type CreatedApiKey,
  createdApiKey,
  type ListedApiKey,
  listedApiKey,
} from './api-key-json.ts';
import type { ApiKey, ApiKeyQuery, ApiKeyStore, StoredApiKey } from './api-key-store.ts';
import { VALIDATOR_AUDIENCE } from './api-key-validator.ts';
import {
  type ApiKeysOptions,
  type ResolvedApiKeysOptions,
  resolveApiKeysOptions,
} from './api-keys-options.ts';
import { createUseRecorder } from './use-recorder.ts';

const MAX_PAGE = 200;
const ID_FORM = /^[0-9a-f]{32}$/;
const HASH_FORM = /^sha256\$[0-9a-f]{64}$/;

export interface ApiKeyPage {
  /** 1–200, default 100. */
  readonly limit?: number | undefined;
  /** The last key of the page before, as it was listed, or in its JSON. */
  readonly after?: Pick<ApiKey, 'id' | 'createdAt'> | Pick<ApiKeyJson, 'id' | 'created_at'> | undefined;
}

/**
 * The API keys of an instance's users. Owners create, list and revoke keys, and requests are
 * validated with them. For every method, a key of another instance does not exist.
 *
 * The owner is the user of the `Claims` that `claimsOf` returns, never anything that a client
 * sends: an object that is not a `Claims` is refused. To manage keys for another user, check who
 * asks and create the claims yourself: `new Claims({ uid, scopes })`.
 *
 * All methods are safe to call concurrently, in any number of processes on one store. If the
 * store fails, each rejects with the AuthError `unavailable`, whose `cause` is the store's error.
 */
export interface ApiKeys {
  /**
   * Creates a key. Only the result has the raw key: the store keeps its hash.
   *
   * A key never grants a scope that its owner lacks now, as `loadUser` says: a token, and its
   * session, may outlive a scope. Claims of a session are therefore refused without `loadUser`.
   * Claims without a session, which the host made itself, are then taken at their word.
   *
   * @param input may be a request's body as it is, in the spelling of JSON; unknown fields are
   *   refused
   * @param options `prefix` instead of the one given at construction
   * @throws AuthError `input_invalid`; `insufficient_scope` for a scope that the owner lacks;
   *   `session_required` if the claims come from an API key; ErrInvalidToken if the owner is
   *   deleted or disabled; any error of `loadUser`
   * @throws TypeError when `owner` is not a `Claims` of this instance, or comes from a session and
   *   there is no `loadUser`
   */
  create(owner: Claims, input: ApiKeyInput, options?: { readonly prefix?: string }): Promise<CreatedApiKey>;

  /**
   * Lists the owner's keys, newest first, revoked and expired ones included.
   *
   * @throws AuthError `session_required`; `input_invalid` when the page is out of bounds
   * @throws TypeError when `owner` is not a `Claims` of this instance
   */
  list(owner: Claims, page?: ApiKeyPage): Promise<readonly ListedApiKey[]>;

  /**
   * Revokes a key of the owner, from the next request on. Idempotent.
   *
   * @returns whether the owner has a key with this id; another user's key does not count
   * @throws AuthError `session_required`
   * @throws TypeError when `owner` is not a `Claims` of this instance
   */
  revoke(owner: Claims, id: string): Promise<boolean>;

  /**
   * Revokes every key of a user. Call it when a user is deleted or disabled, with the uid of your
   * own record.
   *
   * @returns how many keys were revoked
   * @throws TypeError when `uid` is not valid
   */
  revokeAllOf(uid: string): Promise<number>;

  /**
   * Validates the hash of a presented key: an `ApiKeyValidator` for `requireApiKey` and
   * `requireAuthOrApiKey`. The claims carry the name of the instance as their audience.
   *
   * It takes one lookup by the hash, and one of the owner if there is a `loadUser`. Nothing is
   * cached: a revocation takes effect at once, in every process. The use is recorded as
   * `lastUsedAt`, at most once a minute per key. No request waits for that or fails because of it.
   *
   * @throws ErrTokenExpired; AuthError `unavailable` when the store fails; any error of `loadUser`,
   *   which is answered 503
   */
  readonly validator: (hash: string) => Promise<ClaimsInit | null>;

  /**
   * Resolves when every recorded use has been written or dropped. Await it before you close the
   * database.
   */
  idle(): Promise<void>;
}

/**
 * Creates the API keys of an application over a store.
 *
 * @throws TypeError naming the option that is unknown or out of bounds
 */
export function createApiKeys(options: ApiKeysOptions & { readonly store: ApiKeyStore }): ApiKeys {
  const resolved = resolveApiKeysOptions(options);
  const { store, instance, audience, prefix, loadUser, logger, now } = resolved;
  const uses = createUseRecorder(store, logger);
  const uidOf = (owner: Claims) => ownerUid(owner, resolved);

  async function validate(hash: string): Promise<ClaimsInit | null> {
    if (typeof hash !== 'string' || !HASH_FORM.test(hash)) return null;
    const found = await store.findByHash({ keyHash: hash, instance });
    if (found === undefined || found.revokedAt !== null || !isAskedFor(found, hash, instance)) return null;
    const time = now();
    if (found.expiresAt !== null && time >= found.expiresAt) {
      throw new ErrTokenExpired('The API key has expired');
    }
    const scopes = loadUser === undefined ? found.scopes : await grantedScopes(found, loadUser);
    if (scopes === undefined) return null;
    uses.note(found.id, found.lastUsedAt, time);
    const { uid, createdAt, expiresAt } = found;
    return { uid, scopes, audience: audience ?? instance, issuedAt: createdAt, expiresAt: expiresAt ?? 0 };
  }

  return Object.freeze<ApiKeys>({
    async create(owner, input, keyOptions = {}) {
      refuseUnknownOptions('create', keyOptions, CREATE_OPTIONS);
      const { prefix: ownPrefix = prefix } = keyOptions;
      const uid = uidOf(owner);
      const createdAt = now();
      const { name, scopes, expiresAt } = readApiKeyInput(input, createdAt);
      const held = await scopesToGive(owner, loadUser);
      const missing = scopes.find((scope) => !held.includes(scope));
      if (missing !== undefined) {
        throw new AuthError('insufficient_scope', 'A key cannot have a scope that its owner lacks', {
          scope: missing,
        });
      }
      const { key, displayPrefix, hash } = generateApiKey(ownPrefix);
      const id = randomBytes(16).toString('hex');
      const apiKey = {
        id,
        instance,
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
      return createdApiKey(apiKey, key);
    },

    async list(owner, page = {}) {
      const keys = await store.list({ uid: uidOf(owner), instance, ...readPage(page) });
      return keys.map(listedApiKey);
    },

    async revoke(owner, id) {
      const uid = uidOf(owner);
      // Only this form can be an id; a request may bring anything.
      if (!isId(id)) return false;
      return await store.revoke({ id, uid, instance, now: now() });
    },

    async revokeAllOf(uid) {
      requireUid(uid);
      return await store.revokeAll({ uid, instance, now: now() });
    },

    validator: Object.assign(validate, { [VALIDATOR_AUDIENCE]: audience ?? instance }),

    idle: () => uses.idle(),
  });
}

function ownerUid(owner: Claims, { instance, audience, isKeyEnough }: ResolvedApiKeysOptions): string {
  if (!isClaims(owner)) throw new TypeError("owner must be the Claims of the request's context");
  if (isOfAnother(audience, owner)) {
    throw new TypeError(`owner must be a user of ${instance}, not of ${owner.audience || 'no instance'}`);
  }
  if (owner.credential === 'api_key' && !isKeyEnough) {
    throw new AuthError('session_required', 'API keys are not managed with an API key');
  }
  return owner.uid;
}

const CREATE_OPTIONS: ReadonlySet<string> = new Set(['prefix']);

/** Validates a page, because its position in the list usually comes from a client. */
function readPage(page: ApiKeyPage): Omit<ApiKeyQuery, 'uid' | 'instance'> {
  const { limit = 100, after, ...rest } = Object(page) as ApiKeyPage;
  if (Object(page) !== page || Object.keys(rest).length > 0) {
    throw new AuthError('input_invalid', 'A page of a list is described by limit and after alone');
  }
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    throw new AuthError('input_invalid', `limit must be a whole number from 1 to ${MAX_PAGE}`);
  }
  if (after === undefined) return { limit };
  const place: { id?: unknown; createdAt?: unknown; created_at?: unknown } = Object(after);
  const { id, createdAt = place.created_at } = place;
  if (!isId(id) || !isUnixTime(createdAt)) {
    throw new AuthError('input_invalid', 'after must be the id and created_at of a listed key');
  }
  return { limit, after: { id, createdAt } };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID_FORM.test(value);
}

/** Returns what the owner may hand on now: what the credential and the host's record both say. */
async function scopesToGive(owner: Claims, loadUser: ApiKeysOptions['loadUser']): Promise<readonly string[]> {
  if (loadUser !== undefined) {
    const held = await grantedScopes(owner, loadUser);
    if (held !== undefined) return held;
    throw new ErrInvalidToken('The owner of the key is deleted or disabled', 'revoked');
  }
  if (owner.sessionId === undefined) return owner.scopes;
  throw new TypeError('create needs loadUser: a session may outlive what its user may do');
}

/**
 * Returns those scopes of a credential that its user still has, or `undefined` if the user is
 * deleted or disabled.
 */
async function grantedScopes(
  { uid, scopes }: Pick<Claims, 'uid' | 'scopes'>,
  loadUser: NonNullable<ApiKeysOptions['loadUser']>,
): Promise<readonly string[] | undefined> {
  const user = await loadUser(uid);
  if (user === null || user === undefined) return undefined;
  const held: unknown = user.scopes;
  if (!isScopeList(held)) throw new TypeError('loadUser must give { scopes: string[] }, or nothing');
  return scopes.filter((scope) => held.includes(scope));
}

/**
 * Guards against a store that compares loosely (case, trailing space, any instance) and finds
 * another key.
 */
function isAskedFor(found: StoredApiKey, hash: string, instance: string): boolean {
  const [stored, presented] = [Buffer.from(found.keyHash, 'utf8'), Buffer.from(hash, 'utf8')];
  const isSameHash = stored.length === presented.length && timingSafeEqual(stored, presented);
  return isSameHash && found.instance === instance;
}

import type { ApiKey } from './api-key-store.ts';

/**
 * A key in JSON: what `JSON.stringify`, and therefore the answer of every framework, makes of a
 * listed one.
 */
export interface ApiKeyJson {
  readonly id: string;
  readonly uid: string;
  readonly name: string;
  readonly display_prefix: string;
  readonly scopes: readonly string[];
  /** Every time is Unix seconds. */
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

/** A key as a list shows it. */
export interface ListedApiKey extends ApiKey {
  /** Called by `JSON.stringify`. */
  toJSON(): ApiKeyJson;
}

/** A key that was just created. */
export interface CreatedApiKey extends ListedApiKey {
  /** The whole key: show it once. It is stored nowhere. */
  readonly key: string;
  /** Called by `JSON.stringify`. */
  toJSON(): ApiKeyJson & { readonly key: string };
}

export function listedApiKey(apiKey: ApiKey): ListedApiKey {
  return withJson(apiKey, () => jsonOf(apiKey));
}

export function createdApiKey(apiKey: ApiKey, key: string): CreatedApiKey {
  return withJson({ ...apiKey, key }, () => ({ ...jsonOf(apiKey), key }));
}

/** Member by member: what else a store may have on a key does not leave the process. */
function jsonOf(apiKey: ApiKey): ApiKeyJson {
  return {
    id: apiKey.id,
    uid: apiKey.uid,
    name: apiKey.name,
    display_prefix: apiKey.displayPrefix,
    scopes: apiKey.scopes,
    created_at: apiKey.createdAt,
    expires_at: apiKey.expiresAt,
    last_used_at: apiKey.lastUsedAt,
    revoked_at: apiKey.revokedAt,
  };
}

/** Not enumerable: a copy, a clone or a comparison of the key is of its data alone. */
function withJson<Key, Json>(apiKey: Key, toJSON: () => Json): Key & { toJSON(): Json } {
  return Object.defineProperty({ ...apiKey, toJSON }, 'toJSON', { enumerable: false });
}

import type { ApiKey, ApiKeyStore, StoredApiKey } from './api-key-store.ts';

/**
 * Stores API keys in the memory of this process, without a limit: for tests and demonstrations. The
 * keys end with the process, and other processes do not see them.
 */
export function memoryApiKeyStore(): ApiKeyStore {
  const byId = new Map<string, StoredApiKey>();
  const idByHash = new Map<string, string>();

  function change(key: StoredApiKey, fields: Partial<StoredApiKey>): void {
    byId.set(key.id, Object.freeze({ ...key, ...fields }));
  }

  return {
    async add(key) {
      if (byId.has(key.id) || idByHash.has(key.keyHash)) {
        throw new Error('An API key of this id or hash exists already');
      }
      change(key, { scopes: Object.freeze([...key.scopes]) });
      idByHash.set(key.keyHash, key.id);
    },

    async findByHash({ keyHash, instance }) {
      const key = byId.get(idByHash.get(keyHash) ?? '');
      return key?.instance === instance ? key : undefined;
    },

    async list({ limit, after, ...owner }) {
      const keys = [...byId.values()].filter((key) => isOf(owner, key)).sort(newestFirst);
      const behind = after === undefined ? keys : keys.filter((key) => newestFirst(after, key) < 0);
      return behind.slice(0, limit).map(({ keyHash: _, ...key }) => key);
    },

    async revoke({ id, now, ...owner }) {
      const key = byId.get(id);
      if (key === undefined || !isOf(owner, key)) return false;
      if (key.revokedAt === null) change(key, { revokedAt: now });
      return true;
    },

    async revokeAll({ now, ...owner }) {
      const live = [...byId.values()].filter((key) => isOf(owner, key) && key.revokedAt === null);
      for (const key of live) change(key, { revokedAt: now });
      return live.length;
    },

    async recordUse(ids, usedAt) {
      for (const id of ids) {
        const key = byId.get(id);
        if (key !== undefined && (key.lastUsedAt ?? -1) < usedAt) change(key, { lastUsedAt: usedAt });
      }
    },
  };
}

type Owner = Pick<ApiKey, 'uid' | 'instance'>;

function isOf({ uid, instance }: Owner, key: ApiKey): boolean {
  return key.uid === uid && key.instance === instance;
}

type Position = Pick<ApiKey, 'id' | 'createdAt'>;

function newestFirst(a: Position, b: Position): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

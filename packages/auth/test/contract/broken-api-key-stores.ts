import type { ApiKeyStore, StoredApiKey } from '../../src/api-keys/api-key-store.ts';
import { memoryApiKeyStore } from '../../src/api-keys/memory-api-key-store.ts';
import { type BrokenStore, breakerOf } from './broken-store.ts';

const broken = breakerOf<ApiKeyStore>(memoryApiKeyStore);

/** Stores that break one promise each; everything else is `memoryApiKeyStore`. */
export const brokenApiKeyStores: readonly BrokenStore<ApiKeyStore>[] = [
  broken('loses the expiry', 'with every field as it was stored', (sound) => ({
    add: (key) => sound.add({ ...key, expiresAt: null }),
  })),
  broken('joins scopes with a space', 'with every field as it was stored', (sound) => ({
    add: (key) => sound.add({ ...key, scopes: key.scopes.join(' ').split(' ') }),
  })),
  broken('cuts long lists of scopes', 'with as many as there may be', (sound) => ({
    add: (key) => sound.add({ ...key, scopes: key.scopes.slice(0, 63) }),
  })),
  broken('looks hashes up in any case', 'one that only resembles it', (sound) => ({
    findByHash: (query) => sound.findByHash({ ...query, keyHash: query.keyHash.toLowerCase() }),
  })),
  broken('looks hashes up without trailing space', 'one that only resembles it', (sound) => ({
    findByHash: (query) => sound.findByHash({ ...query, keyHash: query.keyHash.trimEnd() }),
  })),
  broken('lets a key replace another', 'rejects a key whose id or hash is taken', (sound) => {
    const taken = new Map<string, StoredApiKey>();
    return {
      async add(key) {
        const isTaken = [...taken.values()].some(
          ({ id, keyHash }) => id === key.id || keyHash === key.keyHash,
        );
        taken.set(key.id, key);
        if (!isTaken) await sound.add(key);
      },
    };
  }),
  broken('checks a hash first and stores later', 'claim one hash at once', (sound) => {
    const hashes = new Map<string, StoredApiKey[]>();
    return {
      async add(key) {
        if (hashes.has(key.keyHash)) throw new Error('taken');
        await Promise.resolve();
        hashes.set(key.keyHash, []);
        await sound.add({ ...key, keyHash: `${key.keyHash}${key.id}` });
      },
      async findByHash(query) {
        return sound.findByHash(query);
      },
    };
  }),
  broken('keeps the array it was given', 'whatever happens to the array of scopes', (sound) => {
    const given = new Map<string, readonly string[]>();
    return {
      async add(key) {
        given.set(key.keyHash, key.scopes);
        await sound.add(key);
      },
      async findByHash(query) {
        const key = await sound.findByHash(query);
        return key && { ...key, scopes: given.get(key.keyHash) ?? key.scopes };
      },
    };
  }),
  broken('lists hashes', 'without their hashes', (sound) => ({
    async list(query) {
      const keys = await sound.list(query);
      return keys.map((key) => ({ ...key, keyHash: 'sha256$' }));
    },
  })),
  broken('lists the oldest first', 'newest first', (sound) => ({
    list: async (query) => [...(await sound.list(query))].reverse(),
  })),
  broken('lists no revoked keys', 'revoked and expired ones included', (sound) => ({
    list: async (query) => (await sound.list(query)).filter(({ revokedAt }) => revokedAt === null),
  })),
  broken('pages by time alone', 'pages through a list without gap', (sound) => ({
    list: ({ after, ...query }) =>
      sound.list(after === undefined ? query : { ...query, after: { ...after, id: '0'.repeat(32) } }),
  })),
  broken('ignores the limit', 'pages through a list', (sound) => ({
    list: (query) => sound.list({ ...query, limit: 1_000 }),
  })),
  broken('folds the case of users', 'tells users apart', (sound) => ({
    add: (key) => sound.add({ ...key, uid: key.uid.toLowerCase() }),
    list: (query) => sound.list({ ...query, uid: query.uid.toLowerCase() }),
  })),
  broken('ignores space at the end of users', 'tells users apart', (sound) => ({
    add: (key) => sound.add({ ...key, uid: key.uid.replace(/ +$/, '') }),
    list: (query) => sound.list({ ...query, uid: query.uid.replace(/ +$/, '') }),
  })),
  broken('looks a hash up in every instance', 'finds a key within its own instance', (sound) => {
    const instances = new Map<string, string>();
    return {
      async add(key) {
        await sound.add(key);
        instances.set(key.keyHash, key.instance);
      },
      findByHash: ({ keyHash }) => sound.findByHash({ keyHash, instance: instances.get(keyHash) ?? '' }),
    };
  }),
  broken('folds the case of instances', 'lists the keys that a user has in one instance', (sound) => ({
    list: (query) => sound.list({ ...query, instance: query.instance.toLowerCase() }),
  })),
  broken('ignores space at the end of instances', 'revokes all keys that a user has in one', (sound) => ({
    add: (key) => sound.add({ ...key, instance: key.instance.trimEnd() }),
  })),
  broken('cuts a page before it looks at the instance', 'as if those of other instances', (sound) => {
    const instances = new Set<string>();
    return {
      async add(key) {
        await sound.add(key);
        instances.add(key.instance);
      },
      async list(query) {
        const found = await Promise.all([...instances].map((instance) => sound.list({ ...query, instance })));
        const page = found
          .flat()
          .sort((a, b) => b.createdAt - a.createdAt)
          .slice(0, query.limit);
        return page.filter(({ instance }) => instance === query.instance);
      },
    };
  }),
  broken('revokes a key in every instance', 'revokes a key within its own instance', (sound) => {
    const instances = new Map<string, string>();
    return {
      async add(key) {
        await sound.add(key);
        instances.set(key.id, key.instance);
      },
      revoke: (revocation) =>
        sound.revoke({ ...revocation, instance: instances.get(revocation.id) ?? revocation.instance }),
    };
  }),
  broken('revokes all keys in every instance', 'revokes all keys that a user has in one', (sound) => {
    const instances = new Set<string>();
    return {
      async add(key) {
        await sound.add(key);
        instances.add(key.instance);
      },
      async revokeAll(revocation) {
        const counts = [...instances].map((instance) => sound.revokeAll({ ...revocation, instance }));
        return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
      },
    };
  }),
  broken('lets the last use go back', 'forward only', (sound) => {
    const usedAt = new Map<string, number>();
    return {
      async recordUse(ids, now) {
        for (const id of ids) usedAt.set(id, now);
      },
      async findByHash(query) {
        const key = await sound.findByHash(query);
        return key && { ...key, lastUsedAt: usedAt.get(key.id) ?? null };
      },
    };
  }),
  broken('notes a use only once', 'forward only', (sound) => {
    const known = new Set<string>();
    return {
      recordUse(ids, now) {
        const fresh = ids.filter((id) => !known.has(id));
        for (const id of fresh) known.add(id);
        return sound.recordUse(fresh, now);
      },
    };
  }),
  broken('notes a hundred uses and drops the rest', 'the use of 500 keys', (sound) => ({
    recordUse: (ids, now) => sound.recordUse(ids.slice(0, 100), now),
  })),
  broken('moves the time of a revocation', 'the first time stays', (sound) => {
    const times = new Map<string, number>();
    return {
      async revoke(revocation) {
        const isOwn = await sound.revoke(revocation);
        if (isOwn) times.set(revocation.id, revocation.now);
        return isOwn;
      },
      async findByHash(query) {
        const key = await sound.findByHash(query);
        return key && { ...key, revokedAt: times.get(key.id) ?? key.revokedAt };
      },
    };
  }),
  broken('says of a revoked key that it is not there', 'a repeat says the same', (sound) => {
    const revoked = new Set<string>();
    return {
      async revoke(revocation) {
        if (revoked.has(revocation.id)) return false;
        const isOwn = await sound.revoke(revocation);
        if (isOwn) revoked.add(revocation.id);
        return isOwn;
      },
    };
  }),
  broken('revokes for anybody', 'for anybody but the owner', (sound) => {
    const owners = new Map<string, string>();
    return {
      async add(key) {
        owners.set(key.id, key.uid);
        await sound.add(key);
      },
      revoke: (revocation) => sound.revoke({ ...revocation, uid: owners.get(revocation.id) ?? '' }),
    };
  }),
  broken('forgets revoked keys', 'still finds and lists a revoked key', (sound) => ({
    async findByHash(query) {
      const key = await sound.findByHash(query);
      return key?.revokedAt === null ? key : undefined;
    },
  })),
  broken('revokes every key with one', 'leaves the other keys', (sound) => ({
    async revoke(revocation) {
      const isOwn = await sound.revoke(revocation);
      if (isOwn) await sound.revokeAll(revocation);
      return isOwn;
    },
  })),
  broken('revokes the first key of a user alone', 'revokes all keys of a user', (sound) => ({
    async revokeAll(revocation) {
      const [key] = (await sound.list({ ...revocation, limit: 100 })).filter(
        ({ revokedAt }) => revokedAt === null,
      );
      return key !== undefined && (await sound.revoke({ ...revocation, id: key.id })) ? 1 : 0;
    },
  })),
  broken('counts keys that were revoked before', 'counts those it revoked', (sound) => ({
    async revokeAll(revocation) {
      await sound.revokeAll(revocation);
      return (await sound.list({ ...revocation, limit: 1_000 })).length;
    },
  })),
  broken('reads what is live, then revokes it', 'by one of several calls at once', (sound) => ({
    async revokeAll(revocation) {
      const listed = await sound.list({ ...revocation, limit: 100 });
      const live = listed.filter(({ revokedAt }) => revokedAt === null);
      for (const { id } of live) await sound.revoke({ ...revocation, id });
      return live.length;
    },
  })),
  broken('writes whole rows back when it notes a use', 'never brings a revoked key back', (sound) => {
    const cleared = new Set<string>();
    return {
      async recordUse(ids, now) {
        await sound.recordUse(ids, now);
        for (const id of ids) cleared.add(id);
      },
      async findByHash(query) {
        const key = await sound.findByHash(query);
        return key && cleared.has(key.id) ? { ...key, revokedAt: null } : key;
      },
    };
  }),
];

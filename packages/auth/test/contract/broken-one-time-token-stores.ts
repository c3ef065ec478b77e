import { memoryOneTimeTokenStore } from '../../src/one-time-tokens/memory-one-time-token-store.ts';
import type {
  NewOneTimeToken,
  OneTimeToken,
  OneTimeTokenStore,
} from '../../src/one-time-tokens/one-time-token-store.ts';
import { type BrokenStore, breakerOf } from './broken-store.ts';

const broken = breakerOf<OneTimeTokenStore>(memoryOneTimeTokenStore);

/** Stores that break one promise each; everything else is `memoryOneTimeTokenStore`. */
export const brokenOneTimeTokenStores: readonly BrokenStore<OneTimeTokenStore>[] = [
  broken('loses the time of the issue', 'with every field as it was stored', (sound) => ({
    issue: (token) => sound.issue({ ...token, issuedAt: 0 }),
  })),
  broken('cuts long users', 'with every field as it was stored', (sound) => ({
    issue: (token) => sound.issue({ ...token, uid: token.uid.slice(0, 64) }),
  })),
  broken('looks hashes up in any case', 'one that only resembles it', (sound) => ({
    find: (query) => sound.find({ ...query, tokenHash: query.tokenHash.toLowerCase() }),
  })),
  broken('consumes by hashes without trailing space', 'one that only resembles it', (sound) => ({
    consume: (query) => sound.consume({ ...query, tokenHash: query.tokenHash.trimEnd() }),
  })),
  broken('consumes a token for any purpose', 'for its own purpose alone', (sound) => {
    const issued = new Map<string, NewOneTimeToken>();
    return {
      async issue(token) {
        issued.set(token.tokenHash, token);
        await sound.issue(token);
      },
      consume: (query) => {
        const purpose = issued.get(query.tokenHash)?.purpose ?? query.purpose;
        return sound.consume({ ...query, purpose });
      },
    };
  }),
  broken('finds a token in any instance', 'within its own instance', (sound) => {
    const issued = new Map<string, NewOneTimeToken>();
    return {
      async issue(token) {
        issued.set(token.tokenHash, token);
        await sound.issue(token);
      },
      find: (query) => {
        const instance = issued.get(query.tokenHash)?.instance ?? query.instance;
        return sound.find({ ...query, instance });
      },
    };
  }),
  broken('ends a token that is presented for another purpose', 'for its own purpose alone', (sound) => ({
    async consume(query) {
      const consumed = await sound.consume(query);
      if (consumed === undefined) await sound.consume({ ...query, purpose: 'password_reset' });
      return consumed;
    },
  })),
  broken('takes a token in the second of its expiry', 'from the second of its expiry on', (sound) => ({
    consume: (query) => sound.consume({ ...query, now: query.now - 1 }),
  })),
  broken('finds tokens that have expired', 'from the second of its expiry on', (sound) => ({
    find: (query) => sound.find({ ...query, now: 0 }),
  })),
  broken('keeps the earlier token open', 'replaces the token that the user has', (sound) => {
    const older = memoryOneTimeTokenStore();
    let isSecond = false;
    return {
      async issue(token) {
        if (token.uid === '42' && token.purpose === 'password_reset' && token.instance === '/api/admin') {
          if (isSecond) return await older.issue(token);
          isSecond = true;
        }
        await sound.issue(token);
      },
      find: async (query) => (await sound.find(query)) ?? (await older.find(query)),
      consume: async (query) => (await sound.consume(query)) ?? (await older.consume(query)),
    };
  }),
  broken("replaces a user's tokens for every purpose", 'and no other', (sound) => ({
    async issue(token) {
      const { uid, instance, issuedAt: now } = token;
      await sound.revokeAll({ uid, instance, now });
      await sound.issue(token);
    },
  })),
  broken('refuses to replace a token', 'replaces a token that has expired', (sound) => {
    const taken = new Set<string>();
    return {
      async issue(token) {
        const slot = `${token.uid} ${token.instance} ${token.purpose}`;
        if (!taken.has(slot)) await sound.issue(token);
        taken.add(slot);
      },
    };
  }),
  broken('folds the case of users', 'tells users apart', (sound) => ({
    issue: (token) => sound.issue({ ...token, uid: token.uid.toLowerCase() }),
  })),
  broken('revokes without regard to space', 'tells users apart', (sound) => {
    const uids = new Set<string>();
    return {
      async issue(token) {
        uids.add(token.uid);
        await sound.issue(token);
      },
      async revokeAll(revocation) {
        const alike = [...uids].filter((uid) => uid.trim() === revocation.uid.trim());
        const counts = alike.map((uid) => sound.revokeAll({ ...revocation, uid }));
        return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
      },
    };
  }),
  broken('voids first and stores later', 'leaves one open token', (sound) => {
    const rows = new Map<string, NewOneTimeToken>();
    const open = ({ tokenHash }: { readonly tokenHash: string }) => rows.get(tokenHash);
    return {
      async issue(token) {
        const others = [...rows.values()].filter(({ uid }) => uid === token.uid);
        await Promise.resolve();
        for (const { tokenHash } of others) rows.delete(tokenHash);
        rows.set(token.tokenHash, token);
        await sound.issue(token);
      },
      find: async (query) => recordOf(open(query)),
      async consume(query) {
        const token = open(query);
        rows.delete(query.tokenHash);
        return recordOf(token);
      },
    };
  }),
  broken('reads first and deletes later', 'one of many callers at once', (sound) => ({
    async consume(query) {
      const found = await sound.find(query);
      await Promise.resolve();
      await sound.consume(query);
      return found;
    },
  })),
  broken('consumes where it finds', 'consumes none by it', (sound) => ({
    find: (query) => sound.consume(query),
  })),
  broken('gives a token out twice', 'consumes a token once', (sound) => ({
    consume: (query) => sound.find(query),
  })),
  broken("ends a user's other tokens with one", 'leaves the others open', (sound) => ({
    async consume(query) {
      const consumed = await sound.consume(query);
      if (consumed !== undefined) {
        await sound.revokeAll({ uid: consumed.uid, instance: consumed.instance, now: query.now });
      }
      return consumed;
    },
  })),
  broken('revives a token that is replaced while it is consumed', 'consumes or replaces', (sound) => ({
    async consume(query) {
      const found = await sound.find(query);
      if (found === undefined) return await sound.consume(query);
      const consumed = await sound.consume(query);
      await Promise.resolve();
      await sound.issue({ ...found, tokenHash: query.tokenHash });
      await sound.consume(query);
      return consumed;
    },
  })),
  broken('counts what it was about to revoke', 'revokes or consumes a token', (sound) => {
    const live = new Set<string>();
    return {
      async issue(token) {
        live.add(token.uid);
        await sound.issue(token);
      },
      async revokeAll(revocation) {
        const count = live.delete(revocation.uid) ? 1 : 0;
        await Promise.resolve();
        await sound.revokeAll(revocation);
        return count;
      },
    };
  }),
  broken('revokes for every purpose', 'all or those for a purpose', (sound) => ({
    revokeAll: ({ purpose: _, ...revocation }) => sound.revokeAll(revocation),
  })),
  broken('revokes in every instance', 'in one instance', (sound) => ({
    async revokeAll(revocation) {
      const elsewhere = await sound.revokeAll({ ...revocation, instance: '/api' });
      return elsewhere + (await sound.revokeAll(revocation));
    },
  })),
  broken('counts expired tokens as revoked', 'that has expired or was consumed', (sound) => ({
    revokeAll: (revocation) => sound.revokeAll({ ...revocation, now: 0 }),
  })),
  broken('ignores a transaction', 'a transaction that is none', (sound) => ({
    consume: ({ transaction: _, ...presented }) => sound.consume(presented),
  })),
  broken('purges more than it is asked to', 'as many as it is asked to', (sound) => ({
    purge: (options) => sound.purge({ ...options, limit: 1_000 }),
  })),
  broken('purges what expires in the next second', 'none that is open', (sound) => ({
    purge: (options) => sound.purge({ ...options, expiredBefore: options.expiredBefore + 1 }),
  })),
  broken('counts what another process purged', 'purges each token once', (sound) => {
    const due = new Map<string, number>();
    return {
      async issue(token) {
        due.set(token.tokenHash, token.expiresAt);
        await sound.issue(token);
      },
      async purge(options) {
        const expired = [...due].filter(([, expiresAt]) => expiresAt <= options.expiredBefore);
        await Promise.resolve();
        for (const [hash] of expired) due.delete(hash);
        await sound.purge(options);
        return Math.min(expired.length, options.limit);
      },
    };
  }),
];

function recordOf(token: NewOneTimeToken | undefined): OneTimeToken | undefined {
  if (token === undefined) return undefined;
  const { tokenHash: _, transaction: __, ...record } = token;
  return record;
}

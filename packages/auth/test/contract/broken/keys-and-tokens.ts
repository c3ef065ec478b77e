import { type Breaks, breaking } from '../../../../../test/contract/breaking.ts';
import type { ApiKeyStore } from '../../../src/api-keys/api-key-store.ts';
import type { OneTimeTokenStore } from '../../../src/one-time-tokens/one-time-token-store.ts';

const ofKeys = breaking<ApiKeyStore>();
const ofTokens = breaking<OneTimeTokenStore>();

/** What breaks the promises of stores of API keys. */
export const brokenApiKeys: Breaks<ApiKeyStore> = {
  'with every field as it was stored': ofKeys.ask('add', (key) => ({ ...key, expiresAt: null })),
  'with as many as there may be': ofKeys.ask('add', (key) => ({ ...key, scopes: key.scopes.slice(0, 63) })),
  'one that only resembles it': ofKeys.ask('findByHash', (query) => ({
    ...query,
    keyHash: query.keyHash.toLowerCase(),
  })),
  'without their hashes': ofKeys.answer('list', (all) => all.map((key) => ({ ...key, keyHash: 'sha256$' }))),
  'newest first': ofKeys.answer('list', (given) => [...given].reverse()),
  'revoked and expired ones included': ofKeys.answer('list', (given) =>
    given.filter(({ revokedAt }) => revokedAt === null),
  ),
  'tells users apart': ofKeys.ask('add', (key) => ({ ...key, uid: key.uid.toLowerCase() })),
  'the use of 500 keys': ofKeys.ask('recordUse', (ids) => ids.slice(0, 100)),
  'still finds and lists a revoked key': ofKeys.answer('findByHash', (key) =>
    key?.revokedAt === null ? key : undefined,
  ),
  'by one of several calls at once': (sound) => ({
    async revokeAll(revocation) {
      const listed = await sound.list({ ...revocation, limit: 100 });
      const live = listed.filter(({ revokedAt }) => revokedAt === null);
      for (const { id } of live) await sound.revoke({ ...revocation, id });
      return live.length;
    },
  }),
};

/** What breaks the promises of stores of one-time tokens. */
export const brokenOneTimeTokens: Breaks<OneTimeTokenStore> = {
  'with every field as it was stored': ofTokens.ask('issue', (token) => ({ ...token, issuedAt: 0 })),
  'one that only resembles it': ofTokens.ask('find', (query) => ({
    ...query,
    tokenHash: query.tokenHash.toLowerCase(),
  })),
  'from the second of its expiry on': ofTokens.ask('consume', (query) => ({ ...query, now: query.now - 1 })),
  'tells users apart': ofTokens.ask('issue', (token) => ({ ...token, uid: token.uid.toLowerCase() })),
  'one of many callers at once': (sound) => ({
    async consume(query) {
      const found = await sound.find(query);
      await Promise.resolve();
      await sound.consume(query);
      return found;
    },
  }),
  'consumes none by it': (sound) => ({ find: (query) => sound.consume(query) }),
  'consumes a token once': (sound) => ({ consume: (query) => sound.find(query) }),
  'all or those for a purpose': ofTokens.ask('revokeAll', ({ purpose: _, ...revocation }) => revocation),
  'that has expired or was consumed': ofTokens.ask('revokeAll', (revocation) => ({ ...revocation, now: 0 })),
  'a transaction that is none': ofTokens.ask('consume', ({ transaction: _, ...presented }) => presented),
  'as many as it is asked to': ofTokens.ask('purge', (options) => ({ ...options, limit: 1_000 })),
  'none that is open': ofTokens.ask('purge', (options) => ({
    ...options,
    expiredBefore: options.expiredBefore + 1,
  })),
};

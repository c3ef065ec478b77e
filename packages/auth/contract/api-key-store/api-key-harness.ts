import assert from 'node:assert/strict';
import type { ApiKeyStore, StoredApiKey } from '../../src/api-keys/api-key-store.ts';
import { randomHex } from '../store/random-hex.ts';
import type { HarnessCases } from '../store/store-contract.ts';
import { StoreHarness } from '../store/store-harness.ts';

export type ApiKeyHarnessCases = HarnessCases<ApiKeyHarness>;

/** 2026-11-20T04:10:00Z. */
export const START = 1_795_147_800;

/** The instance of every key that a case does not give to another. */
export const INSTANCE = '/api';

/**
 * Users that a loose comparison would take for one: by case, accent, trailing space, normal form.
 */
export const SIMILAR_UIDS: readonly string[] = Object.freeze([
  'ada',
  'Ada',
  'ADA',
  'áda',
  'ada ',
  'ada\t',
  ' ada',
  'a\u0301da',
  'ada\u200b',
  'ｆoo',
  'foo',
  'ß',
  'ss',
  '%',
  '_',
  '\\',
  "'",
  '42',
  '042',
  '42.0',
  '👩‍👩‍👧',
  '👩',
]);

/** What cases do again and again, said shortly. */
export class ApiKeyHarness extends StoreHarness<ApiKeyStore> {
  /**
   * Stores a key of user 42 and {@link INSTANCE} that neither expires nor is revoked, unless
   * `fields` say otherwise.
   */
  async add(fields: Partial<StoredApiKey> = {}): Promise<StoredApiKey> {
    const key = this.newKey(fields);
    await this.store.add(key);
    return key;
  }

  newKey(fields: Partial<StoredApiKey> = {}): StoredApiKey {
    return {
      id: randomHex(16),
      instance: INSTANCE,
      uid: '42',
      name: 'Deploys',
      displayPrefix: 'acme_AbCd1234',
      keyHash: `sha256$${randomHex(32)}`,
      scopes: ['orders:read', 'orders:write'],
      createdAt: START,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      ...fields,
    };
  }

  /** The key of that hash and instance, which must be there. */
  async found({ keyHash, instance }: Pick<StoredApiKey, 'keyHash' | 'instance'>): Promise<StoredApiKey> {
    const key = await this.store.findByHash({ keyHash, instance });
    assert.ok(key !== undefined, 'the key was not found by its hash');
    return key;
  }

  async listedIds(uid: string, instance: string = INSTANCE): Promise<string[]> {
    const keys = await this.store.list({ uid, instance, limit: 100 });
    return keys.map(({ id }) => id);
  }
}

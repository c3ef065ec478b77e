import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ApiKeyStore, StoredApiKey } from '../../api-keys/api-key-store.ts';

/** One store, empty, for one case. */
export interface ApiKeyStoreUnderTest {
  readonly store: ApiKeyStore;
  /** The same data through a connection of its own, as another process has it. */
  readonly secondProcess?: ApiKeyStore;
  /** Releases what the case used. Called once, also after a failure. */
  close(): Promise<void>;
}

/** One promise of the interface, as a program. */
export interface ApiKeyHarnessCase {
  readonly name: string;
  /** Means something only where there is a second connection. */
  readonly needsSecondProcess?: boolean;
  run(harness: ApiKeyHarness): Promise<void>;
}

/** As many callers at once as make a race likely on two connections. */
export const RACERS = 20;

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
export class ApiKeyHarness {
  readonly store: ApiKeyStore;
  readonly #secondProcess: ApiKeyStore | undefined;

  constructor({ store, secondProcess }: ApiKeyStoreUnderTest) {
    this.store = store;
    this.#secondProcess = secondProcess;
  }

  get secondProcess(): ApiKeyStore {
    assert.ok(this.#secondProcess, 'createStore gives no secondProcess, although hasSecondProcess is set');
    return this.#secondProcess;
  }

  /**
   * The store of the nth of several callers: both connections take part in a race, where there are
   * two.
   */
  storeOf(caller: number): ApiKeyStore {
    return this.#secondProcess !== undefined && caller % 2 === 1 ? this.#secondProcess : this.store;
  }

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

  /** Lets all race, on both connections where there are two. */
  race<Result>(run: (store: ApiKeyStore, caller: number) => Promise<Result>): Promise<Result[]> {
    return Promise.all(Array.from({ length: RACERS }, (_, caller) => run(this.storeOf(caller), caller)));
  }
}

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type {
  NewOneTimeToken,
  OneTimeToken,
  OneTimeTokenStore,
  PresentedOneTimeToken,
} from '../../one-time-tokens/one-time-token-store.ts';

/** One store, empty, for one case. */
export interface OneTimeTokenStoreUnderTest {
  readonly store: OneTimeTokenStore;
  /** The same data through a connection of its own, as another process has it. */
  readonly secondProcess?: OneTimeTokenStore;
  /** Releases what the case used. Called once, also after a failure. */
  close(): Promise<void>;
}

/** One promise of the interface, as a program. */
export interface OneTimeTokenHarnessCase {
  readonly name: string;
  /** Means something only where there is a second connection. */
  readonly needsSecondProcess?: boolean;
  run(harness: OneTimeTokenHarness): Promise<void>;
}

/** As many callers at once as make a race likely on two connections. */
export const RACERS = 50;

/** 2026-11-20T04:10:00Z. */
export const START = 1_795_147_800;
export const INSTANCE = '/api/admin';
export const PURPOSE = 'password_reset';
export const TTL_SECONDS = 3_600;

/** A token as the store got it. */
export type Issued = Omit<NewOneTimeToken, 'transaction'>;

/** What cases do again and again, said shortly; and the time they happen at. */
export class OneTimeTokenHarness {
  readonly store: OneTimeTokenStore;
  readonly #secondProcess: OneTimeTokenStore | undefined;
  now = START;

  constructor({ store, secondProcess }: OneTimeTokenStoreUnderTest) {
    this.store = store;
    this.#secondProcess = secondProcess;
  }

  get secondProcess(): OneTimeTokenStore {
    assert.ok(this.#secondProcess, 'createStore gives no secondProcess, although hasSecondProcess is set');
    return this.#secondProcess;
  }

  /**
   * The store of the nth of several callers: both connections take part in a race, where there are
   * two.
   */
  storeOf(caller: number): OneTimeTokenStore {
    return this.#secondProcess !== undefined && caller % 2 === 1 ? this.#secondProcess : this.store;
  }

  newToken(fields: Partial<OneTimeToken> = {}): Issued {
    return {
      tokenHash: randomHex(32),
      uid: '42',
      instance: INSTANCE,
      purpose: PURPOSE,
      issuedAt: this.now,
      expiresAt: this.now + TTL_SECONDS,
      ...fields,
    };
  }

  /** Issues a token to user 42 in {@link INSTANCE}, unless `fields` say otherwise. */
  async issue(fields: Partial<OneTimeToken> = {}, store = this.store): Promise<Issued> {
    const token = this.newToken(fields);
    await store.issue(token);
    return token;
  }

  consume(
    token: Pick<Issued, 'tokenHash'>,
    fields: Partial<PresentedOneTimeToken> = {},
    store = this.store,
  ): Promise<OneTimeToken | undefined> {
    return store.consume({ ...this.presented(token), ...fields });
  }

  find(
    token: Pick<Issued, 'tokenHash'>,
    fields: Partial<PresentedOneTimeToken> = {},
  ): Promise<OneTimeToken | undefined> {
    return this.store.find({ ...this.presented(token), ...fields });
  }

  presented({ tokenHash }: Pick<Issued, 'tokenHash'>): PresentedOneTimeToken {
    return { tokenHash, instance: INSTANCE, purpose: PURPOSE, now: this.now };
  }

  /** Asserts that a token is open in its own instance and for its own purpose. */
  async expectOpen(token: Issued, message?: string): Promise<void> {
    const { instance, purpose } = token;
    assert.deepEqual(await this.find(token, { instance, purpose }), recordOf(token), message);
  }

  async expectGone(token: Issued, message?: string): Promise<void> {
    const { instance, purpose } = token;
    assert.equal(await this.find(token, { instance, purpose }), undefined, message);
    assert.equal(await this.consume(token, { instance, purpose }), undefined, message);
  }

  /** Lets all race, on both connections where there are two. */
  race<Result>(run: (store: OneTimeTokenStore, caller: number) => Promise<Result>): Promise<Result[]> {
    return Promise.all(Array.from({ length: RACERS }, (_, caller) => run(this.storeOf(caller), caller)));
  }
}

/** The fields of a token that a store returns. */
export function recordOf({ tokenHash: _, ...token }: Issued): OneTimeToken {
  return token;
}

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

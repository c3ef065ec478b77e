import assert from 'node:assert/strict';
import type {
  NewOneTimeToken,
  OneTimeToken,
  OneTimeTokenStore,
  PresentedOneTimeToken,
} from '../../src/one-time-tokens/one-time-token-store.ts';
import { randomHex } from '../store/random-hex.ts';
import type { HarnessCases } from '../store/store-contract.ts';
import { StoreHarness } from '../store/store-harness.ts';

export type OneTimeTokenHarnessCases = HarnessCases<OneTimeTokenHarness>;

/** As many callers at once as make a race likely on two connections. */
const RACERS = 50;

/** 2026-11-20T04:10:00Z. */
export const START = 1_795_147_800;
export const INSTANCE = '/api/admin';
export const PURPOSE = 'password_reset';
export const TTL_SECONDS = 3_600;

/** A token as the store got it. */
export type Issued = Omit<NewOneTimeToken, 'transaction'>;

/** What cases do again and again, said shortly; and the time they happen at. */
export class OneTimeTokenHarness extends StoreHarness<OneTimeTokenStore> {
  now = START;

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

  override race<Result>(
    run: (store: OneTimeTokenStore, caller: number) => Promise<Result>,
  ): Promise<Result[]> {
    return super.race(run, RACERS);
  }
}

/** The fields of a token that a store returns. */
export function recordOf({ tokenHash: _, ...token }: Issued): OneTimeToken {
  return token;
}

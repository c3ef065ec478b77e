import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { LoginFailureCounts, LoginFailureStore } from '../../src/throttle/login-failure-store.ts';
import type { HarnessCases } from '../store/store-contract.ts';
import { StoreHarness } from '../store/store-harness.ts';

export type LoginFailureHarnessCases = HarnessCases<LoginFailureHarness>;

const KEEP_SECONDS = 1_200;

/** What cases do again and again, said shortly. */
export class LoginFailureHarness extends StoreHarness<LoginFailureStore> {
  /** A key as the throttle makes them. */
  newKey(): string {
    return `login:${randomBytes(32).toString('base64url')}`;
  }

  async add(
    key: string,
    { failures = 0, underWay = 0 }: Partial<LoginFailureCounts>,
    store = this.store,
  ): Promise<LoginFailureCounts> {
    const [counts] = await store.add([{ key, failures, underWay }], KEEP_SECONDS);
    assert.ok(counts !== undefined, 'add returned no counts for its key');
    return plain(counts);
  }

  async addAll(
    changes: readonly (readonly [key: string, failures: number, underWay: number])[],
    store = this.store,
  ): Promise<readonly LoginFailureCounts[]> {
    const given = changes.map(([key, failures, underWay]) => ({ key, failures, underWay }));
    return (await store.add(given, KEEP_SECONDS)).map(plain);
  }

  async forget(key: string, store = this.store): Promise<LoginFailureCounts> {
    return plain(await store.forget(key));
  }
}

function plain({ failures, underWay }: LoginFailureCounts): LoginFailureCounts {
  return { failures, underWay };
}

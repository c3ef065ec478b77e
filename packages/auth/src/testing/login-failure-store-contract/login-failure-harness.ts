import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type {
  LoginFailureCounts,
  LoginFailureStore,
} from '../../sessions/login-throttle/login-failure-store.ts';

/** One store for one case. */
export interface LoginFailureStoreUnderTest {
  readonly store: LoginFailureStore;
  /** The same data through a connection of its own, as another process has it. */
  readonly secondProcess?: LoginFailureStore;
  /** Releases what the case used. Called once, also after a failure. */
  close(): Promise<void>;
}

/** One promise of the interface, as a program. */
export interface LoginFailureHarnessCase {
  readonly name: string;
  /** Means something only where there is a second connection. */
  readonly needsSecondProcess?: boolean;
  run(harness: LoginFailureHarness): Promise<void>;
}

/** As many callers at once as make a race likely on two connections. */
export const RACERS = 20;
const KEEP_SECONDS = 1_200;

/** What cases do again and again, said shortly. */
export class LoginFailureHarness {
  readonly store: LoginFailureStore;
  readonly #secondProcess: LoginFailureStore | undefined;

  constructor({ store, secondProcess }: LoginFailureStoreUnderTest) {
    this.store = store;
    this.#secondProcess = secondProcess;
  }

  get secondProcess(): LoginFailureStore {
    assert.ok(this.#secondProcess, 'createStore gives no secondProcess, although hasSecondProcess is set');
    return this.#secondProcess;
  }

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

  /** Lets all race, on both connections where there are two. */
  race<Result>(run: (store: LoginFailureStore, caller: number) => Promise<Result>): Promise<Result[]> {
    return Promise.all(
      Array.from({ length: RACERS }, (_, caller) => {
        const isSecond = this.#secondProcess !== undefined && caller % 2 === 1;
        return run(isSecond ? this.secondProcess : this.store, caller);
      }),
    );
  }
}

function plain({ failures, underWay }: LoginFailureCounts): LoginFailureCounts {
  return { failures, underWay };
}

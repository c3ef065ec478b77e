import assert from 'node:assert/strict';

/** One store for one case of a contract. */
export interface StoreUnderTest<Store> {
  readonly store: Store;
  /** The same data through a connection of its own, as another process has it. */
  readonly secondProcess?: Store;
  /** Releases what the case used. Called once, also after a failure. */
  close(): Promise<void>;
}

/** As many callers at once as make a race likely on two connections. */
export const RACERS = 20;

/** What the cases of every contract do with a store. */
export class StoreHarness<Store> {
  readonly store: Store;
  readonly #secondProcess: Store | undefined;

  constructor({ store, secondProcess }: StoreUnderTest<Store>) {
    this.store = store;
    this.#secondProcess = secondProcess;
  }

  get secondProcess(): Store {
    assert.ok(this.#secondProcess, 'createStore gives no secondProcess, although hasSecondProcess is set');
    return this.#secondProcess;
  }

  /**
   * The store of the nth of several callers: both connections take part in a race, if there are
   * two.
   */
  storeOf(caller: number): Store {
    return this.#secondProcess !== undefined && caller % 2 === 1 ? this.#secondProcess : this.store;
  }

  /** Lets all race, on both connections if there are two. */
  race<Result>(
    run: (store: Store, caller: number) => Promise<Result>,
    racers: number = RACERS,
  ): Promise<Result[]> {
    return Promise.all(Array.from({ length: racers }, (_, caller) => run(this.storeOf(caller), caller)));
  }
}

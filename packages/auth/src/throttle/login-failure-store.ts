import type { StoreInterface } from '../host-store.ts';

/** The counts of one key. */
export interface LoginFailureCounts {
  readonly failures: number;
  /**
   * Attempts that have begun and not ended. Below 0 if attempts end whose beginning was forgotten.
   */
  readonly underWay: number;
}

/** What is added to the counts of one key; each number may be negative. */
export interface LoginFailureChange extends LoginFailureCounts {
  /** 1–64 characters of A–Z, a–z, 0–9, `-`, `_`, `:`. Keys compare byte for byte. */
  readonly key: string;
}

/**
 * Where several processes count failed log-ins together. `kyselyLoginFailures` is one; the guide to
 * log-in throttling has another on Redis.
 *
 * A key stands for one account, network or device in one window. It is a keyed hash, and reveals
 * none of them. Counts are never set back, because a later window has another key. They only have
 * to disappear some time.
 *
 * `loginFailureStoreContract` tests these promises.
 */
export interface LoginFailureStore {
  /**
   * Adds to the counts of 1–16 keys, all different, and returns the new counts in the same order. A
   * key that is new, or forgotten, counts from 0.
   *
   * Each key's change is atomic: of any number of calls at once, in any number of processes, each
   * sees the sum of those before it, and none is lost. A change of zeros changes no count.
   *
   * @param keepSeconds how long the counts must stay at least, from now. 301–86,700
   */
  add(changes: readonly LoginFailureChange[], keepSeconds: number): Promise<readonly LoginFailureCounts[]>;

  /**
   * Sets both counts of a key to 0, and returns what they were: of several calls at once, one gets
   * them, and the others get zeros.
   */
  forget(key: string): Promise<LoginFailureCounts>;
}

/** What every such store must be able to do. */
export const LOGIN_FAILURE_STORE: StoreInterface<LoginFailureStore> = {
  name: 'LoginFailureStore',
  label: 'The login failure store',
  methods: {
    add: 'count attempts',
    forget: 'forget failed attempts',
  },
};

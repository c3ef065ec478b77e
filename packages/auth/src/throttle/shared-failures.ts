import { type SupervisedStoreConfig, superviseStore } from './supervised-store.ts';
import { type Begun, BusyError, isBusy, isLocked, lockedOut, type Tally } from './throttle-refusals.ts';

/** Counts outlive their window by the longest log-in, and by what clocks differ. */
const SLACK_SECONDS = 300;
/** Keys at their limit that are remembered within one second. One takes about 150 bytes. */
const MAX_LOCKED = 10_000;

/** Counts attempts in a store that processes share. */
export interface SharedFailures {
  /** False for 5 s after the store has failed or was late: the caller then counts by itself. */
  isAnswering(): boolean;
  /**
   * Counts an attempt as under way before it is verified, so that any number of processes together
   * admit no more than the limit.
   *
   * @param time Unix seconds
   * @returns `undefined` if the store does not answer
   */
  begin(tallies: readonly Tally[], time: number): Promise<Begun | undefined>;
  /**
   * Forgets what is counted under a key in the current window, and tells whether there was
   * anything. Attempts under way go, too: the store cannot tell them from those of a process that
   * was killed.
   *
   * @throws AuthError `unavailable`, if the store does not answer
   */
  forget(key: string): Promise<boolean>;
}

export interface SharedFailuresConfig extends Omit<SupervisedStoreConfig, 'keepSeconds'> {
  readonly windowSeconds: number;
  /** Hashes a text, so that the store learns no login and no address. */
  readonly hash: (text: string) => string;
}

export function createSharedFailures(config: SharedFailuresConfig): SharedFailures {
  const { windowSeconds, now, hash } = config;
  const store = superviseStore({ ...config, keepSeconds: windowSeconds + SLACK_SECONDS });
  /**
   * Keys found at their limit within this second: a flood of guesses asks the store once a second,
   * and a lock that another process lifts is noticed in the next one.
   */
  const locked = new Set<string>();
  let second: number | undefined;

  const storeKey = (key: string, window: number) =>
    `login:${hash(JSON.stringify([windowSeconds, window, key]))}`;

  function findLocked(tallies: readonly Tally[], time: number): boolean {
    if (time !== second) locked.clear();
    second = time;
    return tallies.some(({ key }) => locked.has(key));
  }

  return {
    isAnswering: () => store.isAnswering(),

    async begin(tallies, time) {
      const window = Math.floor(time / windowSeconds);
      const refusal = lockedOut((window + 1) * windowSeconds - time);
      if (findLocked(tallies, time)) return { refusal, end: async () => {} };
      // An attempt ends in the window in which it began, with the keys of that window.
      const keys = tallies.map(({ key }) => storeKey(key, window));
      const end = async (isFailure: (index: number) => boolean) => {
        await store.add(keys.map((key, i) => ({ key, failures: isFailure(i) ? 1 : 0, underWay: -1 })));
      };
      const added = await store.add(keys.map((key) => ({ key, failures: 0, underWay: 1 })));
      if ('late' in added) {
        // The attempt goes on without it; if the store has counted it after all, it is given back.
        added.late.then(() => end(() => false)).catch(() => {});
        return undefined;
      }
      const atLimit = tallies.filter((tally, i) => isLocked(tally, added.counts[i]));
      for (const { key } of atLimit) if (locked.size < MAX_LOCKED) locked.add(key);
      if (atLimit.length > 0) return { refusal, end };
      const isTooMany = tallies.some((tally, i) => isBusy(tally, added.counts[i]));
      return { refusal: isTooMany ? new BusyError() : undefined, end };
    },

    async forget(key) {
      const window = Math.floor(now() / windowSeconds);
      // The next window, too: the clock of another process may be there already.
      const forgotten = await store.forget([storeKey(key, window), storeKey(key, window + 1)]);
      locked.clear();
      return forgotten.some(({ failures, underWay }) => failures > 0 || underWay > 0);
    },
  };
}

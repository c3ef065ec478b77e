import type { Logger } from '../logging/logger.ts';
import { createKeyQueue } from './key-queue.ts';
import { createLockedKeys } from './locked-keys.ts';
import type { LoginFailureCounts, LoginFailureStore } from './login-failure-store.ts';
import { type SupervisedStore, superviseStore } from './supervised-store.ts';
import { attemptsBusy, lockedOut } from './throttle-refusals.ts';

const FIRST_POLL_MS = 20;
const MAX_POLL_MS = 250;
/** Log-ins that use the store at once. */
const MAX_RESERVING = 1_000;
/** Counts outlive their window by the longest log-in, and by what clocks differ. */
const SLACK_SECONDS = 300;

/** A limit, and what it is counted by. */
export interface SharedTally {
  /** Unique among everything that is counted. */
  readonly key: string;
  /** Failures that a window allows. */
  readonly limit: number;
}

/** Gives a reserved attempt back, as a failure of some of its tallies. Never rejects. */
export type EndReservation = (isFailure: (index: number) => boolean) => Promise<void>;

/**
 * Counts failures in a store that several processes share. A window is a whole multiple of its
 * length since 1970, so that processes agree on it without asking.
 */
export interface SharedFailures {
  /** False for 5 s after the store has failed or was late: the caller then counts by itself. */
  isAnswering(): boolean;
  /** @throws AuthError `rate_limited`, if a tally was found at its limit within this second */
  refuseLocked(tallies: readonly SharedTally[]): void;
  /**
   * Counts an attempt as under way before it is verified, so that any number of processes together
   * admit no more than the limit. If attempts of others hold the places, it waits.
   *
   * @param until how long it may wait, as `performance.now()` tells the time, in milliseconds
   * @returns `undefined` if the store does not answer
   * @throws AuthError `rate_limited`, if failures alone reach a limit, or no place came free
   */
  reserve(tallies: readonly SharedTally[], until: number): Promise<EndReservation | undefined>;
  /**
   * Forgets what is counted under a key in the current window, and tells whether there was
   * anything. Attempts under way go, too: the store cannot tell them from those of a process that
   * was killed.
   *
   * @throws AuthError `unavailable`, if the store does not answer
   */
  forget(key: string): Promise<boolean>;
}

export interface SharedFailuresConfig {
  readonly store: LoginFailureStore;
  readonly windowSeconds: number;
  /** Hashes a text, so that the store learns no login and no address. */
  readonly hash: (text: string) => string;
  /** What is counted, for messages: a plural. */
  readonly counted: string;
  readonly logger: Logger;
  /** Unix seconds. */
  readonly now: () => number;
}

export function createSharedFailures(config: SharedFailuresConfig): SharedFailures {
  const { windowSeconds, now } = config;
  const store = superviseStore({ ...config, keepSeconds: windowSeconds + SLACK_SECONDS });
  const refused = createLockedKeys(now);
  const waiting = createKeyQueue();
  let reserving = 0;

  const windowNow = () => Math.floor(now() / windowSeconds);
  const storeKey = (key: string, window: number) =>
    `login:${config.hash(JSON.stringify([windowSeconds, window, key]))}`;

  /** @param take takes places, or looks whether there are any */
  async function find(
    take: (store: SupervisedStore, places: readonly SharedTally[]) => Promise<Found>,
    tallies: readonly SharedTally[],
  ): Promise<Found> {
    const window = windowNow();
    const found = await take(
      store,
      tallies.map(({ key, limit }) => ({ key: storeKey(key, window), limit })),
    );
    if (found.found !== 'locked') return found;
    const end = (window + 1) * windowSeconds;
    for (const index of found.locked) refused.add(tallies[index]?.key ?? '', end);
    throw lockedOut(Math.max(1, end - now()));
  }

  async function poll(tallies: readonly SharedTally[], until: number): Promise<EndReservation | undefined> {
    for (let polls = 1; performance.now() < until; polls++) {
      await pause(polls);
      // It looks before it takes, so that processes that wait do not hold up one another.
      const seen = await find(look, tallies);
      const found = seen.found === 'room' ? await find(take, tallies) : seen;
      if (found.found === 'no answer') return undefined;
      if (found.found === 'taken') return found.end;
    }
    throw attemptsBusy();
  }

  async function waitForPlace(
    tallies: readonly SharedTally[],
    until: number,
  ): Promise<EndReservation | undefined> {
    const found = await find(take, tallies);
    if (found.found === 'no answer') return undefined;
    if (found.found === 'taken') return found.end;
    const full = tallies[found.found === 'full' ? found.index : 0]?.key ?? '';
    // One log-in of this process asks for the places of a key. The others wait behind it.
    return await waiting.run(full, () => poll(tallies, until));
  }

  return {
    isAnswering: () => store.isAnswering(),
    refuseLocked: (tallies) => refused.refuse(tallies),

    async reserve(tallies, until) {
      if (reserving >= MAX_RESERVING) throw attemptsBusy();
      reserving += 1;
      try {
        return await waitForPlace(tallies, until);
      } finally {
        reserving -= 1;
      }
    },

    async forget(key) {
      const window = windowNow();
      // The next window, too: the clock of another process may be there already.
      const forgotten = await store.forget([storeKey(key, window), storeKey(key, window + 1)]);
      refused.clear();
      return forgotten.some(({ failures, underWay }) => failures > 0 || underWay > 0);
    },
  };
}

type Found =
  | { readonly found: 'taken'; readonly end: EndReservation }
  | { readonly found: 'room' }
  /** Attempts under way hold a place of this tally, and may give it back. */
  | { readonly found: 'full'; readonly index: number }
  /** Failures alone have reached the limits of these tallies. */
  | { readonly found: 'locked'; readonly locked: readonly number[] }
  | { readonly found: 'no answer' };

/** Tries once to take a place in every tally. */
async function take(store: SupervisedStore, places: readonly SharedTally[]): Promise<Found> {
  const giveBack = () => store.add(places.map(({ key }) => ({ key, failures: 0, underWay: -1 })));
  const added = await store.add(places.map(({ key }) => ({ key, failures: 0, underWay: 1 })));
  if ('late' in added) {
    // The log-in goes on without it; if the store has counted it after all, it is given back.
    added.late.then(giveBack).catch(() => {});
    return { found: 'no answer' };
  }
  const found = judge(places, added.counts);
  if (found.found === 'room') return { found: 'taken', end: endOf(store, places) };
  await giveBack();
  return found;
}

/** Tells what `take` would find. */
async function look(store: SupervisedStore, places: readonly SharedTally[]): Promise<Found> {
  const added = await store.add(places.map(({ key }) => ({ key, failures: 0, underWay: 0 })));
  if ('late' in added) return { found: 'no answer' };
  const withOneMore = added.counts.map(({ failures, underWay }) => ({ failures, underWay: underWay + 1 }));
  return judge(places, withOneMore);
}

/** @param counts with the attempt that is judged among those under way */
function judge(places: readonly SharedTally[], counts: readonly LoginFailureCounts[]): Found {
  const limitOf = (index: number) => places[index]?.limit ?? 0;
  const locked = [...counts.keys()].filter((index) => (counts[index]?.failures ?? 0) >= limitOf(index));
  if (locked.length > 0) return { found: 'locked', locked };
  const full = counts.findIndex(({ failures, underWay }, index) => failures + underWay > limitOf(index));
  return full === -1 ? { found: 'room' } : { found: 'full', index: full };
}

/** With the keys of its beginning: an attempt ends in the window in which it began. */
function endOf(store: SupervisedStore, places: readonly SharedTally[]): EndReservation {
  return async (isFailure) => {
    await store.add(
      places.map(({ key }, index) => ({ key, failures: isFailure(index) ? 1 : 0, underWay: -1 })),
    );
  };
}

/** Processes wait differently long, so that they do not collide again. */
async function pause(polls: number): Promise<void> {
  const delayMs = Math.min(FIRST_POLL_MS * 2 ** polls, MAX_POLL_MS);
  await new Promise((resolve) => setTimeout(resolve, delayMs * (0.5 + Math.random() / 2)));
}

import type { Logger } from '../../logger.ts';
import type { LoginFailureCounts, LoginFailureStore } from './login-failure-store.ts';
import { lockedOut, loginsBusy } from './login-refusals.ts';
import { createRefusedKeys } from './refused-keys.ts';
import { type SupervisedStore, superviseStore } from './supervised-store.ts';

/** How often a log-in asks for a place that attempts of other processes hold: for about 30 s. */
const MAX_POLLS = 160;
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
   * admit no more than the limit. If attempts of others hold the places, it waits about 30 s.
   *
   * @returns `undefined` if the store does not answer
   * @throws AuthError `rate_limited`, if failures alone reach a limit, or no place came free
   */
  reserve(tallies: readonly SharedTally[]): Promise<EndReservation | undefined>;
  /**
   * Forgets the failures of a key in the current window, and tells whether there were any.
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
  readonly logger: Logger;
  /** Unix seconds. */
  readonly now: () => number;
}

export function createSharedFailures(config: SharedFailuresConfig): SharedFailures {
  const { windowSeconds, now } = config;
  const store = superviseStore({ ...config, keepSeconds: windowSeconds + SLACK_SECONDS });
  const refused = createRefusedKeys(now);
  let reserving = 0;

  const windowNow = () => Math.floor(now() / windowSeconds);
  const storeKey = (key: string, window: number) =>
    `login:${config.hash(JSON.stringify([windowSeconds, window, key]))}`;

  async function waitForPlace(tallies: readonly SharedTally[]): Promise<EndReservation | undefined> {
    for (let polls = 0; polls < MAX_POLLS; polls++) {
      if (polls > 0) await pause(polls);
      const window = windowNow();
      const places = tallies.map(({ key, limit }) => ({ key: storeKey(key, window), limit }));
      // Those who wait look before they take, so that they do not hold up one another.
      const seen = polls === 0 ? ROOM : await look(store, places);
      const found = seen.found === 'room' ? await take(store, places) : seen;
      if (found.found === 'no answer') return undefined;
      if (found.found === 'room') return endOf(store, places);
      if (found.found === 'full') continue;
      const end = (window + 1) * windowSeconds;
      for (const index of found.locked) refused.add(tallies[index]?.key ?? '', end);
      throw lockedOut(Math.max(1, end - now()));
    }
    throw loginsBusy();
  }

  return {
    isAnswering: () => store.isAnswering(),
    refuseLocked: (tallies) => refused.refuse(tallies),

    async reserve(tallies) {
      if (reserving >= MAX_RESERVING) throw loginsBusy();
      reserving += 1;
      try {
        return await waitForPlace(tallies);
      } finally {
        reserving -= 1;
      }
    },

    async forget(key) {
      const window = windowNow();
      // The next window, too: the clock of another process may be there already.
      const forgotten = await store.forget([storeKey(key, window), storeKey(key, window + 1)]);
      refused.clear();
      return forgotten > 0;
    },
  };
}

/** `full`: attempts under way hold a place and may give it back. `locked`: failures alone do. */
type Found =
  | { readonly found: 'room' }
  | { readonly found: 'full' }
  | { readonly found: 'no answer' }
  | { readonly found: 'locked'; readonly locked: readonly number[] };

const ROOM: Found = { found: 'room' };
const FULL: Found = { found: 'full' };
const NO_ANSWER: Found = { found: 'no answer' };

/** Tries once to take a place in every tally. */
async function take(store: SupervisedStore, places: readonly SharedTally[]): Promise<Found> {
  const giveBack = () => store.add(places.map(({ key }) => ({ key, failures: 0, underWay: -1 })));
  const added = await store.add(places.map(({ key }) => ({ key, failures: 0, underWay: 1 })));
  if ('late' in added) {
    // The log-in goes on without it; if the store has counted it after all, it is given back.
    added.late.then(giveBack).catch(() => {});
    return NO_ANSWER;
  }
  const found = judge(places, added.counts);
  if (found.found !== 'room') await giveBack();
  return found;
}

/** Tells what `take` would find. */
async function look(store: SupervisedStore, places: readonly SharedTally[]): Promise<Found> {
  const added = await store.add(places.map(({ key }) => ({ key, failures: 0, underWay: 0 })));
  if ('late' in added) return NO_ANSWER;
  const withOneMore = added.counts.map(({ failures, underWay }) => ({ failures, underWay: underWay + 1 }));
  return judge(places, withOneMore);
}

/** @param counts with the attempt that is judged among those under way */
function judge(places: readonly SharedTally[], counts: readonly LoginFailureCounts[]): Found {
  const locked: number[] = [];
  let isFull = false;
  for (const [index, { failures, underWay }] of counts.entries()) {
    const limit = places[index]?.limit ?? 0;
    if (failures >= limit) locked.push(index);
    if (failures + underWay > limit) isFull = true;
  }
  if (locked.length > 0) return { found: 'locked', locked };
  return isFull ? FULL : ROOM;
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

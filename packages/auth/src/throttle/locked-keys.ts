import { lockedOut } from './throttle-refusals.ts';

/** Keys that are remembered within one second. One takes about 150 bytes. */
const MAX_KEYS = 10_000;

/**
 * Keys that were found at their limit within the current second, so that a flood of guesses at a
 * locked account asks the shared store once a second instead of each time. A lock that another
 * process lifts is noticed in the next second.
 */
export interface LockedKeys {
  add(key: string, lockedUntil: number): void;
  /** @throws AuthError `rate_limited` if one of the tallies is among them */
  refuse(tallies: readonly { readonly key: string }[]): void;
  clear(): void;
}

/** @param now returns the time in Unix seconds */
export function createLockedKeys(now: () => number): LockedKeys {
  const lockedUntil = new Map<string, number>();
  let second: number | undefined;

  function forgetPast(): number {
    const time = now();
    if (time !== second) lockedUntil.clear();
    second = time;
    return time;
  }

  return {
    add(key, until) {
      forgetPast();
      if (lockedUntil.size < MAX_KEYS) lockedUntil.set(key, until);
    },

    refuse(tallies) {
      const time = forgetPast();
      const ends = tallies.flatMap(({ key }) => lockedUntil.get(key) ?? []);
      if (ends.length > 0) throw lockedOut(Math.max(1, ...ends.map((end) => end - time)));
    },

    clear: () => lockedUntil.clear(),
  };
}

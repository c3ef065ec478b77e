import type { Browser } from './browser.ts';

/**
 * How long a marker lasts, and how long a tab waits for the outcome that a marker announces. With
 * equal bounds, a tab that comes after the marker has ended has had as long to hear as a tab that
 * waits.
 */
export const MARKER_MS = 1_000;

/** Tells the tab that holds the polling lock which outcomes are still on their way to it. */
export interface PollMarkers {
  /**
   * Returns the number of the newest marked poll; 0 if none is marked, or if that cannot be known.
   */
  newest(): Promise<number>;
  /**
   * Marks a poll for {@link MARKER_MS}: the next tab that gets the polling lock sees the marker.
   */
  hold(poll: number): void;
  /**
   * Ends all markers of this tab, when its page is left: a held lock may keep a page out of the
   * back-forward cache.
   */
  drop(): void;
}

/**
 * Opens the markers of the tabs that share a name.
 *
 * A marker is a lock that no tab requests twice, because its name ends in the number of the poll.
 * The browser handles requests, releases and queries of locks in one order (Web Locks, "lock task
 * queue"); a message may arrive later.
 */
export function openPollMarkers(browser: Browser, name: string): PollMarkers {
  const { locks } = browser.navigator;
  if (locks === undefined) return { newest: async () => 0, hold() {}, drop() {} };
  // The URL that ends the name has no fragment.
  const prefix = `${name}#`;
  const ends = new Set<() => void>();
  return {
    async newest() {
      const { held = [] } = await locks.query().catch(() => ({ held: [] }));
      const ours = held.filter(({ name: found }) => found?.startsWith(prefix));
      const polls = ours.map(({ name: found }) => Number(found?.slice(prefix.length)));
      return Math.max(0, ...polls.filter(Number.isSafeInteger));
    },
    hold(poll) {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const end = () => {
        browser.clearTimeout(timer);
        ends.delete(end);
        release();
      };
      const timer = browser.setTimeout(end, MARKER_MS);
      ends.add(end);
      locks.request(`${prefix}${poll}`, {}, () => released).catch(end);
    },
    drop() {
      for (const end of [...ends]) end();
    },
  };
}

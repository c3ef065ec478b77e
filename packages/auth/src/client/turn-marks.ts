import type { Browser } from './browser.ts';

/**
 * How long a mark says that an outcome is on its way to the other tabs, and how long one of them waits for it. Two
 * bounds of one length: who comes later than a mark lasts has had as much time to hear as who waits for it.
 */
export const MARK_MS = 1_000;

/** Says, to whoever has the turn, which outcomes are still on their way to it. */
export interface TurnMarks {
  /** The number of the newest outcome that is marked; 0 where none is, or where that cannot be known. */
  newest(): Promise<number>;
  /** Marks an outcome for {@link MARK_MS}: whoever has the turn after this tab sees the mark. */
  hold(turn: number): void;
  /** Ends all marks of this tab. */
  drop(): void;
}

/**
 * Opens the marks of the tabs that share a name.
 *
 * A mark is a lock that nobody asks for a second time, the number at the end of its name. Requests, releases and
 * queries of an origin's locks are done in one order (Web Locks, "lock task queue"), turns among them; a message takes
 * another way, and may come in after a turn that was passed on later.
 */
export function openTurnMarks(browser: Browser, name: string): TurnMarks {
  const { locks } = browser.navigator;
  if (locks === undefined) return { newest: async () => 0, hold() {}, drop() {} };
  // The URL that ends the name has no fragment.
  const prefix = `${name}#`;
  const ends = new Set<() => void>();
  return {
    async newest() {
      const { held = [] } = await locks.query().catch(() => ({ held: [] }));
      const ours = held.filter(({ name: found }) => found?.startsWith(prefix));
      const turns = ours.map(({ name: found }) => Number(found?.slice(prefix.length)));
      return Math.max(0, ...turns.filter(Number.isSafeInteger));
    },
    hold(turn) {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const end = () => {
        browser.clearTimeout(timer);
        ends.delete(end);
        release();
      };
      const timer = browser.setTimeout(end, MARK_MS);
      ends.add(end);
      locks.request(`${prefix}${turn}`, {}, () => released).catch(end);
    },
    drop() {
      for (const end of [...ends]) end();
    },
  };
}

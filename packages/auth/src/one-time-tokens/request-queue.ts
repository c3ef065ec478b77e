import { randomInt } from 'node:crypto';

/** Requests that wait to be worked on, about 1 kB each. */
const MAX_WAITING = 1_000;

/**
 * The random delay before a request is worked on. Work that blocks the event loop, such as making a
 * mail, slows down other answers, and the delay hides which ones.
 */
const MAX_DELAY_MS = 1_000;

/** Works on requests behind their answers: first come, first served, once their delays are over. */
export function createRequestQueue(maxConcurrent: number) {
  /** Those that wait and those under way. */
  const taken = new Set<Promise<void>>();
  /** Begins the work of those whose delay is over. */
  const ready: (() => void)[] = [];
  let running = 0;

  async function take(work: () => Promise<void>): Promise<void> {
    await new Promise<void>((resolve) => setTimeout(resolve, randomInt(MAX_DELAY_MS + 1)));
    if (running < maxConcurrent) running += 1;
    else await new Promise<void>((resolve) => ready.push(resolve));
    await work();
    const next = ready.shift();
    // The next one gets this one's place.
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    /**
     * Adds work, which begins in a later turn of the event loop and in the asynchronous context of
     * this call. It must never reject. Returns false if too much waits: it is then never begun.
     */
    add(work: () => Promise<void>): boolean {
      if (taken.size - running >= MAX_WAITING) return false;
      const done = take(work).then(() => void taken.delete(done));
      taken.add(done);
      return true;
    },

    /** Resolves when no work is waiting or under way. Never rejects. */
    async idle(): Promise<void> {
      while (taken.size > 0) await Promise.all(taken);
    },
  };
}

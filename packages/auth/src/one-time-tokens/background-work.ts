import { AsyncResource } from 'node:async_hooks';
import { randomInt } from 'node:crypto';

export interface BackgroundWorkOptions {
  readonly maxConcurrent: number;
  /** Work that has not begun, of all sources together. */
  readonly maxWaiting: number;
  /** Work begins after a random part of this time, in milliseconds. */
  readonly maxDelayMs: number;
}

/** Where work comes from, and how much of it may wait. */
export interface WorkSource {
  readonly key: string;
  readonly maxWaiting: number;
}

/** Runs work behind answers that do not wait for it: a bounded number at once. */
export interface BackgroundWork {
  /**
   * Adds work, which begins after a random delay, in a later turn of the event loop and in the
   * asynchronous context of this call. It must never reject.
   *
   * @param source takes turns with the others, so that one with much work delays another by one
   *   piece of it
   * @returns false if too much work waits: this is then never run
   */
  add(work: () => Promise<void>, source: WorkSource): boolean;
  /** Resolves when no work is waiting or under way. Never rejects. */
  idle(): Promise<void>;
}

interface WaitingWork {
  readonly run: () => Promise<void>;
  readonly source: WorkSource;
}

export function createBackgroundWork(options: BackgroundWorkOptions): BackgroundWork {
  const { maxConcurrent, maxWaiting, maxDelayMs } = options;
  /** Work whose delay is over, by the key of its source; the first key is next. */
  const ready = new Map<string, WaitingWork[]>();
  const waitingBySource = new Map<string, number>();
  const idleListeners: (() => void)[] = [];
  let waiting = 0;
  let running = 0;

  function countWaiting({ key }: WorkSource, change: 1 | -1): void {
    waiting += change;
    const count = (waitingBySource.get(key) ?? 0) + change;
    if (count === 0) waitingBySource.delete(key);
    else waitingBySource.set(key, count);
  }

  function takeNext(): WaitingWork | undefined {
    for (const [key, [next, ...others]] of ready) {
      ready.delete(key);
      if (others.length > 0) ready.set(key, others);
      if (next !== undefined) return next;
    }
    return undefined;
  }

  function startWaiting(): void {
    while (running < maxConcurrent) {
      const next = takeNext();
      if (next === undefined) break;
      countWaiting(next.source, -1);
      running += 1;
      void run(next);
    }
    if (running + waiting === 0) for (const resume of idleListeners.splice(0)) resume();
  }

  async function run(work: WaitingWork): Promise<void> {
    try {
      await work.run();
    } finally {
      running -= 1;
      startWaiting();
    }
  }

  return {
    add(work, source) {
      const { key } = source;
      if (waiting >= maxWaiting || (waitingBySource.get(key) ?? 0) >= source.maxWaiting) return false;
      countWaiting(source, 1);
      // The end of another request's work may begin this one.
      const context = new AsyncResource('AUTH_BACKGROUND_WORK');
      const run = () => context.runInAsyncScope(work);
      setTimeout(
        () => {
          ready.set(key, [...(ready.get(key) ?? []), { run, source }]);
          startWaiting();
        },
        randomInt(maxDelayMs + 1),
      );
      return true;
    },

    async idle() {
      while (running + waiting > 0) {
        await new Promise<void>((resolve) => idleListeners.push(resolve));
      }
    },
  };
}

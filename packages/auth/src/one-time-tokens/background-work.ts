export interface BackgroundWorkOptions {
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
}

/**
 * Runs work behind answers that do not wait for it: a bounded number at once, the rest in order.
 */
export interface BackgroundWork {
  /**
   * Adds work, which begins in a later turn of the event loop, after what its caller does next. It
   * must never reject.
   *
   * @returns false if too much work waits: this is then never run
   */
  add(work: () => Promise<void>): boolean;
  /** Resolves when no work is waiting or under way. Never rejects. */
  idle(): Promise<void>;
}

export function createBackgroundWork({ maxConcurrent, maxWaiting }: BackgroundWorkOptions): BackgroundWork {
  const waiting: (() => Promise<void>)[] = [];
  const idleListeners: (() => void)[] = [];
  let running = 0;

  function startWaiting(): void {
    while (running < maxConcurrent) {
      const work = waiting.shift();
      if (work === undefined) break;
      running += 1;
      void run(work);
    }
    if (running === 0) for (const resume of idleListeners.splice(0)) resume();
  }

  async function run(work: () => Promise<void>): Promise<void> {
    await work();
    running -= 1;
    startWaiting();
  }

  return {
    add(work) {
      if (waiting.length >= maxWaiting) return false;
      waiting.push(work);
      setImmediate(startWaiting);
      return true;
    },

    async idle() {
      while (running > 0 || waiting.length > 0) {
        await new Promise<void>((resolve) => idleListeners.push(resolve));
      }
    },
  };
}

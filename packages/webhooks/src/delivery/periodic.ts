/** A task that repeats until it is stopped. */
export interface Periodic {
  /** Prevents further runs and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * Runs a task after `firstDelayMs` and then `intervalMs` after the end of each run: runs never
 * overlap.
 *
 * @param run never rejects
 * @param keepsProcessAlive whether the wait between runs keeps the process alive, as a worker's
 *   only timer must
 */
export function startPeriodic(options: {
  readonly firstDelayMs: number;
  readonly intervalMs: number;
  readonly keepsProcessAlive: boolean;
  readonly run: () => Promise<unknown>;
}): Periodic {
  let isStopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function wait(delayMs: number): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = options.run().finally(() => wait(options.intervalMs));
    }, delayMs);
    if (!options.keepsProcessAlive) timer.unref?.();
  }

  wait(options.firstDelayMs);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

const HOUR_MS = 3_600_000;

/**
 * Runs purges now and once an hour, until it is stopped. A purge that fails is reported, and the
 * next hour tries again. Does not keep the process alive.
 *
 * @returns the function that stops it
 */
export function startHourlyPurge(purges: readonly (() => Promise<unknown>)[]): () => void {
  const run = () => {
    for (const purge of purges) {
      purge().catch((error: unknown) => console.error('A purge failed:', error));
    }
  };
  run();
  const interval = setInterval(run, HOUR_MS).unref();
  return () => clearInterval(interval);
}

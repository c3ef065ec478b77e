import { type Periodic, startPeriodic } from './periodic.ts';
import type { Runner } from './runner.ts';

/**
 * Starts the sweep: a poll at once and then at every interval. It finds what no job announced:
 * deliveries of a process that died, or whose jobs were lost. The wait between two polls keeps the
 * process alive.
 */
export function startSweep({ poll }: Pick<Runner, 'poll'>, intervalMs: number): Periodic {
  return startPeriodic({ firstDelayMs: 0, intervalMs, keepsProcessAlive: true, run: poll });
}

import { performance } from 'node:perf_hooks';
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers';

/** The timers and the clock of steps that every delivery waits for. */
export interface ProgressTimers {
  readonly setTimeout: typeof setTimeout;
  readonly clearTimeout: typeof clearTimeout;
  readonly setImmediate: typeof setImmediate;
  readonly clearImmediate: typeof clearImmediate;
  /** Milliseconds of a monotonic clock, from any origin. */
  now(): number;
}

/**
 * Node's own, whatever a test has put in place of the global ones: an app whose tests fake timers
 * still sees its webhooks delivered. Time limits stay with the global timers.
 */
export const progressTimers: ProgressTimers = {
  setTimeout,
  clearTimeout,
  setImmediate,
  clearImmediate,
  now: () => performance.now(),
};

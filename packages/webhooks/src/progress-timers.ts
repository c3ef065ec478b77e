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

/**
 * Marks that a faked timer carries: of @sinonjs/fake-timers, which Vitest and Jest use, and of the
 * mock functions of Jest's legacy timers.
 */
const FAKE_MARKS = ['clock', '_isMockFunction'];

/** The name that `mock.timers` of `node:test` gives to the timer, its only mark. */
const NODE_FAKE_NAME = 'bound #setImmediate';

/**
 * True if a test has faked the global `setImmediate`, which undici waits for before it uses a
 * connection again (7.30: `scheduleIdleSocketValidation`).
 *
 * A wrapper, such as one of a tracing tool, is no fake: its callbacks run.
 */
export function isSetImmediateFaked(): boolean {
  const current = globalThis.setImmediate;
  if (current === setImmediate) return false;
  return current.name === NODE_FAKE_NAME || FAKE_MARKS.some((mark) => Object.hasOwn(current, mark));
}

import type { ProgressTimers } from '../src/progress-timers.ts';

/** The global timers, for a part of the engine whose time a test moves by faking them. */
export function globalTimers(): ProgressTimers {
  const { setTimeout, clearTimeout, setImmediate, clearImmediate } = globalThis;
  return { setTimeout, clearTimeout, setImmediate, clearImmediate, now: () => performance.now() };
}

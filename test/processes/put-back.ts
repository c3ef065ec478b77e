import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';

/** Events of the process whose listeners decide what becomes of an error. */
const EVENTS = ['unhandledRejection', 'uncaughtException', 'uncaughtExceptionMonitor', 'warning'] as const;
const GLOBALS = ['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date'] as const;

/** What the files that run in one process share. */
function shared(): object {
  return {
    folder: process.cwd(),
    environment: { ...process.env },
    listeners: EVENTS.map((event) => `${process.listenerCount(event)} for ${event}`),
    globals: Object.fromEntries(GLOBALS.map((name) => [name, globalThis[name]])),
    areTimersFaked: vi.isFakeTimers(),
  };
}

/**
 * Runs before each test file that shares its process: what a file changes there, it has to put
 * back, for otherwise the next one depends on the order of the files.
 */
let before: object;
beforeAll(() => {
  before = shared();
});
afterAll(() => {
  expect(shared(), 'what this file has not put back').toEqual(before);
});
/** Timers that a test has faked are real again after it. */
afterEach(() => void vi.useRealTimers());

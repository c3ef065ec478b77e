/**
 * The current time in milliseconds since the Unix epoch. Injected wherever time matters; `Date.now`
 * by default.
 */
export type Clock = () => number;

/** Looks `Date` up for every time, so that a test that fakes it moves every clock by default. */
export const systemClock: Clock = () => Date.now();

/** The furthest time of `Date`, in milliseconds from the Unix epoch (ECMA-262, 21.4.1.1). */
const MAX_TIME_MS = 8.64e15;

/** Returns the clock of a host, which throws a TypeError in place of giving no time. */
export function checkedClock(clock: Clock): Clock {
  return () => {
    const now = clock();
    if (!(typeof now === 'number' && Math.abs(now) <= MAX_TIME_MS)) throw noTime(now);
    return now;
  };
}

/**
 * Returns that clock, or the system's where it throws: for reports of failures, which must not fail
 * themselves.
 */
export function dependableClock(clock: Clock): Clock {
  return () => {
    try {
      return clock();
    } catch {
      return systemClock();
    }
  };
}

function noTime(given: unknown): TypeError {
  return new TypeError(`clock must give milliseconds since the Unix epoch, got ${String(given)}`);
}

/**
 * A stored timestamp: RFC 3339 in UTC with milliseconds, `2026-11-20T04:10:00.123Z`. Sorts as text.
 *
 * @throws TypeError when it is no time: a broken clock
 */
export function timestampText(epochMs: number): string {
  if (epochMs === last.epochMs) return last.text;
  const time = new Date(epochMs);
  if (Number.isNaN(time.getTime())) throw noTime(epochMs);
  last = { epochMs, text: time.toISOString() };
  return last.text;
}

/** The last one is cached: a busy process asks for each of its milliseconds many times. */
let last = { epochMs: 0, text: new Date(0).toISOString() };

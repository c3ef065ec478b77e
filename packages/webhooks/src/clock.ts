/**
 * The current time in milliseconds since the Unix epoch. Injected wherever time matters; `Date.now`
 * by default.
 */
export type Clock = () => number;

/** Looks `Date` up for every time, so that a test that fakes it moves every clock by default. */
export const systemClock: Clock = () => Date.now();

/**
 * A stored timestamp: RFC 3339 in UTC with milliseconds, `2026-11-20T04:10:00.123Z`. Sorts as text.
 *
 * @throws TypeError when it is no time: a broken clock
 */
export function timestampText(epochMs: number): string {
  if (epochMs === last.epochMs) return last.text;
  const time = new Date(epochMs);
  if (Number.isNaN(time.getTime())) {
    throw new TypeError(`clock must give milliseconds since the Unix epoch, got ${String(epochMs)}`);
  }
  last = { epochMs, text: time.toISOString() };
  return last.text;
}

/** The last one is cached: a busy process asks for each of its milliseconds many times. */
let last = { epochMs: 0, text: new Date(0).toISOString() };

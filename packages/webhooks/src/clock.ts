import { type Clock, dependable, noTime, readTime, systemClock } from '../../toolkit/src/clock.ts';

export { type Clock, systemClock } from '../../toolkit/src/clock.ts';

/** Returns the clock of a host, which throws a TypeError in place of giving no time. */
export function checkedClock(clock: Clock): Clock {
  return () => readTime(clock);
}

/** Returns that clock, or the system's if it throws. */
export function dependableClock(clock: Clock): Clock {
  return dependable(clock, systemClock);
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

/** A time in whole seconds since 1970, as the headers of a callback have it. */
export function unixSeconds(epochMs: number): number {
  return Math.floor(epochMs / 1_000);
}

/** The last one is cached: a busy process asks for each of its milliseconds many times. */
let last = { epochMs: 0, text: new Date(0).toISOString() };

/** Registered, because each subpath may have a copy of this module. */
const CLOCK: unique symbol = Symbol.for('@acme/webhooks/clock');

/** What an engine, or a copy of it, carries its clock in. */
interface ClockCarrier {
  readonly [CLOCK]?: Clock;
}

/** Gives an engine its clock to carry, for what reports on it: hosts see nothing of it. */
export function carryClock(clock: Clock): ClockCarrier {
  return { [CLOCK]: clock };
}

/** The clock of an engine; the system's of one that a host made. */
export function carriedClock(engine: object & ClockCarrier): Clock {
  return engine[CLOCK] ?? systemClock;
}

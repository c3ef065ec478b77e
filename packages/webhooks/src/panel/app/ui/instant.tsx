import { fill } from '../texts/host-texts.ts';
import { locale } from '../texts/locale.ts';
import { uiTexts } from './ui-texts.ts';

// As in the exact times: `hour: '2-digit'` would be 07:23 PM here and 7:23 PM there.
const TIME = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
const DAY_AND_TIME = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
const DATE_AND_TIME = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const EXACT = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });

/**
 * A time in the viewer's zone, shorter the nearer it is. Hovering shows the exact time, also in
 * UTC.
 */
export function Instant({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactText(at)} className="instant">
      {timeText(at)}
    </time>
  );
}

/** The same as text. */
export function timeText(at: string): string {
  const date = new Date(at);
  return formatOf(date, new Date()).format(date);
}

const OFFSETS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** `+0s`, `+30s`, `+1.5h`: the time since another. */
export function offsetText(from: string, at: string): string {
  const passed = Date.parse(at) - Date.parse(from);
  const [unit, length] = OFFSETS.find(([, shortest]) => passed >= shortest) ?? (['second', 1_000] as const);
  const number = Math.floor((passed / length) * 10) / 10;
  const style = { style: 'unit', unit, unitDisplay: 'narrow', signDisplay: 'always' } as const;
  return new Intl.NumberFormat(locale, style).format(unit === 'second' ? Math.floor(number) : number);
}

/** A time to the second, in the viewer's zone and in UTC, without hovering. */
export function ExactInstant({ at }: { readonly at: string }) {
  return <time dateTime={at}>{exactText(at)}</time>;
}

export function exactText(at: string): string {
  return fill(uiTexts.exactTime, { time: EXACT.format(new Date(at)), utc: at });
}

function formatOf(date: Date, now: Date): Intl.DateTimeFormat {
  if (date.toDateString() === now.toDateString()) return TIME;
  return date.getFullYear() === now.getFullYear() ? DAY_AND_TIME : DATE_AND_TIME;
}

const RELATIVE = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
const TENTHS = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** `in 5 minutes`; `now` for a time that has passed. */
export function untilText(at: string, now: number): string {
  const wait = Date.parse(at) - now;
  if (wait <= 0) return uiTexts.now;
  if (wait < MINUTE_MS) return RELATIVE.format(Math.ceil(wait / 1_000), 'second');
  if (wait < HOUR_MS) return RELATIVE.format(Math.round(wait / MINUTE_MS), 'minute');
  return RELATIVE.format(Math.round(wait / HOUR_MS), 'hour');
}

/** `3 seconds ago`; `just now` for a second. */
export function agoText(since: number, now: number): string {
  const seconds = Math.floor((now - since) / 1_000);
  if (seconds < 2) return uiTexts.justNow;
  if (seconds < 120) return RELATIVE.format(-seconds, 'second');
  return RELATIVE.format(-Math.floor(seconds / 60), 'minute');
}

/** `35 ms`, `2.4 s`. */
export function durationText(milliseconds: number): string {
  return milliseconds < 1_000
    ? fill(uiTexts.milliseconds, { number: milliseconds })
    : fill(uiTexts.seconds, { number: TENTHS.format(milliseconds / 1_000) });
}

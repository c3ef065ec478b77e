import { withDeadline } from '../../../toolkit/src/deadline.ts';

/** The most reads of a kind that are remembered: those that were asked for last. */
const MAX_READS = 4_000;
/** The same of hours: they are up to 8,784 numbers each, of any time that a customer asks for. */
const MAX_HOURS = 200;
/** A read that takes longer is no longer waited for: it may never end. */
const MAX_WAIT_MS = 30_000;
/** What is read faster than this is read anew each time. */
const FAST_MS = 250;
/** What is slow is kept for ten times as long as it took, so that it takes a tenth of the time. */
const KEPT_PER_MS = 10;
const MAX_KEPT_MS = 15_000;

type SharedRead<Result> = [
  /** A kind, and whose or what it is of. */
  key: readonly [kind: string, ...of: (string | number | undefined)[]],
  read: () => Promise<Result>,
  /** How long a result is kept that took so long to read. Default: some seconds if it was slow. */
  keptMs?: (tookMs: number) => number,
];

/**
 * Reads once for all callers with the same key: one at a time, and a kept result serves those who
 * come later.
 * Those who ask while a read is under way share what it leaves kept, or else the next one, which
 * has what they changed before. A failure is not kept.
 */
export type SharedReads = <Result>(...read: SharedRead<Result>) => Promise<Result>;

interface Reading<Result> {
  readonly result: Promise<Result>;
  isKept: boolean;
  /** Ends what is kept. */
  timer?: ReturnType<typeof setTimeout> | undefined;
  /** Begins once this one has ended, unless it is kept. */
  next?: Promise<Result>;
}

/** @internal */
export function createSharedReads(): SharedReads {
  const kinds = new Map<string, Map<string, Reading<unknown>>>();

  return <Result>(...[key, read, keptMs = ifSlow]: SharedRead<Result>) => {
    const [kind] = key;
    const name = JSON.stringify(key);
    const readings = kinds.get(kind) ?? new Map<string, Reading<unknown>>();
    kinds.set(kind, readings);
    const known = () => readings.get(name) as Reading<Result> | undefined;

    function remember(reading: Reading<unknown>): void {
      readings.delete(name);
      readings.set(name, reading);
      const [oldest] = readings;
      if (readings.size <= (kind === 'hours' ? MAX_HOURS : MAX_READS) || oldest === undefined) return;
      readings.delete(oldest[0]);
      clearTimeout(oldest[1].timer);
    }

    function begin(): Promise<Result> {
      const begun = performance.now();
      const reading: Reading<Result> = { result: read(), isKept: false };
      remember(reading);
      const drop = () => void (known() === reading && readings.delete(name));
      reading.result.then(() => {
        const ms = keptMs(performance.now() - begun);
        reading.isKept = ms > 0;
        if (!reading.isKept) return drop();
        if (known() === reading) reading.timer = setTimeout(drop, ms).unref?.();
      }, drop);
      return reading.result;
    }

    const found = known();
    if (found === undefined) return begin();
    remember(found);
    if (found.isKept) return found.result;
    const ended = found.result.then(nothing, nothing);
    found.next ??= withDeadline(ended, MAX_WAIT_MS, nothing, { unref: true }).then(() => {
      const last = known();
      return last === undefined || (last === found && !last.isKept) ? begin() : last.result;
    });
    return found.next;
  };
}

const nothing = () => undefined;

function ifSlow(tookMs: number): number {
  return tookMs < FAST_MS ? 0 : Math.min(KEPT_PER_MS * tookMs, MAX_KEPT_MS);
}

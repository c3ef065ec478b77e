import { withDeadline } from '../../../toolkit/src/deadline.ts';

/** The most reads that are remembered: those that were asked for last. */
const MAX_READS = 4_000;
/** A read that takes longer is no longer waited for: it may never end. */
const MAX_WAIT_MS = 30_000;
/** What is read faster than this is read anew each time. */
const FAST_MS = 250;
/** What is slow is kept for ten times as long as it took, so that it takes a tenth of the time. */
const KEPT_PER_MS = 10;
const MAX_KEPT_MS = 15_000;

type SharedRead<Result> = [
  key: readonly (string | number | undefined)[],
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
  /** Begins once this one has ended, unless it is kept. */
  next?: Promise<Result>;
}

/** @internal */
export function createSharedReads(): SharedReads {
  const readings = new Map<string, Reading<unknown>>();

  function remember(name: string, reading: Reading<unknown>): void {
    readings.delete(name);
    readings.set(name, reading);
    const [oldest = name] = readings.keys();
    if (readings.size > MAX_READS) readings.delete(oldest);
  }

  return <Result>(...[key, read, keptMs = ifSlow]: SharedRead<Result>) => {
    const name = JSON.stringify(key);
    const known = () => readings.get(name) as Reading<Result> | undefined;

    function begin(): Promise<Result> {
      const begun = performance.now();
      const reading: Reading<Result> = { result: read(), isKept: false };
      remember(name, reading);
      const drop = () => void (known() === reading && readings.delete(name));
      reading.result.then(() => {
        const ms = keptMs(performance.now() - begun);
        reading.isKept = ms > 0;
        if (!reading.isKept) return drop();
        setTimeout(drop, ms).unref?.();
      }, drop);
      return reading.result;
    }

    const found = known();
    if (found === undefined) return begin();
    remember(name, found);
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

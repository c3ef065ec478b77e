import { type Clock, timestampText } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { readInput } from './read-input.ts';

/** What `activity` takes. */
export interface ActivityInput {
  /** The width of a bucket; days are UTC days. Default: `day`. */
  readonly interval?: 'hour' | 'day' | undefined;
  /**
   * A time within the first bucket, as a `Date` or RFC 3339 text. Default: 24 hours or 30 days
   * before the end.
   */
  readonly from?: Date | string | undefined;
  /** The end of the last bucket, or a time within it. Default: now. */
  readonly to?: Date | string | undefined;
}

/** A webhook's deliveries over time, by creation time and status. */
export interface WebhookActivity {
  readonly interval: 'hour' | 'day';
  /**
   * The start of the first bucket and the end of the last one. `activity` with these returns the
   * same buckets.
   */
  readonly from: string;
  readonly to: string;
  /** Every bucket of the range, oldest first, including those without a delivery. */
  readonly activity: readonly ActivityPoint[];
}

/** One bucket of a {@link WebhookActivity}. */
export interface ActivityPoint {
  /** The start of the bucket, UTC. */
  readonly start: string;
  readonly success: number;
  readonly failed: number;
  readonly pending: number;
}

const HOUR_MS = 3_600_000;
/** The width of a bucket, and the default and maximum number: 31 days of hours, 366 days. */
const INTERVALS = {
  hour: { widthMs: HOUR_MS, buckets: 24, maxBuckets: 744 },
  day: { widthMs: 24 * HOUR_MS, buckets: 30, maxBuckets: 366 },
} as const;

/** @internal Reads a webhook's activity by hour, and adds it up to buckets. */
export async function readActivity(
  deps: { readonly storage: Pick<WebhookStorage, 'readOverview'>; readonly clock: Clock },
  webhookId: number,
  input: ActivityInput,
): Promise<WebhookActivity> {
  const { interval, ...range } = await readInput(({ activityInput }) => activityInput, input);
  const { widthMs } = INTERVALS[interval];
  const { fromMs, toMs } = bucketsOf(interval, range, deps.clock());
  const hours = { from: timestampText(fromMs), to: timestampText(toMs - HOUR_MS) };
  const [overview] = await deps.storage.readOverview({ webhookIds: [webhookId], activity: hours });
  const points = Array.from({ length: (toMs - fromMs) / widthMs }, (_, index) => ({
    start: timestampText(fromMs + index * widthMs),
    success: 0,
    failed: 0,
    pending: 0,
  }));
  for (const { hour, success, failed, pending } of overview?.activity ?? []) {
    const point = points[Math.floor((Date.parse(hour) - fromMs) / widthMs)];
    if (point === undefined) continue;
    point.success += success;
    point.failed += failed;
    point.pending += pending;
  }
  return { interval, from: timestampText(fromMs), to: timestampText(toMs), activity: points };
}

/** @throws WebhookError `validation_failed` for a range that is empty or has too many buckets */
function bucketsOf(
  interval: 'hour' | 'day',
  given: { readonly from?: number | undefined; readonly to?: number | undefined },
  now: number,
): { readonly fromMs: number; readonly toMs: number } {
  const { widthMs, buckets, maxBuckets } = INTERVALS[interval];
  const toMs = Math.ceil((given.to ?? now + 1) / widthMs) * widthMs;
  const fromMs =
    given.from === undefined ? toMs - buckets * widthMs : Math.floor(given.from / widthMs) * widthMs;
  if (given.from !== undefined && given.from >= (given.to ?? toMs)) {
    if (given.to === undefined) refuse('from', 'too_big', 'must not lie in the future');
    refuse('to', 'too_small', 'must be later than from');
  }
  if ((toMs - fromMs) / widthMs > maxBuckets) {
    refuse('from', 'too_small', `must be at most ${maxBuckets} ${interval}s before to`);
  }
  return { fromMs: Math.max(fromMs, 0), toMs };
}

function refuse(field: string, code: string, message: string): never {
  throw new WebhookError('validation_failed', 'The input has fields that are not valid', {
    errors: [{ field, code, message }],
  });
}

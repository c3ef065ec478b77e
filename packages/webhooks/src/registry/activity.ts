import { timestampText } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import type { ActivityBucket } from '../storage/overview-record.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { OverviewQuery } from '../storage/webhook-requests.ts';
import type { AnswerTimes } from './overview/overview-records.ts';

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

/** What `activityOfAll` takes. */
export interface ActivityOfAllInput extends ActivityInput {
  /** Only deliveries of this tenant's webhooks; null: of the host's own. Default: of all. */
  readonly tenant?: string | null | undefined;
}

/** Deliveries over time, by creation time and status. */
export interface Activity {
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

/** A webhook's deliveries over time. */
export interface WebhookActivity extends Activity {
  /**
   * How long the recipient takes, whatever the range is. Where that takes longer than 250 ms to
   * read, it may be up to 15 s old.
   */
  readonly answers: AnswerTimes;
}

/** One bucket of an {@link Activity}. */
export interface ActivityPoint {
  /** The start of the bucket, UTC. */
  readonly start: string;
  readonly success: number;
  readonly failed: number;
  readonly pending: number;
}

/** An {@link ActivityInput} that was read. */
interface ReadActivityInput {
  readonly interval: 'hour' | 'day';
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const HOUR_MS = 3_600_000;
/** The width of a bucket, and the default and maximum number: 31 days of hours, 366 days. */
const INTERVALS = {
  hour: { widthMs: HOUR_MS, buckets: 24, maxBuckets: 744 },
  day: { widthMs: 24 * HOUR_MS, buckets: 30, maxBuckets: 366 },
} as const;

/** The first and the last hour of a range. */
export type Hours = NonNullable<OverviewQuery['activity']>;

/** @internal Reads activity by hour, and adds it up to buckets. */
export async function readActivity(
  { interval, ...range }: ReadActivityInput,
  now: number,
  read: (hours: Hours) => Promise<readonly ActivityBucket[]>,
): Promise<Activity> {
  const { widthMs } = INTERVALS[interval];
  const { fromMs, toMs } = bucketsOf(interval, range, now);
  const hours = await read({ from: timestampText(fromMs), to: timestampText(toMs - HOUR_MS) });
  const points = Array.from({ length: (toMs - fromMs) / widthMs }, (_, index) => ({
    start: timestampText(fromMs + index * widthMs),
    success: 0,
    failed: 0,
    pending: 0,
  }));
  for (const { hour, success, failed, pending } of hours) {
    const point = points[Math.floor((Date.parse(hour) - fromMs) / widthMs)];
    if (point === undefined) continue;
    point.success += success;
    point.failed += failed;
    point.pending += pending;
  }
  return { interval, from: timestampText(fromMs), to: timestampText(toMs), activity: points };
}

/** @internal The activity of all webhooks, or of those of a tenant. */
export async function hoursOfAll(
  storage: Pick<WebhookStorage, 'readOverview'>,
  activity: Hours,
  tenant?: string,
): Promise<readonly ActivityBucket[]> {
  const [all] = await storage.readOverview({ activity, ...(tenant !== undefined && { tenant }) });
  return all?.activity ?? [];
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

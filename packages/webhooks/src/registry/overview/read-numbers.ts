import { timestampText } from '../../clock.ts';
import { type ActivityBucket, MAX_PENDING_COUNTED } from '../../storage/overview-record.ts';
import { hoursOfAll } from '../activity.ts';
import type { SharedReads } from '../shared-reads.ts';
import type { DayBefore, Overview, OverviewStorage } from './overview-records.ts';
import { readAnswerTimes } from './read-answer-times.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What an overview adds up. */
export type OverviewNumbers = Pick<Overview, 'delivered' | 'answers' | 'dayBefore' | 'waiting'>;

/** Reads the numbers of all webhooks that the storage shows, together. */
export async function readNumbers(
  {
    storage,
    share,
    tenant,
  }: {
    readonly storage: OverviewStorage;
    readonly share: SharedReads;
    readonly tenant?: string | undefined;
  },
  now: number,
): Promise<OverviewNumbers> {
  const from = hourText(now - DAY_MS);
  // A process whose clock is ahead may have begun the next hour.
  const activity = { from, to: timestampText(now + HOUR_MS) };
  const [all] = await storage.readOverview({ activity, waiting: true });
  const hours = all?.activity ?? [];
  const { count = 0, oldestAt = null } = all?.waiting ?? {};
  const anHour = () => HOUR_MS;
  return {
    delivered: deliveredIn(hours),
    answers: await readAnswerTimes(storage),
    dayBefore: await share(['day before', tenant, from], () => readDayBefore(storage, from), anHour),
    waiting: {
      count: Math.min(count, MAX_PENDING_COUNTED + 1),
      // What was written between the two reads is in one of them.
      recent: Math.min(count, sumOf(hours, 'pending')),
      oldestAt,
    },
  };
}

async function readDayBefore(storage: OverviewStorage, from: string): Promise<DayBefore> {
  const first = timestampText(Date.parse(from) - DAY_MS);
  const last = timestampText(Date.parse(from) - HOUR_MS);
  const { rate } = deliveredIn(await hoursOfAll(storage, { from: first, to: last }));
  const { p95Ms } = await readAnswerTimes(storage, { createdFrom: first, createdBefore: from });
  return { rate, p95Ms };
}

function deliveredIn(hours: readonly ActivityBucket[]): Overview['delivered'] {
  const [success, failed] = [sumOf(hours, 'success'), sumOf(hours, 'failed')];
  return { success, failed, rate: success + failed === 0 ? null : success / (success + failed) };
}

function sumOf(hours: readonly ActivityBucket[], status: 'success' | 'failed' | 'pending'): number {
  return hours.reduce((sum, hour) => sum + hour[status], 0);
}

/** The beginning of the hour of a time. */
function hourText(time: number): string {
  return timestampText(time - (time % HOUR_MS));
}

import type { AttemptLogEntry } from '../../storage/delivery-record.ts';
import type { DeliverySearch } from '../../storage/delivery-search.ts';
import type { AnswerTimes, OverviewStorage } from './overview-records.ts';

const MAX_ATTEMPTS = 200;
/** How many deliveries of either outcome are read. */
const PAGE_SIZE = 100;

/**
 * The times of the last attempts, of some deliveries or all, that were answered or waited for in
 * vain: those for deliveries that have ended, as of the others most may not have been tried.
 */
export async function readAnswerTimes(
  storage: Pick<OverviewStorage, 'findDeliveries'>,
  of: Pick<DeliverySearch, 'webhookId' | 'createdFrom' | 'createdBefore'> = {},
): Promise<AnswerTimes> {
  const search = {
    withContent: 'attempts',
    limit: PAGE_SIZE,
    maxScanned: 5_000,
    ...of,
  } as const;
  const pages = [
    await storage.findDeliveries({ ...search, status: 'success' }),
    await storage.findDeliveries({ ...search, status: 'failed' }),
  ];
  // Both pages reach back so far: before it, one outcome would count alone.
  const [from = ''] = pages
    .map(({ deliveries, next }) => (next && deliveries.at(-1)?.createdAt) ?? '')
    .sort()
    .reverse();
  const last = pages
    .flatMap(({ deliveries }) => deliveries.filter(({ createdAt }) => createdAt >= from))
    .flatMap(({ content }) => (content?.attemptLog ?? []).filter(isSent))
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
    .slice(0, MAX_ATTEMPTS);
  const times = last.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  return {
    attempts: last.length,
    since: last.at(-1)?.startedAt ?? null,
    medianMs: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
  };
}

/** Whether the time is the recipient's: it answered, or took longer than it may. */
function isSent({ statusCode, error }: AttemptLogEntry): boolean {
  return statusCode > 0 || error === 'timeout';
}

/** The least of these ascending times that so large a share of them does not exceed. */
function quantile(times: readonly number[], share: number): number | null {
  return times[Math.ceil(times.length * share) - 1] ?? null;
}

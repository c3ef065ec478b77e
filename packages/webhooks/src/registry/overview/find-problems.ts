import { timestampText } from '../../clock.ts';
import type { DeliverySummary } from '../../storage/delivery-record.ts';
import { MAX_WAITING_COUNTED } from '../../storage/overview-record.ts';
import type { Webhook } from '../../storage/webhook-record.ts';
import { isTestDelivery } from '../../test-deliveries.ts';
import { SECRET_OVERLAP_MS } from '../webhook-registry.ts';
import { type ExaminedWebhook, unhealthyWebhooks } from './examine-webhooks.ts';
import type { DeliveryProblem, OverviewStorage, WebhookChanged } from './overview-records.ts';

const MAX_WEBHOOKS = 20;
const MAX_PROBLEMS = 20;
/** How many deliveries of a webhook are read: failed ones, and pending ones. */
const PAGE_SIZE = 100;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Groups what failed, what fails and is tried again, and what is late, by webhook and cause:
 * the worst first.
 */
export async function findProblems(
  storage: OverviewStorage,
  now: number,
): Promise<{ readonly problems: DeliveryProblem[]; readonly hasMore: boolean }> {
  const found = await unhealthyWebhooks(storage, now);
  const problems: DeliveryProblem[] = [];
  let hasMore = found.hasMore;
  let failing = 0;
  // One after the other: a search takes one connection of the pool.
  for (const one of found.unhealthy) {
    hasMore ||= failing === MAX_WEBHOOKS;
    if (failing === MAX_WEBHOOKS) break;
    const ofOne = await problemsOf(storage, one, now);
    problems.push(...ofOne.problems);
    // A backlog that a limit or a 429 causes is no problem, and takes the place of none.
    if (ofOne.problems.length > 0) failing += 1;
    hasMore ||= ofOne.problems.length > 0 && !ofOne.isWhole;
  }
  return { problems: problems.slice(0, MAX_PROBLEMS), hasMore: hasMore || problems.length > MAX_PROBLEMS };
}

async function problemsOf(storage: OverviewStorage, examined: ExaminedWebhook, now: number) {
  const { webhook, health, waiting: pending, level, failureRun } = examined;
  const page = { webhookId: webhook.id, limit: PAGE_SIZE, maxScanned: 5_000 } as const;
  const createdFrom = timestampText(Math.max(beginningOf(examined, now), 0));
  const mayHaveFailed = health.failed > 0 || level === 'down' || !webhook.isActive;
  const failed = mayHaveFailed
    ? await storage.findDeliveries({ ...page, status: 'failed', createdFrom })
    : null;
  // Newer ones that were not tried yet would hide those that fail.
  const tried = { ...page, status: 'pending', hasError: true } as const;
  const waiting = pending.count === 0 ? null : await storage.findDeliveries(tried);
  const error = failureRun?.error;
  const ofRun = waiting?.next && error ? await storage.findDeliveries({ ...tried, error }) : waiting;
  const read = [failed, waiting, ofRun].flatMap((one) => one?.deliveries ?? []);
  const found = [...new Map(read.map((one) => [one.id, one])).values()].filter(
    (one) => one.error !== '' && !isTestDelivery(one.deliveryId),
  );
  const byCause = found.length === 0 && level === 'down' ? [found] : byError(found);
  const groups = webhook.isActive ? byCause : [found];
  const problems = groups.map((deliveries) => {
    const last = webhook.isActive && deliveries[0]?.error === error ? ofRun : waiting;
    const isWhole = !failed?.next && !last?.next;
    return {
      ...{ ...pickedOf(webhook), level, isWhole },
      ...causeOf(deliveries, examined, isWhole ? undefined : createdFrom),
    };
  });
  const told = found.filter(({ status }) => status === 'pending');
  return { problems: [...overdueOf(examined, told), ...problems], isWhole: !failed?.next && !waiting?.next };
}

/** What waits and has been due for long, but for what is told by its error. */
function overdueOf(
  { webhook, level, waiting, overdueSince }: ExaminedWebhook,
  told: readonly DeliverySummary[],
): DeliveryProblem[] {
  const others = waiting.count - told.length;
  if (overdueSince === null || others <= 0) return [];
  const isWhole = waiting.count <= MAX_WAITING_COUNTED;
  const nothing = { error: '', deliveryId: null, statusCode: 0, responseBody: '', changed: null };
  return [
    { ...pickedOf(webhook), level, isWhole, since: overdueSince, failed: 0, waiting: others, ...nothing },
  ];
}

/** Deliveries of a run of failures, however old, or of the last day. */
function beginningOf({ webhook, health, level }: ExaminedWebhook, now: number): number {
  if (level !== 'down' && webhook.isActive) return now - DAY_MS;
  // What succeeded last may have been created after the first one that failed.
  return Math.min(Date.parse(health.lastSuccessAt ?? webhook.createdAt) - HOUR_MS, now - DAY_MS);
}

function pickedOf({ id, tenant, url, name, isActive, inactiveReason }: ExaminedWebhook['webhook']) {
  return { webhookId: id, tenant, url, name, isActive, inactiveReason };
}

function byError(deliveries: readonly DeliverySummary[]): DeliverySummary[][] {
  const groups = new Map<string, DeliverySummary[]>();
  for (const delivery of deliveries) {
    groups.set(delivery.error, [...(groups.get(delivery.error) ?? []), delivery]);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/**
 * The cause of deliveries: that of the newest one for which something was sent.
 *
 * @param createdFrom if there are more: since when all of them were created
 */
function causeOf(
  deliveries: readonly DeliverySummary[],
  { webhook, failureRun }: ExaminedWebhook,
  createdFrom?: string,
) {
  const byAge = [...deliveries].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  const newest = byAge.findLast(({ error }) => error !== 'webhook_inactive') ?? byAge.at(-1);
  const [first] = byAge;
  const begun = webhook.inactiveSince ?? (failureRun?.since || webhook.updatedAt);
  const from =
    (createdFrom === undefined ? first?.createdAt : failureRun?.since || first?.createdAt) ?? begun;
  const until = createdFrom === undefined ? (first?.completedAt ?? from) : from;
  const failed = deliveries.filter(({ status }) => status === 'failed').length;
  return {
    error: newest?.error ?? failureRun?.error ?? '',
    since: first === undefined ? begun : (createdFrom ?? first.createdAt),
    failed,
    waiting: deliveries.length - failed,
    deliveryId: newest?.deliveryId ?? null,
    statusCode: newest?.statusCode ?? 0,
    responseBody: newest?.responseBody ?? '',
    changed: changeBefore(webhook, { from, until }),
  };
}

/**
 * The last change that may have brought about what failed first: of the day before it was created,
 * or while it was tried. A webhook knows its last change alone.
 */
function changeBefore(
  webhook: Webhook,
  { from, until }: { readonly from: string; readonly until: string },
): WebhookChanged | null {
  const earliest = timestampText(Date.parse(from) - DAY_MS);
  const changes = changesOf(webhook)
    .filter(({ at }) => at >= earliest && at <= until)
    .sort((a, b) => (a.at < b.at ? 1 : -1));
  return changes[0] ?? null;
}

function changesOf(webhook: Webhook): WebhookChanged[] {
  const { createdAt, updatedAt, inactiveSince, previousSecretExpiresAt: endsAt } = webhook;
  const changes: WebhookChanged[] = [{ what: 'created', at: createdAt }];
  if (endsAt !== null) {
    const rotatedAt = timestampText(Date.parse(endsAt) - SECRET_OVERLAP_MS);
    changes.push({ what: 'rotated', at: rotatedAt }, { what: 'secret_ended', at: endsAt });
    // The storage may keep a rotation as later than it was.
    if (Date.parse(updatedAt) - Date.parse(rotatedAt) < 1_000) return changes;
  }
  if (updatedAt !== createdAt && updatedAt !== inactiveSince) changes.push({ what: 'edited', at: updatedAt });
  return changes;
}

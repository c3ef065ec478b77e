import { timestampText } from '../../clock.ts';
import { hourOf, withHour } from '../claimed-hours.ts';
import {
  type AttemptReceipt,
  type AttemptRecord,
  type ClaimedDelivery,
  type ClaimRequest,
  NO_ACTIVATION,
} from '../delivery-requests.ts';
import type { RunEvent } from '../failure-run.ts';
import type { ResultRules } from '../result-rules.ts';
import type { WebhookStorage } from '../storage.ts';
import {
  type DeliveryRow,
  type MemoryTables,
  pausedUntil,
  pauseOf,
  schedule,
  type WebhookRow,
} from './memory-tables.ts';

/** The methods that lease due deliveries to runners and record the results. */
export function claimMethods(tables: MemoryTables) {
  const { deliveries } = tables;
  return {
    async dueSummary({ now, limit }) {
      const ready = readyQueue(deliveries.values(), now).filter(
        ({ recipient }) => pausedUntil(recipient, now) === undefined,
      );
      return { oldestDueMs: longestDueMs(ready, now), due: Math.min(ready.length, limit) };
    },
    async claimDueDeliveries(request) {
      tables.claimedHours = withHour(tables.claimedHours, hourOf(request.now));
      const ready = readyQueue(deliveries.values(), request.now);
      return chosenOf(ready, request).map((row) => claim(row, request));
    },
    async recordAttempts(records, rules) {
      const happened = new Map<WebhookRow, RunEvent[]>();
      const receipts = records.map((record) => recordAttempt(deliveries, record, rules, happened));
      for (const [recipient, events] of happened) {
        recipient.failureRun = rules.runAfter(recipient.failureRun, events, recipient.lastSuccessAt);
        const successes = events.filter((event) => event.happened === 'succeeded').map(({ at }) => at);
        recipient.lastSuccessAt = [recipient.lastSuccessAt, ...successes].sort().at(-1) ?? '';
      }
      return receipts;
    },
  } satisfies Partial<WebhookStorage>;
}

/** The deliveries that are due and not leased, by priority time. */
function readyQueue(rows: Iterable<DeliveryRow>, now: number): DeliveryRow[] {
  return [...rows]
    .filter(({ delivery, dueMs }) => delivery.status === 'pending' && dueMs <= now)
    .filter(({ lease }) => lease === undefined || lease.endsAt <= now)
    .sort((a, b) => a.priorityMs - b.priorityMs || a.delivery.id - b.delivery.id);
}

function longestDueMs(rows: readonly DeliveryRow[], now: number): number | null {
  return rows.length === 0 ? null : rows.reduce((longest, { dueMs }) => Math.max(longest, now - dueMs), 0);
}

/** The deliveries of a ready queue that a claim leases, in its order. */
function chosenOf(ready: readonly DeliveryRow[], { choose, now }: ClaimRequest): DeliveryRow[] {
  if (ready.length === 0) return [];
  const due = new Map<WebhookRow, number>();
  for (const { recipient } of ready) due.set(recipient, (due.get(recipient) ?? 0) + 1);
  const waiting = Array.from(due, ([recipient, count]) => {
    const isPaused = pausedUntil(recipient, now) !== undefined;
    const isResuming = !isPaused && pauseOf(recipient) !== undefined;
    const { id: webhookId, tenant } = recipient.webhook;
    return { webhookId, tenant, due: count, isPaused, isResuming };
  });
  const left = new Map(choose(waiting));
  for (const { webhookId, isResuming } of waiting) {
    if (isResuming && left.has(webhookId)) left.set(webhookId, Math.min(left.get(webhookId) ?? 0, 1));
  }
  return ready.filter(({ delivery: { webhookId } }) => {
    const slots = left.get(webhookId) ?? 0;
    left.set(webhookId, slots - 1);
    return slots > 0;
  });
}

function claim(row: DeliveryRow, { now, leaseMs, maxAttempts, claimToken }: ClaimRequest): ClaimedDelivery {
  const { recipient, seriesStart } = row;
  const { attempts, deferrals } = row.delivery;
  const before = attempts + deferrals;
  const isExhausted = attempts - seriesStart >= maxAttempts;
  const pauses = resume(recipient, now, now + leaseMs);
  const lostAttempt = row.lease === undefined ? null : before;
  const attempt = isExhausted ? before : before + 1;
  row.delivery = { ...row.delivery, attempts: attempt - deferrals };
  row.lease = { claimToken, endsAt: now + leaseMs };
  const { id, deliveryId, event, payload, createdAt, attemptLog } = row.delivery;
  const { id: webhookId, tenant, url, isActive, maxPerMinute } = recipient.webhook;
  const { secret, previousSecret, activation } = recipient;
  return structuredClone({
    id,
    claimToken,
    deliveryId,
    event,
    payload,
    createdAt,
    attemptLog,
    attempt,
    seriesAttempt: attempt - seriesStart - deferrals,
    deferrals,
    pauses,
    lostAttempt,
    isExhausted,
    webhook: { id: webhookId, tenant, url, secret, previousSecret, isActive, maxPerMinute, activation },
  });
}

function recordAttempt(
  deliveries: MemoryTables['deliveries'],
  record: AttemptRecord,
  { pauseAfter }: ResultRules,
  happened: Map<WebhookRow, RunEvent[]>,
): AttemptReceipt {
  const { id, claimToken, now, status, statusCode, responseBody, error, activation, deferral } = record;
  const row = deliveries.get(id);
  if (row === undefined) return 'gone';
  if (row.recordedToken === claimToken) return 'recorded';
  if (row.lease?.claimToken !== claimToken) return 'late';
  const saysSomething = activation !== NO_ACTIVATION;
  const attemptLog = structuredClone(record.attemptLog);
  const end = { status, completedAt: timestampText(now), nextAttemptAt: null };
  row.delivery = { ...row.delivery, statusCode, responseBody, error, attemptLog, ...end };
  if (status === 'pending') schedule(row, now + record.retryInMs, { isRetry: true });
  if (deferral) {
    const { attempts, deferrals } = row.delivery;
    row.delivery = { ...row.delivery, attempts: attempts - 1, deferrals: deferrals + 1 };
  }
  const pauses = deferral !== undefined && deferral.pauseMs > 0;
  if (pauses || record.resumed) row.recipient.pause = pauseAfter(row.recipient.pause, record, now);
  if (status !== 'pending') row.recipient.revision += 1;
  if (saysSomething) {
    const at = timestampText(now);
    const events = happened.get(row.recipient) ?? [];
    happened.set(row.recipient, events);
    if (pauses) events.push({ activation, at, happened: record.resumed ? 'asked again' : 'asked' });
    if (status === 'success') events.push({ activation, at, happened: 'succeeded' });
    if (status === 'failed') {
      row.recipient.lastFailureAt = at;
      // What was sent again says nothing new: a recovery's failures would be the next outage.
      if (row.reopenedAt === undefined) events.push({ activation, at, happened: { failedWith: error } });
    }
  }
  Object.assign(row, { lease: undefined, recordedToken: claimToken });
  return 'recorded';
}

/** Lets one delivery go first after a pause, and returns how many there were; 0 without one. */
function resume(recipient: WebhookRow, now: number, untilMs: number): number {
  const pause = pauseOf(recipient);
  if (pause === undefined || pausedUntil(recipient, now) !== undefined) return 0;
  recipient.pause = { ...pause, untilMs };
  return pause.count;
}

import { type Clock, timestampText, unixSeconds } from '../clock.ts';
import type { Egress } from '../egress/egress.ts';
import { tenantField } from '../events/tenant.ts';
import type { Notifier } from '../hooks/notifier.ts';
import type { ReportedAttempt, TracedAttempt } from '../hooks/webhook-hooks.ts';
import { createDeliveryHeaders } from '../signing/delivery-headers.ts';
import type { AttemptLogEntry } from '../storage/delivery-record.ts';
import { type AttemptRecord, type ClaimedDelivery, NO_ACTIVATION } from '../storage/delivery-requests.ts';
import { isTestDelivery } from '../test-deliveries.ts';
import { type AttemptErrorCode, type AttemptOutcome, failedOutcome, outcomeOf } from './outcome.ts';
import type { RetrySchedule } from './retry-schedule.ts';
import { judge, kept } from './verdict.ts';

/** The dependencies of an attempt. */
export interface AttemptDependencies {
  readonly egress: Pick<Egress, 'send'>;
  readonly retry: RetrySchedule;
  readonly standardHeaders: boolean;
  readonly userAgent: string;
  readonly traceparent: (attempt: TracedAttempt) => string | undefined;
  readonly clock: Clock;
  readonly notifier: Pick<Notifier, 'error'>;
  /** Whether a 410 ends the delivery at once. */
  readonly disableOnGone: boolean;
}

/** The outcome of a claim. */
export interface AttemptResult {
  readonly record: AttemptRecord;
  /** The request that was made; null if the claim ended without one. */
  readonly sent: Pick<ReportedAttempt, 'startedAt' | 'durationMs'> | null;
}

/** Makes the one attempt that a claim stands for and returns what to record. Never rejects. */
export type Attempt = (claimed: ClaimedDelivery) => Promise<AttemptResult>;

/** @internal */
export function createAttempt(deps: AttemptDependencies): Attempt {
  const { egress, clock, notifier } = deps;

  async function send(
    claimed: ClaimedDelivery,
    attemptAt: number,
    { previousSecret, traceparent }: { previousSecret: string | undefined; traceparent: string | undefined },
  ): Promise<AttemptOutcome> {
    try {
      const { url, tenant } = claimed.webhook;
      const body = callbackBody(claimed);
      const headers = createDeliveryHeaders({
        secret: claimed.webhook.secret,
        previousSecret,
        deliveryId: claimed.deliveryId,
        event: claimed.event,
        createdAtSeconds: unixSeconds(Date.parse(claimed.createdAt)),
        attemptAtSeconds: unixSeconds(attemptAt),
        attempt: claimed.attempt,
        isTest: isTestDelivery(claimed.deliveryId),
        body,
        standardHeaders: deps.standardHeaders,
        userAgent: deps.userAgent,
        traceparent,
      });
      return outcomeOf(await egress.send({ url, tenant, headers, body }), clock());
    } catch (error) {
      // Egress returns every expected failure as a value: an exception is a defect, and must not
      // lose the delivery.
      notifier.error('attempt', error);
      return failedOutcome('internal_error');
    }
  }

  return async (claimed) => {
    const log = [...claimed.attemptLog, ...lostEntries(claimed, clock())];
    if (claimed.isExhausted) return unsent(ended(claimed, outcomeOfLast(log), log, clock()));
    if (!claimed.webhook.isActive) {
      // Nothing is sent: the record keeps the recipient's last answer.
      const outcome = { ...outcomeOfLast(log), error: 'webhook_inactive' };
      log.push(unsentEntry(claimed.attempt, 'webhook_inactive', clock()));
      return unsent(ended(claimed, outcome, log, clock()));
    }

    const startedAt = clock();
    const previousSecret = previousSecretAt(claimed, startedAt);
    const traceparent = traceparentOf(claimed, deps);
    const outcome = await send(claimed, startedAt, { previousSecret, traceparent });
    const now = clock();
    const sent = { startedAt: timestampText(startedAt), durationMs: Math.max(now - startedAt, 0) };
    const { detail, error, responseBody, responseHeaders, statusCode } = outcome;
    const entry = {
      attempt: claimed.attempt,
      startedAt: sent.startedAt,
      durationMs: sent.durationMs,
      statusCode,
      error,
      responseBody,
      ...(detail && { detail }),
      ...(responseHeaders && { responseHeaders }),
      ...(traceparent && { traceparent }),
      ...(previousSecret === undefined ? {} : { hasPreviousSignature: true }),
    };
    const verdict = judge({ claimed, outcome, log, entry }, deps);
    return { sent, record: { ...ended(claimed, outcome, log, now), ...verdict } };
  };
}

/** W3C Trace Context, version 00. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

function traceparentOf(
  { webhook, deliveryId, event, attempt }: ClaimedDelivery,
  { notifier, traceparent }: Pick<AttemptDependencies, 'notifier' | 'traceparent'>,
): string | undefined {
  try {
    const header = traceparent({
      webhookId: webhook.id,
      ...tenantField(webhook.tenant),
      deliveryId,
      event,
      attempt,
    });
    if (header === undefined || TRACEPARENT.test(header)) return header;
    // A promise is no header either: that it rejects is not for the process to end over.
    Promise.resolve(header).catch(() => {});
    throw new TypeError('traceparent must return text such as 00-<32 hex>-<16 hex>-01, or undefined');
  } catch (error) {
    notifier.error('attempt', error);
    return undefined;
  }
}

/** The secret before the last rotation, while it still signs. */
function previousSecretAt({ webhook }: ClaimedDelivery, now: number): string | undefined {
  const previous = webhook.previousSecret;
  return previous !== null && Date.parse(previous.expiresAt) > now ? previous.secret : undefined;
}

/** A result without a request: it says nothing of the recipient, and belongs to no activation. */
function unsent(record: AttemptRecord): AttemptResult {
  return { record: { ...record, activation: NO_ACTIVATION }, sent: null };
}

function ended(
  { id, claimToken, deliveryId, webhook }: ClaimedDelivery,
  outcome: AttemptOutcome,
  log: readonly AttemptLogEntry[],
  now: number,
): AttemptRecord {
  return {
    id,
    claimToken,
    status: outcome.isSuccess ? 'success' : 'failed',
    statusCode: outcome.statusCode,
    responseBody: outcome.responseBody,
    error: outcome.error,
    attemptLog: kept(log),
    // A test says nothing of the events, whether it fails or succeeds.
    activation: isTestDelivery(deliveryId) ? NO_ACTIVATION : webhook.activation,
    now,
    retryInMs: 0,
  };
}

/** The outcome of the last attempt: a delivery that ends without a new one ends as that did. */
function outcomeOfLast(log: readonly AttemptLogEntry[]): AttemptOutcome {
  const last = log.at(-1);
  if (last === undefined) return failedOutcome('worker_lost');
  const { statusCode, responseBody, error } = last;
  return { isSuccess: false, statusCode, responseBody, error };
}

/**
 * The log entry of a claim that sent nothing, or whose worker vanished: when such an attempt began
 * is not known.
 */
function unsentEntry(attempt: number, error: AttemptErrorCode, now: number): AttemptLogEntry {
  return { attempt, startedAt: timestampText(now), durationMs: 0, statusCode: 0, error, responseBody: '' };
}

/** An entry for each attempt since the last result: several workers may have vanished in a row. */
function lostEntries(
  { attempt, seriesAttempt, deferrals, lostAttempt, attemptLog }: ClaimedDelivery,
  now: number,
): AttemptLogEntry[] {
  const before = Math.max(attemptLog.at(-1)?.attempt ?? 0, attempt - seriesAttempt - deferrals);
  const length = Math.max((lostAttempt ?? 0) - before, 0);
  return Array.from({ length }, (_, n) => unsentEntry(before + n + 1, 'worker_lost', now));
}

/**
 * The body of a callback, composed from the stored text of the payload: every attempt and every
 * redelivery signs and sends the same bytes. The event's name is part of what is signed, so that a
 * captured body cannot be passed off as another event.
 *
 * @returns `{"type":<event>,"timestamp":<created_at>,"data":<payload>}`
 */
export function callbackBody(delivery: {
  readonly event: string;
  readonly createdAt: string;
  readonly payload: string;
}): string {
  return `{"type":${JSON.stringify(delivery.event)},"timestamp":${JSON.stringify(delivery.createdAt)},"data":${delivery.payload}}`;
}

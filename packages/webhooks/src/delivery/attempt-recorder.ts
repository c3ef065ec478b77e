import { timestampText } from '../clock.ts';
import { tenantField } from '../events/tenant.ts';
import { createGroupCommit } from '../group-commit/group-commit.ts';
import type { Notifier } from '../hooks/notifier.ts';
import type { Logger } from '../logging/logger.ts';
import type { ProgressTimers } from '../progress-timers.ts';
import type { Announce } from '../queue/announce.ts';
import type { Counters } from '../stats.ts';
import type { AttemptReceipt, AttemptRecord, ClaimedDelivery } from '../storage/delivery-requests.ts';
import { RESULT_RULES } from '../storage/result-rules.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { AttemptResult } from './attempt.ts';
import type { Deactivation } from './deactivation.ts';

/**
 * Makes an attempt's result durable, then tells the queue and the host what follows. Never rejects.
 */
export type Recorder = (claimed: ClaimedDelivery, result: AttemptResult) => Promise<void>;

/** The pauses before the engine offers a result once more to a storage that refuses it. */
const RECORD_PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000];
const MAX_RECORDS_PER_COMMIT = 500;
const MAX_BYTES_PER_COMMIT = 4 * 1024 * 1024;
/**
 * SQLite answers at once: without a batch window, every result would be a transaction of its own.
 * No caller waits for a result, so the window is five milliseconds, or as many results as there are
 * slots.
 *
 * Of 4,000 results at 50 slots that makes about 80 transactions, where one millisecond or a quarter
 * of the slots makes 350 and takes 35 µs of CPU more for each. And the claim that fills their slots
 * comes first: recipients are at work while the results are written, an eighth of a delivery's
 * time.
 */
const BATCH_WINDOW_MS = 5;

/** @internal Writes the results of one batch window together. */
export function createRecorder(deps: {
  readonly storage: Pick<WebhookStorage, 'recordAttempts'>;
  readonly announce: Announce;
  readonly notifier: Pick<Notifier, 'error' | 'deliveryFailed' | 'attempt'>;
  readonly logger: Logger;
  readonly counters: Counters;
  readonly disable: Deactivation;
  /** Attempts at once. There are never more results than twice as many. */
  readonly concurrency: number;
  /** Those of the batch window. Default: Node's own. */
  readonly timers?: ProgressTimers;
}): Recorder {
  const { storage, announce, notifier, logger, counters } = deps;
  const results = createGroupCommit<AttemptRecord, AttemptReceipt>({
    commit: (records) => storage.recordAttempts(records, RESULT_RULES),
    sizeOf: approximateBytes,
    costOf: approximateBytes,
    maxItemsPerCommit: MAX_RECORDS_PER_COMMIT,
    maxCostPerCommit: MAX_BYTES_PER_COMMIT,
    // Bounded by the attempts in flight: each waits for its result, apart from as many as there are
    // slots.
    maxWaitingItems: Number.POSITIVE_INFINITY,
    maxWaitingSize: Number.POSITIVE_INFINITY,
    batchWindow: {
      items: deps.concurrency,
      withinMs: BATCH_WINDOW_MS,
      ...(deps.timers && { timers: deps.timers }),
    },
  });

  function reportAttempt(claimed: ClaimedDelivery, { record, sent }: AttemptResult): void {
    if (sent === null) return;
    const { deliveryId, attempt, event, webhook } = claimed;
    const { status, statusCode, error, now, retryInMs } = record;
    counters.attempts += 1;
    counters[counterOf(record)] += 1;
    notifier.attempt({
      webhookId: webhook.id,
      ...tenantField(webhook.tenant),
      deliveryId,
      event,
      attempt,
      statusCode,
      error,
      startedAt: sent.startedAt,
      durationMs: sent.durationMs,
      status,
      nextAttemptAt: status === 'pending' ? timestampText(now + retryInMs) : null,
    });
  }

  async function followUp(claimed: ClaimedDelivery, { record, sent }: AttemptResult): Promise<void> {
    const { deliveryId, attempt, event, webhook } = claimed;
    if (record.status === 'pending') {
      announce([{ deliveryId, delayMs: record.retryInMs }]);
    } else if (record.status === 'failed') {
      counters.exhausted += 1;
      const { statusCode, error } = record;
      notifier.deliveryFailed({
        webhookId: webhook.id,
        ...tenantField(webhook.tenant),
        deliveryId,
        event,
        attempts: attempt - claimed.deferrals,
        statusCode,
        error,
      });
      // An administrator who has activated the webhook since, or given it another URL, overrides an
      // attempt begun before.
      const expected = { activation: webhook.activation };
      if (sent !== null) await deps.disable({ webhook, deliveryId, event, error, expected });
    }
  }

  return async (claimed, result) => {
    const { record } = result;
    try {
      // Only this worker has the claim, so it follows the result up, even if the answer to its
      // first commit was lost.
      const receipt = await retried(() => results.add(record));
      if (receipt === 'recorded') {
        reportAttempt(claimed, result);
        await followUp(claimed, result);
      } else if (receipt === 'late') {
        counters.discarded += 1;
        const { attempt, deliveryId, webhook } = claimed;
        const whose = { webhookId: webhook.id, ...tenantField(webhook.tenant) };
        logger.warn({ deliveryId, ...whose, attempt }, 'late webhook result discarded');
      }
    } catch (error) {
      // The lease ends and the delivery is claimed again: it may be sent twice, it is not lost.
      counters.unrecorded += 1;
      notifier.error('record', error);
    }
  };
}

async function retried<Result>(run: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of RECORD_PAUSES_MS) {
    try {
      return await run();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return await run();
}

function approximateBytes({ attemptLog, responseBody }: AttemptRecord): number {
  return attemptLog.reduce(
    (bytes, { responseBody: body, responseHeaders = {} }) =>
      bytes + body.length + Object.values(responseHeaders).join('').length + 200,
    responseBody.length,
  );
}

function counterOf({ status, deferral }: AttemptRecord): 'succeeded' | 'deferred' | 'failedAttempts' {
  if (status === 'success') return 'succeeded';
  return deferral === undefined ? 'failedAttempts' : 'deferred';
}

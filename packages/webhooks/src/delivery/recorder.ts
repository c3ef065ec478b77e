import pRetry from 'p-retry';
import { createGroupCommit } from '../group-commit.ts';
import type { Notifier } from '../hooks.ts';
import type { Logger } from '../logger.ts';
import { type DeliveryQueue, queueUnavailable } from '../queue/queue.ts';
import type { AttemptRecord, ClaimedDelivery, WebhookStorage } from '../storage/storage.ts';

/** Makes an attempt's result durable, then tells the queue and the host. Never rejects. */
export type Recorder = (claimed: ClaimedDelivery, record: AttemptRecord) => Promise<void>;

/** How often a result is offered to a storage that refuses it: for 15 s beside what the storage itself takes. */
const RECORD_RETRIES = { retries: 5, minTimeout: 500, factor: 2, maxTimeout: 8_000 };
const MAX_RECORDS_PER_COMMIT = 500;
const MAX_BYTES_PER_COMMIT = 4 * 1024 * 1024;

/** @internal Results of one moment are written together. */
export function createRecorder(deps: {
  readonly storage: Pick<WebhookStorage, 'recordAttempts'>;
  readonly queue: DeliveryQueue;
  readonly notifier: Notifier;
  readonly logger: Logger;
}): Recorder {
  const { storage, queue, notifier, logger } = deps;
  const results = createGroupCommit<AttemptRecord, boolean>({
    commit: (records) => storage.recordAttempts(records),
    sizeOf: approximateBytes,
    costOf: approximateBytes,
    maxItemsPerCommit: MAX_RECORDS_PER_COMMIT,
    maxCostPerCommit: MAX_BYTES_PER_COMMIT,
    // There are never more results than attempts at once.
    maxWaitingItems: Number.POSITIVE_INFINITY,
    maxWaitingSize: Number.POSITIVE_INFINITY,
  });

  function announce(claimed: ClaimedDelivery, record: AttemptRecord): void {
    const { deliveryId, attempt, event, webhook } = claimed;
    const { status, statusCode, error } = record;
    logger.debug(
      { deliveryId, webhookId: webhook.id, event, attempt, status, statusCode, error },
      'webhook attempt recorded',
    );
    if (status === 'pending') {
      queue
        .enqueue([{ deliveryId, delayMs: record.retryInMs }])
        .catch((reason: unknown) => notifier.error('enqueue', queueUnavailable(reason)));
    } else if (status === 'failed') {
      notifier.deliveryFailed({
        webhookId: webhook.id,
        deliveryId,
        event,
        attempts: attempt,
        statusCode,
        error,
      });
    }
  }

  return async (claimed, record) => {
    try {
      const isAccepted = await pRetry(() => results.add(record), RECORD_RETRIES);
      if (isAccepted) announce(claimed, record);
      else
        logger.warn(
          { deliveryId: claimed.deliveryId, attempt: claimed.attempt },
          'late webhook result discarded',
        );
    } catch (error) {
      // The lease runs out and the delivery is claimed again: it may be sent twice, it is not lost.
      notifier.error('record', error);
    }
  };
}

function approximateBytes({ attemptLog, responseBody }: AttemptRecord): number {
  return attemptLog.reduce((bytes, entry) => bytes + entry.responseBody.length + 200, responseBody.length);
}

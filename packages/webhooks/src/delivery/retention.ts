import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, timestampText } from '../clock.ts';
import type { Notifier } from '../hooks/notifier.ts';
import type { Logger } from '../logging/logger.ts';
import type { Counters } from '../stats.ts';
import type { WebhookStorage } from '../storage/storage.ts';

/**
 * The retention job, for hosts that run it from a scheduler of their own: call
 * `webhooks.purgeDeliveries()`.
 */
export const PURGE_JOB: { readonly name: string; readonly cron: string } = Object.freeze({
  name: 'purge-old-webhook-deliveries',
  /** Daily at 03:17. */
  cron: '17 3 * * *',
});

/** The result of a purge. */
export interface PurgeResult {
  /**
   * Deliveries removed for their age, and those that an interrupted removal of a webhook had left
   * behind.
   */
  readonly removed: number;
  /** How many of those were still pending, and so ended `failed` with error `expired`. */
  readonly expired: number;
}

/** Rows removed per transaction: few enough that claims and results are written in between. */
const PURGE_BATCH = 100;
/** One call removes at most 50 million deliveries and as many keys; the next call continues. */
const MAX_PURGE_BATCHES = 500_000;
/** How long a dispatch with a key seen before writes nothing, however long deliveries are kept. */
const IDEMPOTENCY_KEY_DAYS = 30;
const DAY_MS = 86_400_000;

/** @internal */
export function createPurge(deps: {
  readonly storage: Pick<WebhookStorage, 'purgeDeliveries' | 'purgeIdempotencyKeys'>;
  readonly clock: Clock;
  readonly notifier: Pick<Notifier, 'deliveryFailed'>;
  readonly logger: Logger;
  readonly counters: Counters;
  readonly retentionDays: number;
}): (signal?: AbortSignal) => Promise<PurgeResult> {
  const { storage, clock, notifier, counters, retentionDays } = deps;

  async function purgeDeliveries(signal?: AbortSignal): Promise<PurgeResult> {
    const createdBefore = timestampText(clock() - retentionDays * DAY_MS);
    let removed = 0;
    let expired = 0;
    for (let batch = 0; batch < MAX_PURGE_BATCHES && !signal?.aborted; batch += 1) {
      const receipt = await storage.purgeDeliveries({ createdBefore, now: clock(), limit: PURGE_BATCH });
      removed += receipt.removed;
      expired += receipt.expired.length;
      counters.expired += receipt.expired.length;
      for (const delivery of receipt.expired) {
        const { webhookId, deliveryId, event, attempts, statusCode } = delivery;
        notifier.deliveryFailed({ webhookId, deliveryId, event, attempts, statusCode, error: 'expired' });
      }
      if (receipt.removed < PURGE_BATCH) break;
      // SQLite drivers answer synchronously: without this, a long history would block the rest of
      // the process.
      await nextTurn();
    }
    return { removed, expired };
  }

  async function purgeIdempotencyKeys(signal?: AbortSignal): Promise<void> {
    const createdBefore = timestampText(clock() - IDEMPOTENCY_KEY_DAYS * DAY_MS);
    for (let batch = 0; batch < MAX_PURGE_BATCHES && !signal?.aborted; batch += 1) {
      if ((await storage.purgeIdempotencyKeys({ createdBefore, limit: PURGE_BATCH })) < PURGE_BATCH) return;
      await nextTurn();
    }
  }

  return async (signal) => {
    const result = await purgeDeliveries(signal);
    deps.logger.info({ ...result }, 'webhook deliveries purged');
    await purgeIdempotencyKeys(signal);
    return result;
  };
}

import type { Clock } from '../clock.ts';
import { tenantField } from '../events/tenant.ts';
import type { Notifier } from '../hooks/notifier.ts';
import type { Logger } from '../logging/logger.ts';
import type { Counters } from '../stats.ts';
import type { DeliverySummary } from '../storage/delivery-record.ts';
import { runAfter } from '../storage/failure-run.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { Deactivation } from './deactivation.ts';
import { MAX_BUSY_MS } from './deferral.ts';
import { removeInBatches } from './remove-in-batches.ts';
import type { RetrySchedule } from './retry-schedule.ts';

const INTERVAL_MS = 600_000;
/** A recipient that has asked no later may be well: its pauses last 1.1 h. */
const ASKED_WITHIN_MS = 10_800_000;

/**
 * @internal
 *
 * Ends deliveries whose recipient has been busy for a day, however few of them were tried. It looks
 * for them at most every ten minutes, and never rejects.
 */
export function createBusyDeliveries(deps: {
  readonly storage: Pick<WebhookStorage, 'findWebhook' | 'purgeDeliveries'>;
  readonly clock: Clock;
  readonly notifier: Pick<Notifier, 'deliveryFailed' | 'error'>;
  readonly logger: Logger;
  readonly counters: Counters;
  readonly disable: Deactivation;
  readonly retry: Pick<RetrySchedule, 'deferBusy'>;
}): (signal?: AbortSignal) => Promise<void> {
  const { storage, clock, notifier, logger, counters } = deps;

  async function report(webhookId: number, ended: readonly DeliverySummary[]): Promise<void> {
    const webhook = await storage.findWebhook(webhookId);
    const whose = { webhookId, ...tenantField(webhook?.tenant ?? '') };
    logger.warn({ ...whose, deliveries: ended.length }, 'webhook deliveries ended: the recipient is busy');
    for (const { deliveryId, event, attempts, statusCode, error } of ended) {
      notifier.deliveryFailed({ ...whose, deliveryId, event, attempts, statusCode, error });
    }
    const last = ended.at(-1);
    if (webhook && last) {
      await deps.disable({ ...last, webhook, expected: { updatedAt: webhook.updatedAt } });
    }
  }

  async function endBatch(limit: number): Promise<number> {
    const busy = { busyForMs: MAX_BUSY_MS, askedWithinMs: ASKED_WITHIN_MS, runAfter };
    const { expired } = await storage.purgeDeliveries({ ...busy, now: clock(), limit });
    counters.exhausted += expired.length;
    for (const webhookId of new Set(expired.map((one) => one.webhookId))) {
      const ended = expired.filter((one) => one.webhookId === webhookId);
      await report(webhookId, ended).catch((error: unknown) => notifier.error('purge', error));
    }
    return expired.length;
  }

  let lookedAt = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const now = clock();
    // A clock that was set back does not hold it up.
    if (!deps.retry.deferBusy || Math.abs(now - lookedAt) < INTERVAL_MS) return;
    lookedAt = now;
    await removeInBatches(endBatch, signal).catch((error: unknown) => notifier.error('purge', error));
  };
}

import { type Clock, timestampText } from '../clock.ts';
import { tenantField } from '../events/tenant.ts';
import type { Notifier } from '../hooks/notifier.ts';
import type { Logger } from '../logging/logger.ts';
import type { Counters } from '../stats.ts';
import type { DeliverySummary } from '../storage/delivery-record.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { removeInBatches } from './remove-in-batches.ts';

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
export type PurgeResult = {
  /** Deliveries removed for their age, and those of removed webhooks that were still there. */
  readonly removed: number;
  /**
   * How many were still pending, and therefore ended as `failed` with the error `expired`: those of
   * the ones removed, and those that had been due for `pendingDays`, which stay.
   */
  readonly expired: number;
};

/** How long a dispatch with a key seen before writes nothing, however long deliveries are kept. */
const IDEMPOTENCY_KEY_DAYS = 30;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;

/** How many deliveries of a webhook expired. */
interface ExpiredDeliveries {
  readonly webhookId: number;
  readonly tenant?: string;
  readonly deliveries: number;
}

type ExpiredByWebhook = Map<number, ExpiredDeliveries>;

/** @internal */
export function createPurge(deps: {
  readonly storage: Pick<WebhookStorage, 'findWebhook' | 'purgeDeliveries' | 'purgeIdempotencyKeys'>;
  readonly clock: Clock;
  readonly notifier: Pick<Notifier, 'deliveryFailed'>;
  readonly logger: Logger;
  readonly counters: Counters;
  readonly retentionDays: number;
  readonly pendingDays: number;
}): (signal?: AbortSignal) => Promise<PurgeResult> {
  const { storage, clock, notifier, logger, counters, retentionDays, pendingDays } = deps;

  /**
   * Tells the hook of each, which promises every delivery that ended as `failed`, and counts them by
   * webhook for the log: of a backlog there may be 100,000.
   */
  async function report(expired: readonly DeliverySummary[], byWebhook: ExpiredByWebhook): Promise<void> {
    counters.expired += expired.length;
    for (const { webhookId, deliveryId, event, attempts, statusCode } of expired) {
      const { deliveries, ...whose } = byWebhook.get(webhookId) ?? (await none(webhookId));
      byWebhook.set(webhookId, { ...whose, deliveries: deliveries + 1 });
      notifier.deliveryFailed({ ...whose, deliveryId, event, attempts, statusCode, error: 'expired' });
    }
  }

  async function none(webhookId: number): Promise<ExpiredDeliveries> {
    // They have ended: that a tenant cannot be read keeps no report back.
    const webhook = await storage.findWebhook(webhookId).catch(() => undefined);
    return { webhookId, ...tenantField(webhook?.tenant ?? ''), deliveries: 0 };
  }

  async function removeOld(expired: ExpiredByWebhook, signal?: AbortSignal): Promise<number> {
    const oldest = clock() - retentionDays * DAY_MS;
    // Whole hours: the counters of an hour go once all of its deliveries have.
    const createdBefore = timestampText(oldest - (oldest % HOUR_MS));
    let removed = 0;
    await removeInBatches(async (limit) => {
      const receipt = await storage.purgeDeliveries({ createdBefore, now: clock(), limit });
      removed += receipt.removed;
      await report(receipt.expired, expired);
      return receipt.removed;
    }, signal);
    return removed;
  }

  /** Ends what has been due for too long while workers were claiming. */
  async function expire(expired: ExpiredByWebhook, signal?: AbortSignal): Promise<void> {
    const overdue = { dueForHours: pendingDays * HOURS_PER_DAY };
    await removeInBatches(async (limit) => {
      const receipt = await storage.purgeDeliveries({ ...overdue, now: clock(), limit });
      await report(receipt.expired, expired);
      return receipt.expired.length;
    }, signal);
  }

  async function purgeDeliveries(signal?: AbortSignal): Promise<PurgeResult> {
    const byWebhook: ExpiredByWebhook = new Map();
    try {
      const removed = await removeOld(byWebhook, signal);
      await expire(byWebhook, signal);
      const expired = [...byWebhook.values()].reduce((sum, { deliveries }) => sum + deliveries, 0);
      return { removed, expired };
    } finally {
      for (const one of byWebhook.values()) logger.warn({ ...one }, 'webhook deliveries expired');
    }
  }

  async function purgeIdempotencyKeys(signal?: AbortSignal): Promise<void> {
    const createdBefore = timestampText(clock() - IDEMPOTENCY_KEY_DAYS * DAY_MS);
    await removeInBatches((limit) => storage.purgeIdempotencyKeys({ createdBefore, limit }), signal);
  }

  return async (signal) => {
    const result = await purgeDeliveries(signal);
    logger.info({ job: PURGE_JOB.name, ...result }, 'webhook deliveries purged');
    await purgeIdempotencyKeys(signal);
    return result;
  };
}

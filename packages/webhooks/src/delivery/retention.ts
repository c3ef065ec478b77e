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
  const { storage, clock, notifier, counters, retentionDays, pendingDays } = deps;

  /** @param tenants whose the webhooks are, as far as it is known */
  async function report(expired: readonly DeliverySummary[], tenants: Map<number, string>): Promise<void> {
    counters.expired += expired.length;
    for (const { webhookId } of expired) {
      if (tenants.has(webhookId)) continue;
      // They have ended: that a tenant cannot be read keeps no report back.
      const webhook = await storage.findWebhook(webhookId).catch(() => undefined);
      tenants.set(webhookId, webhook?.tenant ?? '');
    }
    for (const { webhookId, deliveryId, event, attempts, statusCode } of expired) {
      const whose = { webhookId, ...tenantField(tenants.get(webhookId) ?? '') };
      notifier.deliveryFailed({ ...whose, deliveryId, event, attempts, statusCode, error: 'expired' });
    }
  }

  /** Ends what has been due for too long while workers were claiming, and tells of it by webhook. */
  async function expire(signal?: AbortSignal): Promise<number> {
    const tenants = new Map<number, string>();
    const counts = new Map<number, number>();
    const overdue = { dueForHours: pendingDays * HOURS_PER_DAY };
    try {
      await removeInBatches(async (limit) => {
        const { expired } = await storage.purgeDeliveries({ ...overdue, now: clock(), limit });
        await report(expired, tenants);
        for (const { webhookId } of expired) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
        return expired.length;
      }, signal);
    } finally {
      for (const [webhookId, deliveries] of counts) {
        const whose = { webhookId, ...tenantField(tenants.get(webhookId) ?? '') };
        deps.logger.warn({ ...whose, deliveries }, 'webhook deliveries expired: due for too long');
      }
    }
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  }

  async function purgeDeliveries(signal?: AbortSignal): Promise<PurgeResult> {
    const oldest = clock() - retentionDays * DAY_MS;
    // Whole hours: the counters of an hour go once all of its deliveries have.
    const createdBefore = timestampText(oldest - (oldest % HOUR_MS));
    let removed = 0;
    let expired = 0;
    await removeInBatches(async (limit) => {
      const receipt = await storage.purgeDeliveries({ createdBefore, now: clock(), limit });
      removed += receipt.removed;
      expired += receipt.expired.length;
      await report(receipt.expired, new Map());
      return receipt.removed;
    }, signal);
    return { removed, expired: expired + (await expire(signal)) };
  }

  async function purgeIdempotencyKeys(signal?: AbortSignal): Promise<void> {
    const createdBefore = timestampText(clock() - IDEMPOTENCY_KEY_DAYS * DAY_MS);
    await removeInBatches((limit) => storage.purgeIdempotencyKeys({ createdBefore, limit }), signal);
  }

  return async (signal) => {
    const result = await purgeDeliveries(signal);
    deps.logger.info({ job: PURGE_JOB.name, ...result }, 'webhook deliveries purged');
    await purgeIdempotencyKeys(signal);
    return result;
  };
}

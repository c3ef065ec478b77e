import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import { isTenant, TENANT_BOUNDS } from '../events/tenant.ts';
import { BEFORE_ANY } from '../storage/purge-requests.ts';
import type { WebhookStorage } from '../storage/storage.ts';

/** What `removeTenant` has removed in one call. */
export type RemovedTenant = {
  readonly webhooks: number;
  /** The deliveries of these webhooks, counted when they were removed. */
  readonly deliveries: number;
  readonly idempotencyKeys: number;
  /** Whether nothing is left; otherwise another call goes on. */
  readonly done: boolean;
};

/** Removes customers who left. */
export interface TenantRemoval {
  /**
   * Removes everything of a tenant: its webhooks with their deliveries, and its idempotency keys.
   * First the webhooks, so that nothing of them is sent from then on, also not what a transaction
   * of the application writes meanwhile; an attempt in flight is not interrupted.
   *
   * In steps of 100 rows, for ten seconds at most, on MySQL and MariaDB also for as long as one of
   * them waits for a transaction of the application: call it again until `done`. It may be called
   * again at any time, after a crash too, from any process, and for a tenant that has nothing.
   *
   * Forbid the customer to sign in before the call. A registration beside it is removed, or refused
   * with `rate_limited`: for a minute from each call on, in every process. The tenant may return
   * after that minute.
   *
   * What stays for a while: the hidden row of each removed webhook, with its URL and without its
   * secrets, for a day, and until the next purge after that; a delivery that is committed after
   * the call, until that purge, and its idempotency key for 30 days, or until another call.
   *
   * @throws WebhookError `invalid_options` unless it is a tenant, `storage_unavailable`; what was
   *   removed until then stays removed
   */
  removeTenant(tenant: string): Promise<RemovedTenant>;
}

/** How long one call goes on: much shorter than a tenant stays closed. */
const MAX_CALL_MS = 10_000;
/** Rows in one transaction; also a page of webhooks. */
const BATCH: number = 100;

/** @internal */
export function createTenantRemoval<Transaction>(deps: {
  readonly storage: WebhookStorage<Transaction>;
  readonly clock: Clock;
}): TenantRemoval {
  const { storage, clock } = deps;

  async function removeWebhooks(tenant: string): Promise<{ webhooks: number; deliveries: number }> {
    const page = { limit: BATCH, offset: 0, sort: 'id', order: 'asc' } as const;
    const webhookIds = (await storage.listWebhooks({ ...page, tenant })).webhooks.map(({ id }) => id);
    const overview = webhookIds.length > 0 ? await storage.readOverview({ webhookIds, counts: true }) : [];
    for (const id of webhookIds) await storage.deleteWebhook(id);
    const deliveries = overview.flatMap(({ counts }) => (counts ? Object.values(counts) : []));
    return { webhooks: webhookIds.length, deliveries: deliveries.reduce((sum, count) => sum + count, 0) };
  }

  return {
    async removeTenant(tenant) {
      if (!isTenant(tenant)) {
        throw new WebhookError('invalid_options', `A tenant is text of ${TENANT_BOUNDS}`);
      }
      const end = performance.now() + MAX_CALL_MS;
      const removed = { webhooks: 0, deliveries: 0, idempotencyKeys: 0 };
      // Also closes the tenant: no webhook comes after those that are found from here on.
      async function forgetKeys(): Promise<number> {
        const keys = await storage.purgeIdempotencyKeys({ tenant, now: clock(), limit: BATCH });
        removed.idempotencyKeys += keys;
        return keys;
      }
      async function hideWebhooks(): Promise<number> {
        const { webhooks, deliveries } = await removeWebhooks(tenant);
        removed.webhooks += webhooks;
        removed.deliveries += deliveries;
        return webhooks;
      }
      async function purgeRemains(): Promise<number> {
        const remains = { createdBefore: BEFORE_ANY, now: clock(), limit: BATCH };
        return (await storage.purgeDeliveries(remains)).removed;
      }
      const hasMoreKeys = (await forgetKeys()) === BATCH;
      for (const step of [hideWebhooks, ...(hasMoreKeys ? [forgetKeys] : []), purgeRemains]) {
        for (let count = BATCH; count === BATCH; await nextTurn()) {
          count = await step();
          if (performance.now() > end) return { ...removed, done: false };
        }
      }
      return { ...removed, done: true };
    },
  };
}

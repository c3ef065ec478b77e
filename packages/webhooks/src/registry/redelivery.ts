import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Clock, timestampText } from '../clock.ts';
import { isWebhookError, WebhookError } from '../errors.ts';
import { tenantField } from '../events/tenant.ts';
import type { Logger } from '../logging/logger.ts';
import { redactedError } from '../logging/redacted-error.ts';
import type { Counters } from '../stats.ts';
import type { DeliveryPlace, FailedQuery } from '../storage/delivery-requests.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { decodePlace, encodePlace } from './delivery-cursor.ts';
import { deliveryNotFound, isDeliveryId } from './existing-delivery.ts';
import { existingWebhook } from './existing-webhook.ts';
import { readInput } from './read-input.ts';

/** A delivery that was reopened. */
export type RedeliveryReceipt = {
  readonly deliveryId: string;
  readonly status: 'pending';
};

/** What `recover` takes. */
export interface RecoverInput {
  /** Deliveries created at this time or later: a `Date` or RFC 3339 text with its offset. */
  readonly since: Date | string;
  /** Deliveries created before this time. Default: without end. */
  readonly until?: Date | string | undefined;
  /** Only deliveries of these events, 1–100 exact names. Default: all. */
  readonly events?: readonly string[] | undefined;
  /** Only deliveries of this webhook. Default: those of every active webhook. */
  readonly webhookId?: number | undefined;
  /** The `nextCursor` of an earlier call for the same deliveries. Default: from the oldest on. */
  readonly cursor?: string | undefined;
  /**
   * Begins no further batch after this time, 1–86,400,000 ms. The first batch is always reopened.
   * Default: without end.
   */
  readonly maxDurationMs?: number | undefined;
  /** Only counts the deliveries, from the oldest on. Default: false. */
  readonly dryRun?: boolean | undefined;
}

/** What `recover` did, or would do. */
export type RecoverResult = {
  readonly deliveries: number;
  /**
   * Where a next call goes on, if this one stopped after `maxDurationMs`, or at 1,000,000
   * deliveries. Null if it came to the end.
   */
  readonly nextCursor: string | null;
  readonly dryRun: boolean;
};

/** Sends deliveries again. */
export interface Redelivery {
  /**
   * Starts a new series of attempts for a delivery that has ended, successful or not. It sends the
   * same bytes under the same `X-Webhook-ID`; the number of attempts continues. Resolves once that
   * is durable. Of several concurrent calls, one starts the series; the others find it pending.
   *
   * @throws WebhookError `webhook_not_found`, `webhook_inactive`, `delivery_not_found`, or
   *   `delivery_pending` if it has not ended
   */
  redeliver(webhookId: number, deliveryId: string): Promise<RedeliveryReceipt>;
  /**
   * Starts a new series of attempts for every failed delivery created since the given time, oldest
   * first, including those that failed as `webhook_inactive`, and without tests. Deliveries of
   * inactive webhooks stay as they are: activate those webhooks first. Events that become due
   * within the next minute go before the reopened deliveries.
   *
   * It reopens batches of 500, each atomic, and yields to the event loop between them. If the call
   * rejects, the deliveries reopened so far stay reopened; the error has their number (`reopened`).
   * A call reopens each delivery at most once, even if its recipient fails again before the call
   * has ended, and at most 1,000,000 deliveries. It has no bound in time unless `maxDurationMs`
   * gives one. Call it again with the `cursor` that it returns: together the calls, too, reopen
   * each delivery at most once. `dryRun` counts them all.
   *
   * @throws WebhookError `validation_failed`, `storage_unavailable`; with `webhookId`:
   *   `webhook_not_found`, `webhook_inactive`, also if the webhook is removed or deactivated while
   *   the call goes on
   */
  recover(input: RecoverInput): Promise<RecoverResult>;
}

const RECOVER_BATCH = 500;
const MAX_RECOVERED = 1_000_000;

/** @internal */
export function createRedelivery(deps: {
  readonly storage: Pick<WebhookStorage, 'findWebhook' | 'reopenDeliveries'>;
  /**
   * Wakes the workers through the queue. The job names one of the due deliveries; the worker polls
   * for all.
   */
  readonly announce: (jobs: readonly { readonly deliveryId: string; readonly delayMs: number }[]) => void;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly logger: Logger;
}): Redelivery {
  const { storage, announce, clock, counters, logger } = deps;

  async function reopenAll(query: FailedQuery, from: Position): Promise<Progress> {
    const begun: Progress = { reopened: 0, next: undefined };
    try {
      await reopenInBatches(query, from, begun);
      // A storage stops at a webhook that was paused or removed meanwhile, and does not say so.
      if (query.webhookId !== undefined) await requireActive(storage, query.webhookId);
    } catch (error) {
      throw begun.reopened === 0 ? error : interrupted(error, begun.reopened);
    } finally {
      if (begun.reopened > 0) {
        logger.info({ ...query, ...from.whose, deliveries: begun.reopened }, 'webhook deliveries reopened');
      }
    }
    return begun;
  }

  async function reopenInBatches(query: FailedQuery, from: Position, begun: Progress): Promise<void> {
    const end = performance.now() + from.maxDurationMs;
    // If recipients fail at once, the deliveries reopened first may have failed again before the
    // last batch. A position that only advances reopens none of them twice, whatever the clocks
    // say.
    let { after } = from;
    for (;;) {
      const limit = Math.min(MAX_RECOVERED - begun.reopened, RECOVER_BATCH);
      const { deliveries } = await storage.reopenDeliveries({ target: query, now: clock(), limit, after });
      begun.reopened += deliveries.length;
      counters.reopened += deliveries.length;
      announce(deliveries.slice(0, 1).map(({ deliveryId }) => ({ deliveryId, delayMs: 0 })));
      if (deliveries.length < limit) return;
      after = deliveries.at(-1);
      if (begun.reopened >= MAX_RECOVERED || performance.now() > end) {
        begun.next = after;
        return;
      }
      // SQLite drivers answer synchronously: without this, a long history would block the process.
      await yieldToEventLoop();
    }
  }

  return {
    async redeliver(webhookId, deliveryId) {
      const whose = await requireActive(storage, webhookId);
      if (!isDeliveryId(deliveryId)) return deliveryNotFound();
      const request = { target: { webhookId, deliveryId }, now: clock(), limit: 1 };
      const { outcome } = await storage.reopenDeliveries(request);
      if (outcome === 'none') return deliveryNotFound();
      if (outcome === 'pending') {
        throw new WebhookError('delivery_pending', 'The delivery has not ended yet');
      }
      counters.reopened += 1;
      announce([{ deliveryId, delayMs: 0 }]);
      logger.info({ webhookId, ...whose, deliveryId }, 'webhook delivery reopened');
      return { deliveryId, status: 'pending' };
    },

    async recover(input) {
      const { cursor, dryRun, events, maxDurationMs, since, until, webhookId } = await readInput(
        ({ recoverInput }) => recoverInput,
        input,
      );
      const after = cursor === undefined ? undefined : decodePlace('recovery', cursor);
      const whose = webhookId === undefined ? {} : await requireActive(storage, webhookId);
      const query = {
        createdSince: timestampText(since),
        ...(until !== undefined && { createdBefore: timestampText(until) }),
        ...(events && { events }),
        ...(webhookId !== undefined && { webhookId }),
      };
      if (dryRun) {
        const { count } = await storage.reopenDeliveries({ target: query, now: clock(), limit: 1, dryRun });
        return { deliveries: count, nextCursor: null, dryRun };
      }
      const bounds = { after, maxDurationMs: maxDurationMs ?? Number.POSITIVE_INFINITY };
      const { reopened, next } = await reopenAll(query, { ...bounds, whose });
      return { deliveries: reopened, nextCursor: next ? encodePlace('recovery', next) : null, dryRun };
    },
  };
}

/** Requires that the webhook is there and active, and returns its tenant as a log names it. */
async function requireActive(
  storage: Pick<WebhookStorage, 'findWebhook'>,
  webhookId: number,
): Promise<{ readonly tenant?: string }> {
  const { isActive, tenant } = await existingWebhook(storage, webhookId);
  if (!isActive) {
    throw new WebhookError('webhook_inactive', 'The webhook is inactive: activate it first');
  }
  return tenantField(tenant);
}

/** Where a recovery begins, and how long it goes on. */
interface Position {
  readonly after: DeliveryPlace | undefined;
  readonly maxDurationMs: number;
  /** The tenant of the one webhook, for the log. */
  readonly whose: { readonly tenant?: string };
}

/** What a recovery has done so far. */
interface Progress {
  reopened: number;
  /** The last delivery of a recovery that stopped before the end. */
  next: DeliveryPlace | undefined;
}

/** Adds the number of reopened deliveries to an error. */
function interrupted(error: unknown, reopened: number): WebhookError {
  if (!isWebhookError(error)) {
    return new WebhookError('internal_error', 'Something unforeseen interrupted a recovery', {
      cause: redactedError(error),
      reopened,
    });
  }
  return new WebhookError(error.code, error.message, { cause: error.cause, errors: error.errors, reopened });
}

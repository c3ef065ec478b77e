import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { type Clock, timestampText } from '../clock.ts';
import { isWebhookError, WebhookError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { redactedError } from '../redacted-error.ts';
import type { Counters } from '../stats.ts';
import type { DeliveryPlace, FailedQuery } from '../storage/delivery-requests.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { deliveryNotFound, isDeliveryId } from './existing-delivery.ts';
import { existingWebhook } from './existing-webhook.ts';
import { parseInput } from './field-errors.ts';
import { momentField } from './moment.ts';

/** A delivery that is on its way again. */
export interface RedeliveryReceipt {
  readonly deliveryId: string;
  readonly status: 'pending';
}

/** What `recover` takes. */
export interface RecoverInput {
  /** Deliveries created at this moment or later: a `Date` or RFC 3339 text with its offset. */
  readonly since: Date | string;
  /** Those of this webhook. Default: those of every active webhook. */
  readonly webhookId?: number | undefined;
  /** Counts and changes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
}

/** What `recover` did, or would do. */
export interface RecoverResult {
  readonly deliveries: number;
  readonly dryRun: boolean;
}

/** Failed deliveries, sent again. */
export interface Redelivery {
  /**
   * Begins a new series of attempts on a delivery that has ended, whether it failed or not: the same bytes under the
   * same `X-Webhook-ID`, its attempts counting on. Resolves when that is durable. Of several concurrent calls, one
   * begins the series; the others find it pending.
   *
   * @throws WebhookError `webhook_not_found`, `webhook_inactive`, `delivery_not_found`, or `delivery_pending` for one
   *   that has not ended
   */
  redeliver(webhookId: number, deliveryId: string): Promise<RedeliveryReceipt>;
  /**
   * Begins a new series of attempts on every failed delivery created since then, oldest first, those that failed as
   * `webhook_inactive` included. Deliveries of inactive webhooks are left alone: activate those first. Events that become
   * due within the next minute go before them.
   *
   * Goes in batches of 500, each atomic, with turns of the event loop between; what a call that rejects has reopened
   * stays reopened, and its error says how many that are (`reopened`). Each delivery is reopened at most once in a call,
   * also where its recipient fails again before the call has ended; at most 1,000,000 are, oldest first: call it again
   * for more. `dryRun` counts all there are.
   *
   * @throws WebhookError `validation_failed`, `storage_unavailable`; with `webhookId`: `webhook_not_found`,
   *   `webhook_inactive`
   */
  recover(input: RecoverInput): Promise<RecoverResult>;
}

const RECOVER_BATCH = 500;
const MAX_RECOVERED = 1_000_000;

const recoverInput = z.strictObject({
  since: momentField,
  webhookId: z.int().optional(),
  dryRun: z.boolean().default(false),
});

/** @internal */
export function createRedelivery(deps: {
  readonly storage: Pick<WebhookStorage, 'findWebhook' | 'reopenDelivery' | 'reopenFailed' | 'countFailed'>;
  /** Tells the queue that deliveries are due, of which this is one: a job only makes a worker poll. */
  readonly announce: (jobs: readonly { readonly deliveryId: string; readonly delayMs: number }[]) => void;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly logger: Logger;
}): Redelivery {
  const { storage, announce, clock, counters, logger } = deps;

  async function requireActive(webhookId: number): Promise<void> {
    const { isActive } = await existingWebhook(storage, webhookId);
    if (!isActive) {
      throw new WebhookError('webhook_inactive', 'The webhook is inactive: activate it first');
    }
  }

  async function reopenAll(query: FailedQuery): Promise<number> {
    const begun = { reopened: 0 };
    try {
      await reopenInBatches(query, begun);
    } catch (error) {
      throw begun.reopened === 0 ? error : interrupted(error, begun.reopened);
    } finally {
      if (begun.reopened > 0) {
        logger.info({ ...query, deliveries: begun.reopened }, 'webhook deliveries reopened');
      }
    }
    return begun.reopened;
  }

  async function reopenInBatches(query: FailedQuery, begun: { reopened: number }): Promise<void> {
    // Where recipients fail at once, what is reopened first may have failed again before the last batch: a place that
    // only moves on begins nothing twice, whatever the clocks say.
    let after: DeliveryPlace | undefined;
    while (begun.reopened < MAX_RECOVERED) {
      const limit = Math.min(MAX_RECOVERED - begun.reopened, RECOVER_BATCH);
      const reopened = await storage.reopenFailed({ ...query, now: clock(), limit, after });
      begun.reopened += reopened.length;
      counters.reopened += reopened.length;
      const [first] = reopened;
      if (first !== undefined) announce([{ deliveryId: first.deliveryId, delayMs: 0 }]);
      if (reopened.length < limit) break;
      after = reopened.at(-1);
      // SQLite drivers answer at once: without this, a long history would hold up everything else in the process.
      await nextTurn();
    }
  }

  return {
    async redeliver(webhookId, deliveryId) {
      await requireActive(webhookId);
      const outcome = isDeliveryId(deliveryId)
        ? await storage.reopenDelivery({ webhookId, deliveryId, now: clock() })
        : undefined;
      if (outcome === undefined) deliveryNotFound();
      if (outcome === 'pending') {
        throw new WebhookError('delivery_pending', 'The delivery has not ended yet');
      }
      counters.reopened += 1;
      announce([{ deliveryId, delayMs: 0 }]);
      logger.info({ webhookId, deliveryId }, 'webhook delivery reopened');
      return { deliveryId, status: 'pending' };
    },

    async recover(input) {
      const { dryRun, since, webhookId } = parseInput(recoverInput, input);
      if (webhookId !== undefined) await requireActive(webhookId);
      const query = {
        createdSince: timestampText(since),
        ...(webhookId === undefined ? {} : { webhookId }),
      };
      if (dryRun) return { deliveries: await storage.countFailed(query), dryRun };
      return { deliveries: await reopenAll(query), dryRun };
    },
  };
}

/** The same failure, which says how far it came. */
function interrupted(error: unknown, reopened: number): WebhookError {
  if (!isWebhookError(error)) {
    return new WebhookError('internal_error', 'Something unforeseen interrupted a recovery', {
      cause: redactedError(error),
      reopened,
    });
  }
  return new WebhookError(error.code, error.message, { cause: error.cause, errors: error.errors, reopened });
}

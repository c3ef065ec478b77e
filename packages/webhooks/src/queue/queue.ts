import { isWebhookError, WebhookError } from '../errors.ts';

/** The kind under which shared job engines file a delivery's job. */
export const DELIVERY_JOB_KIND = 'webhook.deliver';

/** A hint that a delivery is due. It holds no state: the delivery's row does. */
export interface DeliveryJob {
  /** 32 hex characters. */
  readonly deliveryId: string;
  /** How long from now until the delivery is due, in milliseconds; 0: look at once. */
  readonly delayMs: number;
}

/**
 * A job queue of kind `webhook.deliver`, as small as the engine needs it: it says "look now", at least once and
 * not before the delay is over. It may repeat, reorder or lose jobs: storage hands each due delivery to one worker
 * only, and the sweep finds what no job announced. It never retries by itself.
 */
export interface DeliveryQueue {
  /** Takes jobs over. Rejects when the engine behind it does; the deliveries are then found by the sweep. */
  enqueue(jobs: readonly DeliveryJob[]): Promise<void>;

  /**
   * Begins to call `look` for jobs that are due; one call may stand for several jobs. Called once.
   *
   * @param look never rejects, and resolves once this process has had a free slot and looked: a queue that waits
   * for it leaves the jobs that a busy process cannot start to the others
   */
  start(look: () => Promise<void>): Promise<void>;

  /** Stops calling `look` and waits for calls under way. Jobs not looked at may be dropped. Idempotent. */
  stop(): Promise<void>;
}

/** A queue's failure under this package's code, with the engine's own error as its cause. */
export function queueUnavailable(cause: unknown): WebhookError {
  if (isWebhookError(cause)) return cause;
  return new WebhookError('queue_unavailable', 'The job queue is not available', { cause });
}

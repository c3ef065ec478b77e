import type { ServiceInterface } from '../../../toolkit/src/service-interface.ts';
import { isWebhookError, WebhookError } from '../errors.ts';
import { redactedError } from '../logging/redacted-error.ts';

/** The kind of a delivery's job in a shared backend. */
export const DELIVERY_JOB_KIND = 'webhook.deliver';

/** Says that a delivery is due. It has no state: that is in the delivery's row. */
export interface DeliveryJob {
  /** 32 hex characters. */
  readonly deliveryId: string;
  /** How long from now until the delivery is due, in milliseconds; 0: poll at once. */
  readonly delayMs: number;
}

/**
 * A job queue of kind `webhook.deliver`, as small as the engine needs it: it makes workers poll, at
 * least once and not before the delay is over. It never retries by itself.
 *
 * It may repeat, reorder, merge or lose jobs: storage leases each due delivery to one worker only,
 * and the sweep finds deliveries that no job announced.
 *
 * A queue serves one engine: `createWebhooks` refuses one that another engine was made with.
 * `queueContract` of `@acme/webhooks/testing` tests these promises.
 */
export interface DeliveryQueue {
  /**
   * Takes jobs, before `start` too if other processes serve the same queue: a process that only
   * dispatches never starts it. Does not wait for a poll. After `stop` it resolves and drops them.
   *
   * Rejects when the backend does; the sweep then finds the deliveries.
   */
  enqueue(jobs: readonly DeliveryJob[]): Promise<void>;

  /**
   * Begins to call `poll` for jobs that are due. Calls do not overlap; one may serve many jobs,
   * those taken before it began.
   *
   * Rejects when the backend is away, and may then be called again; a queue that was started or
   * stopped before rejects with a `TypeError`. `webhooks.start()` rejects with `queue_unavailable`
   * for both, and this as its `cause`; for the queues of this package it rejects with that
   * `TypeError` itself.
   *
   * @param poll never rejects, and resolves once this process has had a free slot and claimed what
   *   is due: a queue that waits for it before it takes another job leaves that to workers with
   *   free slots
   * @param report receives failures outside of any call, such as a connection lost while idle
   */
  start(poll: () => Promise<void>, report?: (error: unknown) => void): Promise<void>;

  /**
   * Stops calling `poll`, waits for the call under way and passes on the jobs taken before. A queue
   * that holds connections waits a few seconds at most, and closes them then. Jobs without a poll
   * may be dropped. Idempotent; never rejects.
   */
  stop(): Promise<void>;
}

/** What every queue must be able to do. */
export const DELIVERY_QUEUE: ServiceInterface<DeliveryQueue> = {
  name: 'DeliveryQueue',
  methods: { enqueue: true, start: true, stop: true },
};

/**
 * A queue's failure under this package's code. Its cause keeps the message of the backend's own
 * error, without values.
 */
export function queueUnavailable(cause: unknown): WebhookError {
  if (isWebhookError(cause)) return cause;
  return new WebhookError('queue_unavailable', 'The job queue is not available', {
    cause: redactedError(cause),
  });
}

/** Every queue that an engine of this process was made with. */
const taken = new WeakSet<DeliveryQueue>();

/**
 * Takes the queue for one engine, for good: a second engine's `close()` would silently end the
 * first one's polls.
 *
 * @throws TypeError when an engine has, or had, it already
 */
export function takeQueue(queue: DeliveryQueue): void {
  if (taken.has(queue)) {
    throw new TypeError('queue serves another engine already, or did: every engine takes a queue of its own');
  }
  taken.add(queue);
}

const ALREADY_STARTED = 'the queue was started or stopped before: every engine takes a queue of its own';

/** The misuse of a queue that an engine has, or had, already. */
export function alreadyStarted(): TypeError {
  return new TypeError(ALREADY_STARTED);
}

/**
 * Tells a mistake of the host's from the failure of a backend, which may be a `TypeError` as
 * well: `fetch` throws no other.
 */
export function isQueueMisuse(error: unknown): error is TypeError {
  return error instanceof TypeError && error.message === ALREADY_STARTED;
}

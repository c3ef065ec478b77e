import { isWebhookError, WebhookError } from '../errors.ts';
import { redactedError } from '../redacted-error.ts';

/** The kind under which shared job engines file a delivery's job. */
export const DELIVERY_JOB_KIND = 'webhook.deliver';

/** Says that a delivery is due. It holds no state: the delivery's row does. */
export interface DeliveryJob {
  /** 32 hex characters. */
  readonly deliveryId: string;
  /** How long from now until the delivery is due, in milliseconds; 0: poll at once. */
  readonly delayMs: number;
}

/**
 * A job queue of kind `webhook.deliver`, as small as the engine needs it: it makes workers poll, at least once and
 * not before the delay is over. It may repeat, reorder, merge or lose jobs: storage hands each due delivery to one
 * worker only, and the sweep finds what no job announced. It never retries by itself.
 *
 * A queue serves one engine: `createWebhooks` refuses one that another engine was made with. `queueContract` of
 * `@acme/webhooks/testing` holds these promises as tests.
 */
export interface DeliveryQueue {
  /**
   * Takes jobs over, before `start` too where others serve the same queue: a process that only dispatches never
   * starts it. Does not wait for a poll. After `stop` it resolves and drops them.
   *
   * Rejects when the engine behind it does; the deliveries are then found by the sweep.
   */
  enqueue(jobs: readonly DeliveryJob[]): Promise<void>;

  /**
   * Begins to call `poll` for jobs that are due. Calls do not overlap; one may stand for many jobs, those that were
   * taken over before it began.
   *
   * Rejects when the engine behind it is away, and may then be called again; a queue that was started or stopped
   * before rejects with a `TypeError`. `webhooks.start()` rejects with `queue_unavailable` for both, and this as its `cause`;
   * the queues of this package are told apart.
   *
   * @param poll never rejects, and resolves once this process has had a free slot and claimed what is due: a queue that
   * waits for it before it takes another job leaves that to workers with free slots
   * @param report is told of failures that no call of the engine's waits for, such as a connection lost while idle
   */
  start(poll: () => Promise<void>, report?: (error: unknown) => void): Promise<void>;

  /**
   * Stops calling `poll`, waits for the call under way and hands over what was taken in before. A queue that holds
   * connections waits a few seconds at most, and closes them then. Jobs without a poll may be dropped. Idempotent; never
   * rejects.
   */
  stop(): Promise<void>;
}

/** A queue's failure under this package's code. Its cause says what the engine's own error said, without values. */
export function queueUnavailable(cause: unknown): WebhookError {
  if (isWebhookError(cause)) return cause;
  return new WebhookError('queue_unavailable', 'The job queue is not available', {
    cause: redactedError(cause),
  });
}

/** Every queue that an engine of this process was made with. */
const taken = new WeakSet<DeliveryQueue>();

/**
 * Takes the queue for one engine, for good: a second one's `close()` would silently end the first one's polls.
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

/** Tells a mistake of the host's from the failure of an engine, which may be a `TypeError` as well: `fetch` has no other. */
export function isQueueMisuse(error: unknown): error is TypeError {
  return error instanceof TypeError && error.message === ALREADY_STARTED;
}

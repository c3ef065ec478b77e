import { type Clock, timestampText } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import { assertEventName } from '../events/event-name.ts';
import { patternsMatching } from '../events/pattern.ts';
import { createGroupCommit } from '../group-commit.ts';
import type { Notifier } from '../hooks.ts';
import { type DeliveryQueue, queueUnavailable } from '../queue/queue.ts';
import type { Counters } from '../stats.ts';
import { isStorableText } from '../storable-text.ts';
import type { DispatchReceipt, DispatchRecord, WebhookStorage } from '../storage/storage.ts';
import { payloadText } from './payload.ts';

/** How one event is dispatched. */
export interface DispatchOptions<Transaction = never> {
  /**
   * The host's own transaction: the deliveries are written in it and sent once it commits; a rollback sends nothing.
   * Every statement of the dispatch runs on it, and no other connection is used.
   */
  readonly transaction?: Transaction | undefined;
  /** 1–255 characters, unique per event and kept 30 days: a repeat writes nothing. */
  readonly idempotencyKey?: string | undefined;
}

/** What a dispatch wrote, durable by the time it is seen (with `transaction`: when that commits). */
export interface DispatchResult {
  /** How many webhooks will receive the event. */
  readonly deliveries: number;
  /** The idempotency key was seen before: nothing was written. */
  readonly repeated: boolean;
}

/** Takes events in and writes their delivery records. */
export interface Dispatcher<Transaction = never> {
  /**
   * Sends an event to every active webhook that subscribes to it, and returns at once.
   *
   * The promise may be ignored: a failure then goes to `onError` and never becomes an unhandled rejection. Awaited,
   * it resolves when the delivery records are durable; it never waits for a recipient. Dispatches of one moment are
   * written together. The payload is serialised before the call returns.
   *
   * @param event `entity.verb`: letters, digits, `_` and `-` in segments joined by dots, at most 128 characters
   * @param payload an object of at most 256 KiB as JSON
   * @throws WebhookError (as a rejection) `invalid_event`, `invalid_payload`, `payload_too_large`,
   *   `invalid_options`, `invalid_idempotency_key`, `overloaded`, `storage_unavailable` or `closed`
   */
  dispatch(event: string, payload: object, options?: DispatchOptions<Transaction>): Promise<DispatchResult>;
  /** Sends an event to one webhook whatever its patterns; undefined when it is inactive or gone. */
  dispatchTo(webhookId: number, event: string, payload: object): Promise<string | undefined>;
  /** How many dispatches were accepted and are not durable yet. */
  waiting(): number;
  /** Waits until the dispatches accepted are written, but for those in a host's transaction. */
  idle(): Promise<void>;
  /** Refuses further dispatches and waits until those accepted are written. */
  close(): Promise<void>;
}

/** Longest idempotency key, in characters. */
const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
/** Bounds of one group: large enough that a transaction's fixed cost disappears, small enough that others get a turn. */
const MAX_DISPATCHES_PER_COMMIT = 500;
const MAX_BYTES_PER_COMMIT = 4 * 1024 * 1024;
/** About what a row takes beside its payload. */
const ROW_BYTES = 500;
/** Bounds of what may wait for a storage that is slow or away. */
export const MAX_WAITING_DISPATCHES = 20_000;
/** In UTF-16 code units of payload. */
const MAX_WAITING_SIZE = 64 * 1024 * 1024;
/** When this process looks for deliveries written in a host's transaction, which has not committed yet. */
const TRANSACTION_LOOK_DELAY_MS = 100;

interface Prepared<Transaction> {
  readonly record: DispatchRecord;
  readonly transaction: Transaction | undefined;
}

/** @internal */
export function createDispatcher<Transaction>(deps: {
  readonly storage: WebhookStorage<Transaction>;
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  readonly notifier: Pick<Notifier, 'error'>;
  readonly counters: Counters;
}): Dispatcher<Transaction> {
  const { storage, queue, clock, notifier, counters } = deps;
  const group = createGroupCommit<DispatchRecord, DispatchReceipt>({
    commit: (records) => storage.recordDispatches(records),
    sizeOf: ({ payload }) => payload.length,
    costOf: ({ payload }, { deliveryIds }) => deliveryIds.length * (payload.length + ROW_BYTES),
    maxItemsPerCommit: MAX_DISPATCHES_PER_COMMIT,
    maxCostPerCommit: MAX_BYTES_PER_COMMIT,
    maxWaitingItems: MAX_WAITING_DISPATCHES,
    maxWaitingSize: MAX_WAITING_SIZE,
  });
  let isClosed = false;
  let waiting = 0;

  async function write(
    record: DispatchRecord,
    transaction: Transaction | undefined,
  ): Promise<DispatchReceipt> {
    if (isClosed) throw new WebhookError('closed', 'The webhook engine was closed');
    if (transaction === undefined) return group.add(record);
    const [receipt] = await storage.recordDispatches([record], transaction);
    if (receipt === undefined) throw new RangeError('a storage answered no receipt for a dispatch');
    return receipt;
  }

  async function announce({ deliveryIds }: DispatchReceipt, delayMs: number): Promise<void> {
    if (deliveryIds.length === 0) return;
    try {
      await queue.enqueue(deliveryIds.map((deliveryId) => ({ deliveryId, delayMs })));
    } catch (error) {
      // The records are durable: the sweep finds what the queue did not take.
      notifier.error('enqueue', queueUnavailable(error));
    }
  }

  async function run(prepare: () => Prepared<Transaction>): Promise<DispatchReceipt> {
    waiting += 1;
    try {
      const { record, transaction } = prepare();
      const receipt = await write(record, transaction);
      count(receipt);
      void announce(receipt, transaction === undefined ? 0 : TRANSACTION_LOOK_DELAY_MS);
      return receipt;
    } catch (error) {
      counters.refused += 1;
      throw notifier.error('dispatch', error);
    } finally {
      waiting -= 1;
    }
  }

  function count({ deliveryIds, repeated }: DispatchReceipt): void {
    counters.dispatched += 1;
    counters.deliveries += deliveryIds.length;
    if (repeated) counters.repeated += 1;
  }

  function recordOf(event: unknown, payload: unknown, webhookId?: number): DispatchRecord {
    assertEventName(event);
    return {
      event,
      payload: payloadText(payload),
      createdAt: timestampText(clock()),
      target: webhookId === undefined ? { patterns: patternsMatching(event) } : { webhookId },
    };
  }

  return {
    dispatch(event, payload, options = {}) {
      const result = run(() => {
        const { transaction, idempotencyKey } = checkedOptions(options);
        return { record: { ...recordOf(event, payload), ...checkedKey(idempotencyKey) }, transaction };
      }).then(({ deliveryIds, repeated }) => ({ deliveries: deliveryIds.length, repeated }));
      // Reported to onError already: an ignored promise must not end the host's process.
      result.catch(() => undefined);
      return result;
    },
    async dispatchTo(webhookId, event, payload) {
      const receipt = await run(() => ({
        record: recordOf(event, payload, webhookId),
        transaction: undefined,
      }));
      return receipt.deliveryIds[0];
    },
    waiting: () => waiting,
    idle: () => group.idle(),
    async close() {
      isClosed = true;
      await group.idle();
    },
  };
}

/** Misspelt, `idempotencykey` would send twice in silence. */
function checkedOptions<Transaction>(options: DispatchOptions<Transaction>): DispatchOptions<Transaction> {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) {
    throw new WebhookError('invalid_options', 'The options of a dispatch are an object');
  }
  for (const name of Object.keys(given)) {
    if (name !== 'transaction' && name !== 'idempotencyKey') {
      throw new WebhookError(
        'invalid_options',
        `A dispatch has no option ${JSON.stringify(name.slice(0, 50))}`,
      );
    }
  }
  const { transaction } = options;
  if (transaction !== undefined && (typeof transaction !== 'object' || transaction === null)) {
    throw new WebhookError('invalid_options', "transaction must be the host's transaction object");
  }
  return options;
}

function checkedKey(key: unknown): { readonly idempotencyKey?: string } {
  if (key === undefined) return {};
  const isStorable = typeof key === 'string' && isStorableText(key);
  if (isStorable && key.length >= 1 && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH)
    return { idempotencyKey: key };
  throw new WebhookError(
    'invalid_idempotency_key',
    `An idempotency key is well-formed text of 1–${MAX_IDEMPOTENCY_KEY_LENGTH} characters without U+0000`,
  );
}

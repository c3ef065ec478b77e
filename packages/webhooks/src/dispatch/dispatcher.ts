import { type Clock, timestampText } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import { type EventCatalog, type KnownEvent, payloadSchemaOf } from '../events/catalog.ts';
import { assertEventName } from '../events/event-name.ts';
import type { Notifier } from '../hooks/notifier.ts';
import { type Logger, silentLogger } from '../logging/logger.ts';
import type { Announce } from '../queue/announce.ts';
import type { Counters } from '../stats.ts';
import { generateDispatchId } from '../storage/delivery-ids.ts';
import type { DispatchReceipt } from '../storage/delivery-requests.ts';
import { isStorableText } from '../storage/storable-text.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { createDispatchWriter, MAX_WAITING_DISPATCHES, type PreparedDispatch } from './dispatch-writer.ts';
import { checkedPayloadText, payloadText } from './payload.ts';
import { createTargets, type TargetOf } from './targets.ts';

/** Options of one dispatch. */
export interface DispatchOptions<Transaction = never> {
  /**
   * The host's own transaction: the deliveries are written in it and sent once it commits; a
   * rollback sends nothing. Every statement of the dispatch runs on it, and no other connection is
   * used.
   */
  readonly transaction?: Transaction | undefined;
  /**
   * Whose event it is: it reaches the webhooks of that tenant and the host's own, and no others.
   * 1–64 printable characters without spaces at the ends, compared byte by byte. Default, and null:
   * the event is the host's, and reaches the host's own webhooks alone. With `tenants: 'required'`
   * there is no default.
   */
  readonly tenant?: string | null | undefined;
  /** Leaves the host's own webhooks out. Only with a `tenant`. Default: both. */
  readonly only?: 'tenant' | undefined;
  /**
   * 1–255 characters, unique per tenant and event and kept for at least 30 days, until the next
   * purge: a repeated key writes nothing.
   */
  readonly idempotencyKey?: string | undefined;
}

/**
 * The result of a dispatch, durable by the time it is seen (with `transaction`: when that commits).
 */
export type DispatchResult = {
  /** How many webhooks will receive the event. */
  readonly deliveries: number;
  /** The idempotency key was seen before: nothing was written. */
  readonly repeated: boolean;
};

/** Takes events in and writes their delivery records. */
export interface Dispatcher<Transaction = never> {
  /** The `dispatch` of `Webhooks`, with its types widened: everything is checked at run time. */
  dispatch(event: string, payload?: object, options?: DispatchOptions<Transaction>): Promise<DispatchResult>;
  /**
   * Sends an event to one webhook whatever its patterns, marked as a test; undefined when it is
   * inactive or gone.
   *
   * @param payload JSON text
   */
  dispatchTest(webhookId: number, event: string, payload: string): Promise<string | undefined>;
  /** How many dispatches were accepted and are not durable yet. */
  waiting(): number;
  /** Whether a dispatch was refused for no fault of its own, and none has been taken since. */
  isRefusing(): boolean;
  /** Waits until the accepted dispatches are written, except in a host's transaction. */
  idle(): Promise<void>;
  /** Refuses further dispatches and waits until those accepted are written. */
  close(): Promise<void>;
  /**
   * After `close`: rejects with `closed` the dispatches that the storage has not taken yet, except
   * in a host's transaction. One that the storage already has is written all the same, if the
   * storage comes back.
   */
  abandon(): void;
}

/** Longest idempotency key, in characters. */
const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

type Prepare<Transaction> = () => PreparedDispatch<Transaction> | Promise<PreparedDispatch<Transaction>>;

/** @internal */
export function createDispatcher<Transaction>(deps: {
  readonly storage: WebhookStorage<Transaction>;
  readonly announce: Announce;
  readonly clock: Clock;
  readonly notifier: Pick<Notifier, 'error'>;
  readonly counters: Counters;
  /** The catalog whose payload schemas are enforced. Default: none. */
  readonly events?: EventCatalog | undefined;
  readonly knownEvents?: readonly KnownEvent[] | undefined;
  /** Whether a dispatch must say whose event it is. Default: no. */
  readonly requiresTenant?: boolean | undefined;
  readonly logger?: Logger | undefined;
}): Dispatcher<Transaction> {
  const { notifier, counters, clock, events = {}, requiresTenant = false, logger = silentLogger } = deps;
  // Without a catalog every name is the host's own choice.
  const knownEvents = deps.events === undefined ? undefined : deps.knownEvents;
  const targetOf = createTargets({ events, knownEvents, requiresTenant, logger });
  const writer = createDispatchWriter(deps);
  /** Dispatches with an asynchronous schema, until they are written. */
  const checking = new Set<Promise<DispatchReceipt>>();
  let isClosed = false;
  let waiting = 0;
  let isRefusing = false;

  async function writeChecked(check: Promise<PreparedDispatch<Transaction>>): Promise<DispatchReceipt> {
    if (checking.size >= MAX_WAITING_DISPATCHES) {
      check.catch(() => undefined);
      throw new WebhookError(
        'overloaded',
        `${checking.size} dispatches are waiting for their payload schemas`,
      );
    }
    const written = check.then(writer.write);
    checking.add(written);
    return written.finally(() => checking.delete(written));
  }

  async function run(prepare: Prepare<Transaction>): Promise<DispatchReceipt> {
    waiting += 1;
    try {
      if (isClosed) throw new WebhookError('closed', 'The webhook engine was closed');
      // A dispatch without an asynchronous schema does not wait: dispatches are written in the
      // order of their calls.
      const prepared = prepare();
      const receipt = await (prepared instanceof Promise ? writeChecked(prepared) : writer.write(prepared));
      isRefusing = false;
      return receipt;
    } catch (cause) {
      counters.refused += 1;
      const error = notifier.error('dispatch', cause);
      isRefusing ||= error.code === 'overloaded' || error.code === 'storage_unavailable';
      throw error;
    } finally {
      waiting -= 1;
    }
  }

  async function idle(): Promise<void> {
    while (checking.size > 0) await Promise.allSettled(checking);
    await writer.idle();
  }

  return {
    dispatch(event, payload = {}, options = {}) {
      const result = run(() => prepareDispatch({ clock, events, targetOf }, event, payload, options)).then(
        ({ deliveryIds, outcome }) => ({ deliveries: deliveryIds.length, repeated: outcome === 'repeated' }),
      );
      // Already reported to onError: an ignored promise must not end the host's process.
      result.catch(() => undefined);
      return result;
    },
    async dispatchTest(webhookId, event, payload) {
      const createdAt = timestampText(clock());
      const id = generateDispatchId({ isTest: true });
      const record = { id, event, payload, createdAt, target: { webhookId } };
      const receipt = await run(() => ({ record, transaction: undefined }));
      return receipt.deliveryIds[0];
    },
    waiting: () => waiting,
    isRefusing: () => isRefusing,
    idle,
    async close() {
      isClosed = true;
      await idle();
    },
    abandon: () =>
      writer.abandon(
        new WebhookError('closed', 'The webhook engine was closed before the storage took the dispatch'),
      ),
  };
}

function prepareDispatch<Transaction>(
  {
    clock,
    events,
    targetOf,
  }: { readonly clock: Clock; readonly events: EventCatalog; readonly targetOf: TargetOf },
  event: unknown,
  payload: unknown,
  options: DispatchOptions<Transaction>,
): ReturnType<Prepare<Transaction>> {
  const { transaction, idempotencyKey } = checkedOptions(options);
  assertEventName(event);
  // The event happened at the call, however long its schema takes.
  const createdAt = timestampText(clock());
  const target = targetOf(event, options);
  const key = checkedKey(idempotencyKey);
  const prepared = (text: string) => ({
    record: Object.assign({ id: generateDispatchId(), event, payload: text, createdAt }, target, key),
    transaction,
  });
  const schema = payloadSchemaOf(events, event);
  if (schema === undefined) return prepared(payloadText(payload));
  const text = checkedPayloadText(event, schema, payload);
  return typeof text === 'string' ? prepared(text) : text.then(prepared);
}

/**
 * Refuses unknown options: a misspelt `idempotencykey` would silently send twice.
 *
 * @throws WebhookError `invalid_options`
 */
function checkedOptions<Transaction>(options: DispatchOptions<Transaction>): DispatchOptions<Transaction> {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) {
    throw new WebhookError('invalid_options', 'The options of a dispatch are an object');
  }
  for (const name of Object.keys(given)) {
    if (!OPTION_NAMES.includes(name)) {
      throw new WebhookError(
        'invalid_options',
        `A dispatch has no option ${JSON.stringify(name.slice(0, 50))} (known: ${OPTION_NAMES.join(', ')})`,
      );
    }
  }
  const { transaction } = options;
  if (transaction !== undefined && (typeof transaction !== 'object' || transaction === null)) {
    throw new WebhookError('invalid_options', "transaction must be the host's transaction object");
  }
  return options;
}

const OPTION_NAMES: readonly string[] = ['transaction', 'idempotencyKey', 'tenant', 'only'];

/** @throws WebhookError `invalid_idempotency_key` */
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

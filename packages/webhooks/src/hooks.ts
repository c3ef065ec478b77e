import { type Clock, timestampText } from './clock.ts';
import { isWebhookError, WebhookError, type WebhookErrorCode } from './errors.ts';
import type { Logger } from './logger.ts';
import { functionOption } from './options.ts';
import { describeError, redactedError } from './redacted-error.ts';

/** Where in the engine an error came up. */
export type ErrorSource =
  | 'dispatch'
  | 'enqueue'
  | 'queue'
  | 'claim'
  | 'attempt'
  | 'record'
  | 'disable'
  | 'purge';

/** What `onError` is told beside the error. */
export interface ErrorContext {
  readonly source: ErrorSource;
  /** How many failures this call tells of: 1, and more where an outage of the queue goes on, of which this is the last one. */
  readonly failures: number;
}

/** One attempt that was sent. */
export interface ReportedAttempt {
  readonly webhookId: number;
  readonly deliveryId: string;
  readonly event: string;
  /** 1 for the first attempt of the delivery; a redelivery goes on counting. */
  readonly attempt: number;
  /** The recipient's HTTP status, 0 when nothing came back. */
  readonly statusCode: number;
  /** Why the attempt failed, '' when it succeeded. */
  readonly error: string;
  readonly startedAt: string;
  readonly durationMs: number;
  /** What the delivery is now: `pending` where the attempt is repeated. */
  readonly status: 'pending' | 'success' | 'failed';
  /** When the attempt is repeated, by this process's clock; null once the delivery has ended. */
  readonly nextAttemptAt: string | null;
}

/** A webhook that the engine deactivated. */
export interface DisabledWebhook {
  readonly webhookId: number;
  /** `gone`: the recipient answered 410. `failing`: too many deliveries in a row used up their attempts. */
  readonly reason: 'gone' | 'failing';
  /** The delivery that brought it about. */
  readonly deliveryId: string;
  readonly event: string;
  readonly disabledAt: string;
}

/** The last failure of something the engine stands on. */
export interface LastError {
  readonly code: WebhookErrorCode;
  readonly source: ErrorSource;
  readonly at: string;
}

/** A delivery that ended `failed`. */
export interface FailedDelivery {
  readonly webhookId: number;
  readonly deliveryId: string;
  readonly event: string;
  readonly attempts: number;
  /** The recipient's last HTTP status, 0 when nothing came back. */
  readonly statusCode: number;
  /** Why it failed: the last attempt's error code, `webhook_inactive`, `worker_lost` or `expired`. */
  readonly error: string;
}

/** What a host may listen to. A hook that throws or rejects is logged and changes nothing. */
export interface WebhookHooks {
  /**
   * Called for every failed dispatch, awaited or not, and every failure of the storage or queue behind the engine. The
   * `cause` of such a failure says what the driver's error said, without the values that drivers hang on theirs. Of an
   * outage of the queue (`queue_unavailable`) it is told at once, and then once a minute as long as that lasts.
   */
  readonly onError?: ((error: WebhookError, context: ErrorContext) => void) | undefined;
  /** Called once for every delivery that ended `failed`, after that is durable. */
  readonly onDeliveryFailed?: ((delivery: FailedDelivery) => void) | undefined;
  /**
   * Called for every attempt that was sent, after its result is durable: for metrics and traces. Not called for results
   * that came too late to count. It holds up nothing, but runs as often as requests are sent: keep it short.
   */
  readonly onAttempt?: ((attempt: ReportedAttempt) => void) | undefined;
  /**
   * Called when the engine deactivates a webhook (`disableOnGone`, `disableAfterFailures`), after that is durable: once
   * per deactivation, in the one of several processes that made it.
   */
  readonly onWebhookDisabled?: ((webhook: DisabledWebhook) => void) | undefined;
}

/** The hooks as the engine calls them: never throwing. */
export interface Notifier {
  error(source: ErrorSource, error: unknown): WebhookError;
  deliveryFailed(delivery: FailedDelivery): void;
  attempt(attempt: ReportedAttempt): void;
  webhookDisabled(webhook: DisabledWebhook): void;
  /** The last error that was not the caller's own mistake; null when there was none. */
  lastError(): LastError | null;
  /** What has failed at this place so far. */
  failures(source: ErrorSource): Failures;
  /** When an error of this code last came from this source, ms since the epoch; undefined where none has. */
  lastFailureAt(source: ErrorSource, code: WebhookErrorCode): number | undefined;
}

/** Errors of one source. */
export interface Failures {
  readonly count: number;
  readonly last: WebhookError | undefined;
}

const NO_FAILURES: Failures = { count: 0, last: undefined };

/** An outage of the queue fails with every dispatch: it is told of at once, and then so often. */
const OUTAGE: WebhookErrorCode = 'queue_unavailable';
const OUTAGE_INTERVAL_MS = 60_000;

/** Failures of an outage since somebody was last told of it. */
interface Untold {
  failures: number;
  last: WebhookError | undefined;
}

/** Errors that say something about what the engine stands on, not about what it was given. */
const INFRASTRUCTURE_CODES: ReadonlySet<WebhookErrorCode> = new Set([
  'storage_unavailable',
  'storage_misconfigured',
  'queue_unavailable',
  'overloaded',
  'internal_error',
]);

/**
 * Makes a host's hooks safe to call and logs what they are told.
 *
 * @throws TypeError when a hook is no function
 */
export function createNotifier(hooks: WebhookHooks, logger: Logger, clock: Clock = Date.now): Notifier {
  functionOption('onError', hooks.onError, () => {});
  functionOption('onDeliveryFailed', hooks.onDeliveryFailed, () => {});
  functionOption('onAttempt', hooks.onAttempt, () => {});
  functionOption('onWebhookDisabled', hooks.onWebhookDisabled, () => {});
  let lastError: LastError | null = null;
  const failures = new Map<ErrorSource, Failures>();
  const failedAt = new Map<`${ErrorSource} ${WebhookErrorCode}`, number>();
  const outages = new Map<ErrorSource, Untold>();

  const call = <Args extends unknown[]>(
    name: string,
    hook: ((...args: Args) => unknown) | undefined,
    ...args: Args
  ) => callHook(logger, name, hook, ...args);

  function tell(source: ErrorSource, error: WebhookError, count: number): void {
    const isOutage = error.code === OUTAGE;
    logger.error(
      { source, ...(isOutage && { failures: count }), ...describeError(error) },
      'webhook engine error',
    );
    call('onError', hooks.onError, error, { source, failures: count });
  }

  /** Tells of the first failure at once, of those of the following minute together, and so on while there are any. */
  function tellOfOutage(source: ErrorSource, error: WebhookError, count: number): void {
    tell(source, error, count);
    const untold: Untold = { failures: 0, last: undefined };
    outages.set(source, untold);
    setTimeout(() => {
      outages.delete(source);
      if (untold.last !== undefined) tellOfOutage(source, untold.last, untold.failures);
    }, OUTAGE_INTERVAL_MS).unref();
  }

  const notifier: Notifier = {
    error(source, cause) {
      const error = isWebhookError(cause)
        ? cause
        : new WebhookError('internal_error', `An unforeseen error in ${source}`, {
            cause: redactedError(cause),
          });
      if (INFRASTRUCTURE_CODES.has(error.code)) {
        lastError = { code: error.code, source, at: timestampText(clock()) };
      }
      failedAt.set(`${source} ${error.code}`, clock());
      failures.set(source, { count: notifier.failures(source).count + 1, last: error });
      const untold = outages.get(source);
      if (error.code !== OUTAGE) tell(source, error, 1);
      else if (untold === undefined) tellOfOutage(source, error, 1);
      else Object.assign(untold, { failures: untold.failures + 1, last: error });
      return error;
    },
    deliveryFailed(delivery) {
      logger.warn({ ...delivery }, 'webhook delivery failed');
      call('onDeliveryFailed', hooks.onDeliveryFailed, delivery);
    },
    attempt(attempt) {
      logger.debug({ ...attempt }, 'webhook attempt recorded');
      call('onAttempt', hooks.onAttempt, attempt);
    },
    webhookDisabled(webhook) {
      logger.warn({ ...webhook }, 'webhook disabled');
      call('onWebhookDisabled', hooks.onWebhookDisabled, webhook);
    },
    lastError: () => lastError,
    failures: (source) => failures.get(source) ?? NO_FAILURES,
    lastFailureAt: (source, code) => failedAt.get(`${source} ${code}`),
  };
  return notifier;
}

/** Calls a host's hook, where there is one: that it throws or rejects is logged and changes nothing. */
export function callHook<Args extends unknown[]>(
  logger: Logger,
  name: string,
  hook: ((...args: Args) => unknown) | undefined,
  ...args: Args
): void {
  if (hook === undefined) return;
  const logFailure = (error: unknown) =>
    logger.error({ error: describeError(error), hook: name }, 'a webhook hook failed');
  try {
    const answer = hook(...args);
    if (isThenable(answer)) Promise.resolve(answer).catch(logFailure);
  } catch (error) {
    logFailure(error);
  }
}

/** Promises of other libraries, and of other realms, are no `Promise`. */
function isThenable(answer: unknown): answer is PromiseLike<unknown> {
  return (
    typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function'
  );
}

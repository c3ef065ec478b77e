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
  /** What has failed at this place works again: its next failure is a new one. */
  recovered(source: ErrorSource): void;
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

/** How often an outage that goes on is told of. */
const OUTAGE_INTERVAL_MS = 60_000;

/** An outage of which somebody was told. */
interface Outage {
  toldAt: number;
  untold: number;
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
  const outages = new Map<ErrorSource, Outage>();

  /** How many failures are to be told of with this one: none where somebody was just told of the outage. */
  function failuresToTell(source: ErrorSource, { code }: WebhookError): number {
    if (code !== 'queue_unavailable') return 1;
    const now = clock();
    const outage = outages.get(source);
    const untold = (outage?.untold ?? 0) + 1;
    // A clock that was set back must not keep an outage quiet.
    const isQuiet = outage !== undefined && Math.abs(now - outage.toldAt) < OUTAGE_INTERVAL_MS;
    outages.set(source, isQuiet ? { toldAt: outage.toldAt, untold } : { toldAt: now, untold: 0 });
    return isQuiet ? 0 : untold;
  }

  const call = <Args extends unknown[]>(
    name: string,
    hook: ((...args: Args) => unknown) | undefined,
    ...args: Args
  ) => callHook(logger, name, hook, ...args);

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
      const told = failuresToTell(source, error);
      if (told === 0) return error;
      const count = error.code === 'queue_unavailable' ? { failures: told } : {};
      logger.error({ source, ...count, ...describeError(error) }, 'webhook engine error');
      call('onError', hooks.onError, error, { source, failures: told });
      return error;
    },
    recovered: (source) => void outages.delete(source),
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

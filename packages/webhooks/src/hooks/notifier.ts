import { AsyncResource } from 'node:async_hooks';
import { type Clock, systemClock, timestampText } from '../clock.ts';
import { isWebhookError, WebhookError, type WebhookErrorCode } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import { describeError, redactedError } from '../logging/redacted-error.ts';
import { functionOption } from '../options.ts';
import { callHook } from './call-hook.ts';
import type {
  DisabledWebhook,
  ErrorSource,
  FailedDelivery,
  ReportedAttempt,
  WebhookHooks,
} from './webhook-hooks.ts';

/** The last failure of the storage, of the queue or of the engine itself. */
export interface LastError {
  readonly code: WebhookErrorCode;
  readonly source: ErrorSource;
  readonly at: string;
}

/** The hooks as the engine calls them: never throwing. */
export interface Notifier {
  error(source: ErrorSource, error: unknown): WebhookError;
  deliveryFailed(delivery: FailedDelivery): void;
  attempt(attempt: ReportedAttempt): void;
  webhookDisabled(webhook: DisabledWebhook): void;
  /** The last error that was not the caller's own mistake; null when there was none. */
  lastError(): LastError | null;
  /** The failures of this source so far. */
  failures(source: ErrorSource): Failures;
  /**
   * When an error of this code last came from this source, ms since the epoch; undefined where none
   * has.
   */
  lastFailureAt(source: ErrorSource, code: WebhookErrorCode): number | undefined;
}

/** Errors of one source. */
export interface Failures {
  readonly count: number;
  readonly last: WebhookError | undefined;
}

const NO_FAILURES: Failures = { count: 0, last: undefined };

/**
 * An outage of the queue fails with every dispatch: it is reported at once, and then at this
 * interval.
 */
const OUTAGE: WebhookErrorCode = 'queue_unavailable';
const OUTAGE_INTERVAL_MS = 60_000;

/** Failures of an outage since the last report. */
interface UnreportedFailures {
  failures: number;
  last: WebhookError | undefined;
}

/** Errors of the infrastructure or of the engine, not of its input. */
const INFRASTRUCTURE_CODES: ReadonlySet<WebhookErrorCode> = new Set([
  'storage_unavailable',
  'storage_misconfigured',
  'queue_unavailable',
  'overloaded',
  'internal_error',
]);

/**
 * Makes a host's hooks safe to call and logs each call.
 *
 * @throws TypeError when a hook is no function
 */
export function createNotifier(hooks: WebhookHooks, logger: Logger, clock: Clock = systemClock): Notifier {
  functionOption('onError', hooks.onError, () => {});
  functionOption('onDeliveryFailed', hooks.onDeliveryFailed, () => {});
  functionOption('onAttempt', hooks.onAttempt, () => {});
  functionOption('onWebhookDisabled', hooks.onWebhookDisabled, () => {});
  let lastError: LastError | null = null;
  const failures = new Map<ErrorSource, Failures>();
  const failedAt = new Map<`${ErrorSource} ${WebhookErrorCode}`, number>();
  const outages = new Map<ErrorSource, UnreportedFailures>();
  // Failures reported together come from several asynchronous contexts: they belong to none.
  const endOutageInOwnContext = AsyncResource.bind(endOutage);

  const call = <Args extends unknown[]>(
    name: string,
    hook: ((...args: Args) => unknown) | undefined,
    ...args: Args
  ) => callHook(logger, name, hook, ...args);

  function report(source: ErrorSource, error: WebhookError, count: number): void {
    const isOutage = error.code === OUTAGE;
    logger.error(
      { source, ...(isOutage && { failures: count }), ...describeError(error) },
      'webhook engine error',
    );
    call('onError', hooks.onError, error, { source, failures: count });
  }

  /**
   * Reports the first failure at once, those of the following minute together, and so on while
   * there are any.
   */
  function reportOutage(source: ErrorSource, error: WebhookError, count: number): void {
    report(source, error, count);
    const unreported: UnreportedFailures = { failures: 0, last: undefined };
    outages.set(source, unreported);
    setTimeout(endOutageInOwnContext, OUTAGE_INTERVAL_MS, source, unreported).unref();
  }

  function endOutage(source: ErrorSource, { last, failures: count }: UnreportedFailures): void {
    outages.delete(source);
    if (last !== undefined) reportOutage(source, last, count);
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
      const unreported = outages.get(source);
      if (error.code !== OUTAGE) report(source, error, 1);
      else if (unreported === undefined) reportOutage(source, error, 1);
      else Object.assign(unreported, { failures: unreported.failures + 1, last: error });
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

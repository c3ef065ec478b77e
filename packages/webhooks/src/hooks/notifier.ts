import { functionOption } from '../../../toolkit/src/options.ts';
import { outsideRequests } from '../../../toolkit/src/outside-requests.ts';
import { createPacedReport, type PacedReport } from '../../../toolkit/src/paced-report.ts';
import { type Clock, systemClock, timestampText } from '../clock.ts';
import type { WebhookErrorCode } from '../error-codes.ts';
import { isWebhookError, WebhookError } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import { describeError, redactedError } from '../logging/redacted-error.ts';
import { callHook } from './call-hook.ts';
import {
  type DisabledWebhook,
  type ErrorSource,
  type FailedDelivery,
  HOOK_NAMES,
  type ReportedAttempt,
  type ReportedFailing,
  type TenantBacklog,
  type WebhookHooks,
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
  webhookFailing(webhook: ReportedFailing): void;
  /** Whether the host has a hook for the one before. */
  readonly isToldOfFailing: boolean;
  backlog(backlog: TenantBacklog): void;
  /** Whether the host has a hook for the one before. */
  readonly isToldOfBacklogs: boolean;
  /** The last error that was not the caller's own mistake; null when there was none. */
  lastError(): LastError | null;
  /** The failures of this source so far. */
  failures(source: ErrorSource): Failures;
  /**
   * When an error of this code last came from this source, ms since the epoch; undefined if none
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

/** An outage of the queue fails with every dispatch: it is reported once a minute. */
const OUTAGE: WebhookErrorCode = 'queue_unavailable';

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
  for (const name of HOOK_NAMES) functionOption(name, hooks[name], () => {});
  let lastError: LastError | null = null;
  const failures = new Map<ErrorSource, Failures>();
  const failedAt = new Map<`${ErrorSource} ${WebhookErrorCode}`, number>();
  const outages = new Map<ErrorSource, PacedReport<WebhookError>>();

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

  // Made in the context of the engine: what is reported together belongs to no request.
  const newOutage = outsideRequests.bind((source: ErrorSource) =>
    createPacedReport<WebhookError>((count, last) => last && report(source, last, count)),
  );

  function outageOf(source: ErrorSource): PacedReport<WebhookError> {
    const outage = outages.get(source) ?? newOutage(source);
    outages.set(source, outage);
    return outage;
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
      if (error.code === OUTAGE) outageOf(source).note(error);
      else report(source, error, 1);
      return error;
    },
    deliveryFailed(delivery) {
      // The purge logs those together, by webhook.
      if (delivery.error !== 'expired') logger.warn({ ...delivery }, 'webhook delivery failed');
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
    webhookFailing(webhook) {
      const isDown = webhook.state !== 'well';
      logger.warn({ ...webhook }, isDown ? 'webhook down' : 'webhook well again');
      call('onWebhookFailing', hooks.onWebhookFailing, webhook);
    },
    isToldOfFailing: hooks.onWebhookFailing !== undefined,
    backlog(backlog) {
      logger.warn({ ...backlog }, 'webhook backlog');
      call('onBacklog', hooks.onBacklog, backlog);
    },
    isToldOfBacklogs: hooks.onBacklog !== undefined,
    lastError: () => lastError,
    failures: (source) => failures.get(source) ?? NO_FAILURES,
    lastFailureAt: (source, code) => failedAt.get(`${source} ${code}`),
  };
  return notifier;
}

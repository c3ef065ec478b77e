import { isWebhookError, WebhookError } from './errors.ts';
import type { Logger } from './logger.ts';
import { functionOption } from './options.ts';

/** Where in the engine an error came up. */
export type ErrorSource = 'dispatch' | 'enqueue' | 'claim' | 'attempt' | 'record' | 'purge';

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
  /** Called for every failed dispatch, awaited or not, and every failure of the storage or queue behind the engine. */
  readonly onError?: ((error: WebhookError, context: { readonly source: ErrorSource }) => void) | undefined;
  /** Called once for every delivery that ended `failed`, after that is durable. */
  readonly onDeliveryFailed?: ((delivery: FailedDelivery) => void) | undefined;
}

/** The hooks as the engine calls them: never throwing. */
export interface Notifier {
  error(source: ErrorSource, error: unknown): WebhookError;
  deliveryFailed(delivery: FailedDelivery): void;
}

/**
 * Makes a host's hooks safe to call and logs what they are told.
 *
 * @throws TypeError when a hook is no function
 */
export function createNotifier(hooks: WebhookHooks, logger: Logger): Notifier {
  functionOption('onError', hooks.onError, () => {});
  functionOption('onDeliveryFailed', hooks.onDeliveryFailed, () => {});

  const call = <Args extends unknown[]>(
    name: string,
    hook: ((...args: Args) => unknown) | undefined,
    ...args: Args
  ) => callHook(logger, name, hook, ...args);

  return {
    error(source, cause) {
      const error = isWebhookError(cause)
        ? cause
        : new WebhookError('internal_error', `An unforeseen error in ${source}`, { cause });
      logger.error({ error, source }, 'webhook engine error');
      call('onError', hooks.onError, error, { source });
      return error;
    },
    deliveryFailed(delivery) {
      logger.warn({ ...delivery }, 'webhook delivery failed');
      call('onDeliveryFailed', hooks.onDeliveryFailed, delivery);
    },
  };
}

/** Calls a host's hook, where there is one: that it throws or rejects is logged and changes nothing. */
export function callHook<Args extends unknown[]>(
  logger: Logger,
  name: string,
  hook: ((...args: Args) => unknown) | undefined,
  ...args: Args
): void {
  if (hook === undefined) return;
  const logFailure = (error: unknown) => logger.error({ error, hook: name }, 'a webhook hook failed');
  try {
    const answer = hook(...args);
    if (answer instanceof Promise) answer.catch(logFailure);
  } catch (error) {
    logFailure(error);
  }
}

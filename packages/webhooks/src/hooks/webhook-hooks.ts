import type { WebhookError } from '../errors.ts';

/** The part of the engine in which an error occurred. */
export type ErrorSource =
  | 'dispatch'
  | 'enqueue'
  | 'queue'
  | 'claim'
  | 'attempt'
  | 'record'
  | 'disable'
  | 'recover'
  | 'backlog'
  | 'purge';

/** The second argument of `onError`. */
export interface ErrorContext {
  readonly source: ErrorSource;
  /**
   * How many failures this call reports: 1, or more while an outage of the queue lasts. The error
   * is then the last of them.
   */
  readonly failures: number;
}

/** One attempt that was sent. */
export interface ReportedAttempt {
  readonly webhookId: number;
  /** Whose webhook it is; absent for the host's own. */
  readonly tenant?: string;
  readonly deliveryId: string;
  readonly event: string;
  /** 1 for the first attempt of the delivery; a redelivery goes on counting. */
  readonly attempt: number;
  /** The recipient's HTTP status, 0 without an answer. */
  readonly statusCode: number;
  /** Why the attempt failed, '' when it succeeded. */
  readonly error: string;
  readonly startedAt: string;
  readonly durationMs: number;
  /** The status of the delivery now: `pending` if the attempt is repeated. */
  readonly status: 'pending' | 'success' | 'failed';
  /** When the attempt is repeated, by this process's clock; null once the delivery has ended. */
  readonly nextAttemptAt: string | null;
}

/** An attempt that is about to be sent. */
export type TracedAttempt = Pick<
  ReportedAttempt,
  'webhookId' | 'tenant' | 'deliveryId' | 'event' | 'attempt'
>;

/** A webhook that the engine deactivated. */
export interface DisabledWebhook {
  readonly webhookId: number;
  /** Whose webhook it is; absent for the host's own. */
  readonly tenant?: string;
  /** `gone`: the recipient answered 410. `failing`: nothing has succeeded for too long. */
  readonly reason: 'gone' | 'failing';
  /** The delivery that brought it about. */
  readonly deliveryId: string;
  readonly event: string;
  readonly disabledAt: string;
}

/** A webhook that is down, with what a mail to its owner needs. */
export interface FailingWebhook {
  readonly webhookId: number;
  /** Whose webhook it is; absent for the host's own. */
  readonly tenant?: string;
  readonly url: string;
  readonly name: string;
  readonly description: string;
  /** The uid of the administrator who created it; null if unknown. */
  readonly createdByUid: string | null;
  /**
   * Since when nothing has succeeded: when the first of the failures ended, or the recipient first
   * asked to wait.
   */
  readonly since: string;
  /** Since when its recipient asks to wait (429, or 503 with `Retry-After`); null if it does not. */
  readonly busySince: string | null;
  /** How many deliveries have failed since, and the error of the last one; 0 and '' if none has. */
  readonly failures: number;
  readonly lastError: string;
  /** How many deliveries are pending: exact up to 100,000. */
  readonly waiting: number;
  /** When the engine deactivates it at the earliest (`disableAfterFailingMs`); null: never. */
  readonly disablesAt: string | null;
}

/** A webhook that went down, still is, or is well again. */
export interface ReportedFailing extends FailingWebhook {
  /**
   * `down`: three deliveries have failed, and none has succeeded since the first of them; or the
   * recipient has asked to wait for an hour.
   * `still_down`: half of `disableAfterFailingMs` has passed. `well`: a delivery has succeeded.
   */
  readonly state: 'down' | 'still_down' | 'well';
}

/** A delivery that ended as `failed`. */
export interface FailedDelivery {
  readonly webhookId: number;
  /**
   * Whose webhook it is; absent for the host's own, and for an expired delivery whose webhook was
   * removed meanwhile.
   */
  readonly tenant?: string;
  readonly deliveryId: string;
  readonly event: string;
  readonly attempts: number;
  /** The recipient's last HTTP status, 0 without an answer. */
  readonly statusCode: number;
  /**
   * Why it failed: the last attempt's error code, `webhook_inactive`, `worker_lost` or `expired`.
   */
  readonly error: string;
}

/** A tenant that has a backlog. */
export type TenantBacklog = {
  /** Absent for the host's own webhooks. */
  readonly tenant?: string;
  /** How many of its deliveries are pending: exact up to 100,000; 100,001 stands for any larger number. */
  readonly pending: number;
};

/** Tenants that have a backlog, as the last count found them: it is ten minutes old, or somewhat older. */
export type TenantBacklogs = {
  /** At most 10, the largest backlog first. */
  readonly largest: readonly TenantBacklog[];
  /** At least so many other tenants have one: exact if one count reached all tenants. */
  readonly others: number;
};

/** The hooks of a host. A hook that throws or rejects is logged and changes nothing. */
export interface WebhookHooks {
  /**
   * Called for every failed dispatch, awaited or not, and every failure of the storage or queue
   * behind the engine. The `cause` of such a failure has the message of the driver's error, without
   * the values that drivers attach to theirs. An outage of the queue (`queue_unavailable`) is
   * reported at once, and then once a minute while it lasts.
   */
  readonly onError?: ((error: WebhookError, context: ErrorContext) => void) | undefined;
  /**
   * Called once for every delivery that ended as `failed`, after that is durable. If the process ends
   * before the call, it is never called; nor for what a purge ended whose answer was lost.
   */
  readonly onDeliveryFailed?: ((delivery: FailedDelivery) => void) | undefined;
  /**
   * Called for every attempt that was sent, after its result is durable: for metrics and traces.
   * Not called for results that came too late to count. Nothing waits for it, but it runs as often
   * as requests are sent: keep it short.
   */
  readonly onAttempt?: ((attempt: ReportedAttempt) => void) | undefined;
  /**
   * Called when a webhook goes down, again at half of `disableAfterFailingMs`, and when it is well
   * again; of its deactivation, {@link onWebhookDisabled} tells, always after `down`. The engine checks at every sixth sweep. Of all processes that have this hook, one calls
   * it, once for each of these. If that process ends before the call, the hook is never called:
   * `listFailing` lists the webhook nevertheless.
   */
  readonly onWebhookFailing?: ((webhook: ReportedFailing) => void) | undefined;
  /**
   * Called when the engine deactivates a webhook (`disableOnGone`, `disableAfterFailingMs`), after
   * that is durable: once per deactivation, in the process that made it. Of a webhook that fails,
   * `onWebhookFailing` has told `down` before, also where the third failure deactivates it.
   */
  readonly onWebhookDisabled?: ((webhook: DisabledWebhook) => void) | undefined;
  /**
   * Called once a tenant has `maxPendingPerTenant` pending deliveries, again when twice as many as
   * at the last call are pending (up to 100,000), and anew if fewer than half of the bound were in
   * between. One process of all counts, every ten minutes, and of those that have this hook one
   * calls it; of more than 200 tenants at once, for 200 of them. If that process ends before the
   * call, the hook is never called: `health()` lists the tenant nevertheless.
   */
  readonly onBacklog?: ((backlog: TenantBacklog) => void) | undefined;
}

export const HOOK_NAMES = [
  'onError',
  'onDeliveryFailed',
  'onAttempt',
  'onWebhookDisabled',
  'onWebhookFailing',
  'onBacklog',
] as const satisfies readonly (keyof WebhookHooks)[];

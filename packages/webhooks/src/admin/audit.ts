import { type Clock, timestampText } from '../clock.ts';
import { callHook } from '../hooks/call-hook.ts';
import type { Logger } from '../logger.ts';
import type { AdminActor } from './authorize.ts';

/** What an administrator did. */
export type AuditAction =
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.deleted'
  | 'webhook.tested'
  | 'webhook.secret_rotated'
  | 'webhook.recovered'
  | 'delivery.redelivered';

/** One change, as a route reports it. */
export interface AuditedChange {
  readonly action: AuditAction;
  readonly target: {
    readonly webhookId: number;
    /** Of `webhook.tested` and `delivery.redelivered`. */
    readonly deliveryId?: string;
  };
  /** Of `webhook.updated`: the names of the fields that the request gave, `is_active` for one. Never their values. */
  readonly fields?: readonly string[];
  /** Of `webhook.recovered`: how many deliveries are on their way again. */
  readonly deliveries?: number;
}

/** Who did what to which webhook, and when. Carries no secret, URL, payload or credential. */
export interface AuditEvent extends AuditedChange {
  /** As `authorize` answered. */
  readonly actor: AdminActor;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/**
 * Told of every change that was made, after it is durable and before the client reads its answer: exactly the requests
 * answered 2xx that changed or sent something, and a recovery that failed midway, with what it had reopened. Not of reads, not of a dry run, not of an update that named no field,
 * and not of refused attempts: those are in the host's access log, and strangers could fill an audit log with them.
 *
 * The answer does not wait for it. One that throws or rejects is logged and changes nothing.
 */
export type OnAudit = (event: AuditEvent) => void | Promise<void>;

/** @internal Reports changes to the host. */
export function createAudit(deps: {
  readonly onAudit: OnAudit;
  readonly clock: Clock;
  readonly logger: Logger;
}): (actor: AdminActor, change: AuditedChange | undefined) => void {
  const { onAudit, clock, logger } = deps;
  return (actor, change) => {
    if (change === undefined) return;
    // The clock is the host's as well: the change is made, and its answer may carry a secret that is shown once.
    const report = () => onAudit({ actor, ...change, at: timestampText(clock()) });
    callHook(logger, 'onAudit', report);
  };
}

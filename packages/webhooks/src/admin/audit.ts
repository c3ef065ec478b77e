import { type Clock, timestampText } from '../clock.ts';
import { callHook } from '../hooks/call-hook.ts';
import type { Logger } from '../logging/logger.ts';
import type { AdminActor } from './authorize.ts';

/** The action of an administrator. */
export type AuditAction =
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.deleted'
  | 'webhook.tested'
  | 'webhook.secret_rotated'
  | 'webhook.previous_secret_ended'
  | 'webhook.recovered'
  | 'delivery.redelivered';

/** One change, as a route reports it. */
export interface AuditedChange {
  readonly action: AuditAction;
  readonly target: {
    readonly webhookId: number;
    /** With `webhook.tested` and `delivery.redelivered`. */
    readonly deliveryId?: string;
  };
  /**
   * With `webhook.updated`: the names of the fields in the request, such as `is_active`. Never
   * their values.
   */
  readonly fields?: readonly string[];
  /** With `webhook.tested`: the name of the event that was sent. */
  readonly event?: string;
  /** With `webhook.recovered`: how many deliveries were reopened. */
  readonly deliveries?: number;
}

/** Who did what to which webhook, and when. It carries no secret, URL, payload or credential. */
export interface AuditEvent extends AuditedChange {
  /** Whose webhook it is; absent for the host's own. */
  readonly tenant?: string;
  /** As `authorize` answered. */
  readonly actor: AdminActor;
  /** RFC 3339, UTC, milliseconds, by the clock of the engine. */
  readonly at: string;
}

/**
 * Receives every change that was made, after it is durable and before the client reads its answer.
 *
 * A change is a request answered 2xx that changed or sent something, or a recovery that failed
 * partway, with the number of deliveries that it had reopened. Reads, dry runs and updates that
 * name no field are not changes. Neither are refused requests: the host's access log has them, and
 * strangers could fill an audit log with them.
 *
 * The answer does not wait for the hook. A hook that throws or rejects is logged and changes
 * nothing. A process killed between a change and the call loses the event: a host that needs no
 * change without its entry writes the entry in `authorize`, which runs before.
 */
export type OnAudit = (event: AuditEvent) => void | Promise<void>;

/** @internal Reports changes to the host. */
export function createAudit(deps: {
  readonly onAudit: OnAudit;
  readonly clock: Clock;
  readonly logger: Logger;
}): (actor: AdminActor, change: AuditedChange, whose: Pick<AuditEvent, 'tenant'>) => void {
  const { onAudit, clock, logger } = deps;
  return (actor, change, whose) => {
    // The change is made by now, and its answer may carry a secret that is shown once: a hook that
    // throws must not replace it.
    callHook(logger, 'onAudit', onAudit, { actor, ...whose, ...change, at: timestampText(clock()) });
  };
}

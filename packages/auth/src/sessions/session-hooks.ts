import { withDeadline } from '../../../toolkit/src/deadline.ts';
import type {
  ResolvedSessionsOptions,
  ReuseDetectedEvent,
  SessionAnomalyEvent,
  SessionRevokedEvent,
} from './sessions-options.ts';

/**
 * How long a hook is waited for. It goes on afterwards, but a log-out does not wait for it any
 * longer.
 */
export const HOOK_TIMEOUT_MS = 5_000;
/** Hooks that run at once where all sessions of a user end. */
export const MAX_HOOKS_AT_ONCE = 16;

/**
 * The hooks of the host. They are waited for, and nothing that they do or fail to do changes what
 * has happened.
 */
export interface SessionHooks {
  /** Tells of ended sessions, of a bounded number at once. Never rejects. */
  sessionsRevoked(events: readonly SessionRevokedEvent[]): Promise<void>;
  /** Never rejects. */
  reuseDetected(event: ReuseDetectedEvent): Promise<void>;
  /** Never rejects. */
  sessionAnomaly(event: SessionAnomalyEvent): Promise<void>;
}

export function createSessionHooks(options: ResolvedSessionsOptions): SessionHooks {
  const { logger, onSessionRevoked, onReuseDetected, onSessionAnomaly } = options;

  async function tell(hook: string, call: () => unknown): Promise<void> {
    try {
      await withDeadline(call(), HOOK_TIMEOUT_MS, refuseLateHook, { unref: true });
    } catch (err) {
      logger.error({ err }, `The hook ${hook} failed`);
    }
  }

  return {
    async sessionsRevoked(events) {
      if (onSessionRevoked === undefined) return;
      const queue = events.values();
      const work = async () => {
        for (const event of queue) await tell('onSessionRevoked', () => onSessionRevoked(event));
      };
      await Promise.all(Array.from({ length: Math.min(events.length, MAX_HOOKS_AT_ONCE) }, work));
    },

    async reuseDetected(event) {
      await tell('onReuseDetected', () => onReuseDetected?.(event));
    },

    async sessionAnomaly(event) {
      await tell('onSessionAnomaly', () => onSessionAnomaly?.(event));
    },
  };
}

function refuseLateHook(): never {
  throw new Error(`The hook has not settled within ${HOOK_TIMEOUT_MS} ms`);
}

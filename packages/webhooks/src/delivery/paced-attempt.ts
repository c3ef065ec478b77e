import type { Tried } from './tried-webhooks.ts';

/** How an attempt ended: `failed` with a status, `unanswered` without one. */
export type AttemptEnd = 'succeeded' | 'failed' | 'unanswered' | 'timed-out';

/** An attempt under way. */
export interface PacedAttempt {
  readonly webhook: Tried;
  /** Whose webhook it is. */
  readonly tenant: string;
  readonly since: number;
  /** `outlast` is due once the attempt has taken this long. */
  readonly slowAfterMs: number;
  place: 'slot' | 'pool' | 'released';
  /** It waits in its slot for a place in the pool. */
  isOverdue: boolean;
}

import { timestampText } from '../clock.ts';
import type { DeliverySummary } from './delivery-record.ts';
import type { ResultRules } from './result-rules.ts';

/** No delivery is older: a purge up to this time removes those of removed webhooks alone. */
export const BEFORE_ANY = timestampText(Date.parse('0001-01-01T00:00:00Z'));

/** What a purge removes, or ends, and its bounds. */
export type PurgeRequest = {
  /** The caller's clock, ms since the epoch: when those that it ends end. */
  readonly now: number;
  /** 1–10,000: other writers may have to wait until that many are removed or ended. */
  readonly limit: number;
} & (
  | { readonly createdBefore: string }
  | {
      /**
       * Ends what is pending at a recipient that has been busy for so many milliseconds, in a
       * series that has lasted as long, and leaves it. What is leased stays pending, and so do
       * tests and what last failed for another reason.
       */
      readonly busyForMs: number;
      /** Only at a recipient that asked, first or again, within so many milliseconds. */
      readonly askedWithinMs: number;
      /** What to keep of their webhooks. */
      readonly runAfter: ResultRules['runAfter'];
    }
  | {
      /**
       * Ends what was due before the last so many hours in which deliveries were claimed, the
       * present one left out, and leaves it. What is leased stays pending, and so does what no claim
       * has leased in its series, unless its webhook has a limit (`maxPerMinute`), a run of failures
       * or a busy recipient. A retry is due a minute later here. No run of failures changes.
       */
      readonly dueForHours: number;
    }
);

/** The result of a purge. */
export interface PurgeReceipt {
  readonly removed: number;
  /**
   * Deliveries that were still `pending` and therefore ended as `failed`: with the error `expired`,
   * or with `busy`.
   */
  readonly expired: readonly DeliverySummary[];
}

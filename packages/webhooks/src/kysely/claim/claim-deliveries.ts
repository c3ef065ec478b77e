import { timestampText } from '../../clock.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { dueSummary } from './due-summary.ts';
import { leaseDeliveries } from './lease-deliveries.ts';
import { readWaiting } from './read-waiting.ts';
import { createSeenWebhooks } from './seen-webhooks.ts';

/** A transaction that writes deliveries may commit this long after the time that it gave them. */
const MARGIN_MS = 10_000;

/**
 * Claims deliveries: reads which webhooks wait, lets the request choose, and leases what it chose.
 * A process that finds nothing due locks nothing. See docs/decisions/0079.
 */
export function createClaiming(
  access: DatabaseAccess,
): Pick<WebhookStorage, 'claimDueDeliveries' | 'dueSummary'> {
  const { dialect, run } = access;
  const seen = createSeenWebhooks();
  let cursor = 0;
  let since = '';
  let reads = 0;
  /**
   * The last read that had begun when one from the start ended: its bound is older than that one's.
   */
  let outdated = 0;
  return {
    async claimDueDeliveries(request) {
      const looked = seen.next();
      const from = { ...request, cursor, seen: looked, since: request.isFromStart ? '' : since };
      const number = ++reads;
      const waiting = await run((tables) => readWaiting(tables, dialect, from));
      cursor = waiting.cursor;
      if (request.isFromStart) outdated = reads;
      if (request.isFromStart || number > outdated) {
        since = timestampText(Date.parse(waiting.firstPriorityAt) - MARGIN_MS);
      }
      const choice = waiting.webhooks.length === 0 ? [] : request.choose(waiting.webhooks);
      const chosen = new Map([...choice].filter(([, count]) => count > 0));
      seen.learn(looked, waiting.webhooks, chosen);
      if (chosen.size === 0) return [];
      const resuming = waiting.webhooks
        .filter(({ webhookId, isResuming }) => isResuming && chosen.has(webhookId))
        .map(({ webhookId }) => webhookId);
      return await leaseDeliveries(access, { ...request, since: from.since, resuming }, chosen);
    },
    dueSummary: (query) => dueSummary(access, { ...query, since: query.isFromStart ? '' : since }),
  };
}

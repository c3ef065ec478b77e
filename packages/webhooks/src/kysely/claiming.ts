import type { WebhookStorage } from '../storage/storage.ts';
import { claimDueDeliveries } from './claim-deliveries.ts';
import { countWaiting } from './count-waiting.ts';
import { isAnyDue } from './due-deliveries.ts';
import type { TableAccess } from './table-access.ts';
import type { ScanCursor } from './take-due-rows.ts';

/** How often what waits uncounted is counted, where claims leave time for it. */
const COUNTING_INTERVAL_MS = 5_000;

/** Claims, one after the other: each goes on where the one before it ended. */
export function createClaiming(access: TableAccess): WebhookStorage['claimDueDeliveries'] {
  const { dialect, write } = access;
  let cursor: ScanCursor = { afterWebhookId: 0, nothingSince: undefined };
  let foundNothing = false;
  /** Whether the last claim took all that it could. */
  let hasRoom = false;
  let countsNextAt = Number.NEGATIVE_INFINITY;

  async function countNowAndThen(): Promise<void> {
    if (dialect.isEmbedded || !hasRoom || performance.now() < countsNextAt) return;
    countsNextAt = performance.now() + COUNTING_INTERVAL_MS;
    await countWaiting(access);
  }

  return async (request) => {
    // What an idle process costs: one statement, which locks nothing.
    if (foundNothing && !(await isAnyDue(access, request.now))) return [];
    // Before the claim: what fails here must not take one with it that has been made.
    await countNowAndThen();
    const claim = await write((tables) => claimDueDeliveries(tables, dialect, request, cursor));
    cursor = claim.cursor;
    hasRoom = claim.deliveries.length < request.limit;
    foundNothing = claim.deliveries.length === 0 && claim.isComplete;
    if (hasRoom && !claim.isComplete) request.onIncomplete?.();
    return claim.deliveries;
  };
}

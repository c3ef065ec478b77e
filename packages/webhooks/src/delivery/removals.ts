import type { Clock } from '../clock.ts';
import type { Notifier } from '../hooks/notifier.ts';
import { coalesced } from '../queue/coalesced.ts';
import { BEFORE_ANY } from '../storage/purge-requests.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { removeInBatches } from './remove-in-batches.ts';

/** Removes the deliveries of removed webhooks, in the background. */
export interface Removals {
  /** Begins soon. A call during a run lets another one follow. */
  begin(): void;
  /** Ends after the batch under way. The next removal or purge takes the rest. */
  close(): Promise<void>;
}

/** @internal */
export function createRemovals(deps: {
  readonly storage: Pick<WebhookStorage, 'purgeDeliveries'>;
  readonly clock: Clock;
  readonly notifier: Pick<Notifier, 'error'>;
}): Removals {
  const { storage, clock, notifier } = deps;
  const closing = new AbortController();

  async function removeAll(): Promise<void> {
    try {
      await removeInBatches(async (limit) => {
        const { removed } = await storage.purgeDeliveries({ createdBefore: BEFORE_ANY, now: clock(), limit });
        return removed;
      }, closing.signal);
    } catch (error) {
      notifier.error('purge', error);
    }
  }

  const run = coalesced(removeAll);
  return {
    begin() {
      if (!closing.signal.aborted) void run();
    },
    async close() {
      closing.abort();
      await run.idle();
    },
  };
}

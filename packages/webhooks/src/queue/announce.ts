import type { Notifier } from '../hooks/notifier.ts';
import { type DeliveryJob, type DeliveryQueue, queueUnavailable } from './queue.ts';

/**
 * Tells the queue that deliveries are due. Waits for nothing and never throws: the sweep finds
 * deliveries whose jobs the queue does not take.
 */
export type Announce = (jobs: readonly DeliveryJob[]) => void;

/** @internal */
export function createAnnounce(deps: {
  readonly queue: Pick<DeliveryQueue, 'enqueue'>;
  readonly notifier: Pick<Notifier, 'error'>;
}): Announce {
  const { queue, notifier } = deps;

  async function enqueue(jobs: readonly DeliveryJob[]): Promise<void> {
    try {
      await queue.enqueue(jobs);
    } catch (error) {
      notifier.error('enqueue', queueUnavailable(error));
    }
  }

  return (jobs) => {
    if (jobs.length > 0) void enqueue(jobs);
  };
}

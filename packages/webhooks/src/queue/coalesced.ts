import type PQueue from 'p-queue';
import { outsideRequests } from '../../../toolkit/src/outside-requests.ts';

/**
 * Merges requests for one task: a run that waits in the queue, which has no other runs, serves
 * every request made before it begins. It serves several callers, and so runs in the asynchronous
 * context of none (`AsyncLocalStorage`).
 *
 * @internal
 * @returns asks for a run that begins after the call, and settles as it does
 */
export function coalesced(queue: PQueue, task: () => Promise<void>): () => Promise<void> {
  const runInOwnContext = outsideRequests.bind(task);
  let last: Promise<void> = Promise.resolve();
  return () => {
    // The size counts runs that wait, not the one under way.
    if (queue.size === 0) last = queue.add(runInOwnContext);
    return last;
  };
}

import { AsyncResource } from 'node:async_hooks';
import type PQueue from 'p-queue';

/**
 * Merges requests for one task: a run that waits in the queue, which has no other runs, serves
 * every request made before it begins. It serves several callers, and so runs in the asynchronous
 * context (`AsyncLocalStorage`) in which `coalesced` was called, not in that of one of them.
 *
 * @internal
 * @returns asks for a run that begins after the call, and settles as it does
 */
export function coalesced(queue: PQueue, task: () => Promise<void>): () => Promise<void> {
  const runInOwnContext = AsyncResource.bind(task);
  let last: Promise<void> = Promise.resolve();
  return () => {
    // The size counts runs that wait, not the one under way.
    if (queue.size === 0) last = queue.add(runInOwnContext);
    return last;
  };
}

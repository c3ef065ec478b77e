import type PQueue from 'p-queue';

/**
 * Merges requests for one task: a run that waits in the queue, which holds nothing else, stands
 * for everybody who asks before it begins.
 *
 * @internal
 * @returns asks for a run that begins after the call, and settles as it does
 */
export function coalesced(queue: PQueue, task: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    // The size counts what waits, not what runs.
    if (queue.size === 0) last = queue.add(task);
    return last;
  };
}

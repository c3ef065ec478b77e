import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows removed per transaction: few enough that claims and results are written in between. */
const BATCH = 500;
/** One call removes at most 50 million rows; the next call continues. */
const MAX_BATCHES = 100_000;

/**
 * Removes rows, a batch at a time, until a batch is not full or the signal is aborted.
 *
 * @param removeBatch removes at most `limit` rows, and returns how many
 */
export async function removeInBatches(
  removeBatch: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES && !signal?.aborted; batch += 1) {
    if ((await removeBatch(BATCH)) < BATCH) return;
    // SQLite drivers answer synchronously: without this, a long history would block the rest of the
    // process.
    await nextTurn();
  }
}

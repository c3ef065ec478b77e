import { setImmediate } from 'node:timers/promises';
import { MAX_IDS_PER_STATEMENT } from './revoke-sessions.ts';

/** The two statements of a purge. */
export interface PurgeStatements {
  /** Returns the keys of at most that many rows that may go. */
  find(wanted: number): Promise<readonly string[]>;
  /** Removes the rows that are still there, and returns how many it removed. */
  remove(keys: readonly string[]): Promise<number>;
}

/**
 * Removes at most `limit` rows, a group at a time: each is a statement of its own, so that nobody
 * waits for long. Drivers of SQLite run a statement while the process stands still, so everything
 * else has a turn of the event loop in between. Returns how many were removed.
 *
 * What another process removed in between does not count: only a search that finds fewer than it
 * asked for says that none is left. Each group was there when it was searched for, so the loop ends
 * with the rows.
 */
export async function purgeInGroups(limit: number, { find, remove }: PurgeStatements): Promise<number> {
  let removed = 0;
  while (removed < limit) {
    const wanted = Math.min(limit - removed, MAX_IDS_PER_STATEMENT);
    const keys = await find(wanted);
    // In one order everywhere, so that two processes wait for one another instead of deadlocking.
    if (keys.length > 0) removed += await remove([...keys].sort());
    if (keys.length < wanted) return removed;
    await setImmediate();
  }
  return removed;
}

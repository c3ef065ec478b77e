import { setImmediate } from 'node:timers/promises';

/** What a call removed, or also how many rows it found: others may have removed some of those. */
type RemovedGroup = number | { readonly found: number; readonly removed: number };

/**
 * Removes at most `limit` rows, a group at a time, so that nobody waits for long. A store in memory
 * or on SQLite stands still while it removes: everything else has a turn of the event loop in
 * between. Returns how many were removed.
 *
 * @param removeGroup finds at most that many rows; fewer say that none is left
 */
export async function purgeInGroups(
  limit: number,
  groupSize: number,
  removeGroup: (wanted: number) => Promise<RemovedGroup>,
): Promise<number> {
  let total = 0;
  while (total < limit) {
    const wanted = Math.min(limit - total, groupSize);
    const group = await removeGroup(wanted);
    const { found, removed } = typeof group === 'number' ? { found: group, removed: group } : group;
    total += removed;
    if (found < wanted) return total;
    await setImmediate();
  }
  return total;
}

/** Asks a store to remove up to a million rows, 1,000 at a time. */
export function purgeStore(purge: (limit: number) => Promise<number>): Promise<number> {
  return purgeInGroups(1_000_000, 1_000, purge);
}

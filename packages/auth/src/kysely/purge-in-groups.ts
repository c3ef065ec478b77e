import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { PurgeOptions } from '../sessions/store/session-store.ts';
import type { DatabaseAccess } from './database-access.ts';
import { MAX_IDS_PER_STATEMENT } from './revoke-sessions.ts';

/** Each table whose rows expire, with the column that follows the time in its index. */
const KEYS = { refresh_tokens: 'id', login_failures: 'id', one_time_tokens: 'token_hash' } as const;

/**
 * Removes at most `limit` rows, a group at a time: each is a transaction of its own, so that nobody
 * waits for long. Drivers of SQLite run a statement while the process stands still, so everything
 * else has a turn of the event loop in between. Returns how many were removed.
 *
 * @param removeGroup removes at most that many rows of those that it found, and returns both counts:
 *   what another process removed in between was found, and says that more may be left
 */
export async function purgeInGroups(
  limit: number,
  removeGroup: (wanted: number) => Promise<{ readonly found: number; readonly removed: number }>,
): Promise<number> {
  let total = 0;
  while (total < limit) {
    const wanted = Math.min(limit - total, MAX_IDS_PER_STATEMENT);
    const { found, removed } = await removeGroup(wanted);
    total += removed;
    if (found < wanted) return total;
    await setImmediate();
  }
  return total;
}

/** Removes expired rows, those that expired first before others, in one statement for each group. */
export function purgeExpired(
  { dialect, write }: DatabaseAccess,
  table: keyof typeof KEYS,
  { expiredBefore, limit }: PurgeOptions,
): Promise<number> {
  const key = sql.ref(KEYS[table]);
  return purgeInGroups(limit, async (wanted) => {
    const first = sql`expires_at <= ${expiredBefore} order by expires_at, ${key} limit ${sql.lit(wanted)}`;
    const { numDeletedRows } = await write((tables) =>
      tables
        .deleteFrom(table)
        .where(dialect.isOfRows(sql.table(table), key, first))
        .executeTakeFirstOrThrow(),
    );
    const removed = Number(numDeletedRows);
    return { found: removed, removed };
  });
}

import type { PurgeOptions } from '../sessions/session-store.ts';
import { MAX_IDS_PER_STATEMENT } from './revoke-sessions.ts';
import type { TableAccess } from './table-access.ts';

/**
 * Removes expired tokens, a group at a time: each is a statement of its own, so that nobody waits
 * for long.
 *
 * What another process removed in between does not count: only a search that finds fewer than it
 * asked for says that none is left. Each group was there when it was searched for, so the loop ends
 * with the tokens.
 */
export async function purgeTokens({ read, write }: TableAccess, options: PurgeOptions): Promise<number> {
  const { expiredBefore, limit } = options;
  let removed = 0;
  while (removed < limit) {
    const wanted = Math.min(limit - removed, MAX_IDS_PER_STATEMENT);
    const expired = await read((tables) =>
      tables
        .selectFrom('refresh_tokens')
        .select('id')
        .where('expires_at', '<=', expiredBefore)
        .orderBy('expires_at')
        .orderBy('id')
        .limit(wanted)
        .execute(),
    );
    if (expired.length > 0) {
      const ids = expired.map(({ id }) => id).sort();
      const { numDeletedRows } = await write((tables) =>
        tables.deleteFrom('refresh_tokens').where('id', 'in', ids).executeTakeFirst(),
      );
      removed += Number(numDeletedRows);
    }
    if (expired.length < wanted) return removed;
  }
  return removed;
}

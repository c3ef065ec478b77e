import { sql } from 'kysely';
import { purgeInGroups } from '../sessions/store/purge-in-groups.ts';
import type { PurgeOptions } from '../sessions/store/session-store.ts';
import type { DatabaseAccess } from './database-access.ts';
import { MAX_IDS_PER_STATEMENT } from './revoke-sessions.ts';

/** Each table whose rows expire, with the column that follows the time in its index. */
const KEYS = { refresh_tokens: 'id', login_failures: 'id', one_time_tokens: 'token_hash' } as const;

/** Removes expired rows, those that expired first before others, in one statement for each group. */
export function purgeExpired(
  { dialect, write }: DatabaseAccess,
  table: keyof typeof KEYS,
  { expiredBefore, limit }: PurgeOptions,
): Promise<number> {
  const key = sql.ref(KEYS[table]);
  return purgeInGroups(limit, MAX_IDS_PER_STATEMENT, async (wanted) => {
    const first = sql`expires_at <= ${expiredBefore} order by expires_at, ${key} limit ${sql.lit(wanted)}`;
    const { numDeletedRows } = await write((tables) =>
      tables
        .deleteFrom(table)
        .where(dialect.isOfRows(sql.table(table), key, first))
        .executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  });
}

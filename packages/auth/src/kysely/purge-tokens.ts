import type { PurgeOptions } from '../sessions/session-store.ts';
import { purgeInGroups } from './purge-in-groups.ts';
import type { TableAccess } from './table-access.ts';

/** Removes expired refresh tokens, a group at a time: see {@link purgeInGroups}. */
export function purgeTokens({ read, write }: TableAccess, options: PurgeOptions): Promise<number> {
  const { expiredBefore, limit } = options;
  return purgeInGroups(limit, {
    async find(wanted) {
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
      return expired.map(({ id }) => id);
    },
    async remove(ids) {
      const { numDeletedRows } = await write((tables) =>
        tables.deleteFrom('refresh_tokens').where('id', 'in', ids).executeTakeFirst(),
      );
      return Number(numDeletedRows);
    },
  });
}

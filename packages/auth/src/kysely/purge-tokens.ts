import { purgeInGroups } from '../sessions/store/purge-in-groups.ts';
import type { SessionPurgeOptions } from '../sessions/store/session-store.ts';
import type { DatabaseAccess } from './database-access.ts';
import { purgeExpired } from './purge-expired.ts';
import { MAX_IDS_PER_STATEMENT } from './revoke-sessions.ts';
import type { Tables } from './tables.ts';

/** Removes expired refresh tokens, then those of sessions that were revoked long enough ago. */
export async function purgeTokens(access: DatabaseAccess, options: SessionPurgeOptions): Promise<number> {
  const { revokedBefore, limit } = options;
  const expired = await purgeExpired(access, 'refresh_tokens', options);
  if (revokedBefore === undefined) return expired;
  const revoked = await purgeInGroups(limit - expired, MAX_IDS_PER_STATEMENT, async (wanted) => {
    const ids = await findRevoked(access, revokedBefore, wanted);
    return ids.length === 0 ? 0 : { found: ids.length, removed: await removeTokens(access, ids) };
  });
  return expired + revoked;
}

/**
 * A family may be larger than a group, and a root goes with the last of its successors: no
 * successor is ever left without the row that says that its session has ended.
 */
async function findRevoked(
  { read }: DatabaseAccess,
  revokedBefore: number,
  wanted: number,
): Promise<string[]> {
  const found = await read((tables) => findRevokedRoots(tables, revokedBefore, wanted));
  if (found.length === 0) return [];
  const roots = found.map(({ id }) => id);
  const others = await read((tables) => findSuccessors(tables, roots, wanted));
  const successors = others.map(({ id }) => id);
  // Fewer than asked for are all that there are: a revoked session gets no more.
  return [...successors, ...roots.slice(0, wanted - successors.length)];
}

/** A host that revokes by a statement of its own may have written to the successors, too. */
function findRevokedRoots(tables: Tables, revokedBefore: number, wanted: number) {
  return tables
    .selectFrom('refresh_tokens')
    .select('id')
    .where('revoked_at', '<=', revokedBefore)
    .where((token) => token('id', '=', token.ref('family_id')))
    .orderBy('revoked_at')
    .orderBy('id')
    .limit(wanted)
    .execute();
}

function findSuccessors(tables: Tables, roots: readonly string[], wanted: number) {
  return tables
    .selectFrom('refresh_tokens')
    .select('id')
    .where('family_id', 'in', roots)
    .where((token) => token('id', '!=', token.ref('family_id')))
    .limit(wanted)
    .execute();
}

/**
 * Locks the rows first, in the order of their ids, as all do who lock several: a delete takes them
 * as it finds them, on PostgreSQL in the order of the table, and deadlocks with a log-in.
 */
async function removeTokens({ dialect, write }: DatabaseAccess, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await write(async (tables) => {
    const rows = tables.selectFrom('refresh_tokens').select('id').where('id', 'in', ids).orderBy('id');
    if (dialect.hasRowLocks) await rows.forUpdate().execute();
    return await tables.deleteFrom('refresh_tokens').where('id', 'in', ids).executeTakeFirst();
  });
  return Number(numDeletedRows);
}

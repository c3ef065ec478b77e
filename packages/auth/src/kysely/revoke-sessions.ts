import type { Session, SessionRevocation, UserRevocation } from '../sessions/session-store.ts';
import type { AuthDialect } from './dialect.ts';
import { rootOf, roots } from './refresh-token-rows.ts';
import type { TableAccess } from './table-access.ts';
import type { Tables } from './tables.ts';

/** Ids in one statement: databases limit the parameters of a statement. */
export const MAX_IDS_PER_STATEMENT = 500;

export function revokeSession(
  { dialect, write }: TableAccess,
  { sessionId, instance, uid, now, reason }: SessionRevocation,
): Promise<Session | undefined> {
  return write(async (tables) => {
    let own = roots(tables).where('id', '=', sessionId).where('instance', '=', instance);
    if (uid !== undefined) own = own.where('uid', '=', uid);
    if (dialect.hasRowLocks) own = own.forUpdate();
    const row = await own.executeTakeFirst();
    if (row === undefined) return undefined;
    const { session, revokedAt } = rootOf(row);
    if (revokedAt !== null || now >= session.expiresAt) return undefined;
    await markRevoked(tables, [session.id], { now, reason });
    return session;
  });
}

/** Revokes in a transaction of its own, or in the host's. */
export function revokeSessionsOf(
  { dialect, write, within }: TableAccess,
  revocation: UserRevocation,
): Promise<readonly string[]> {
  const { transaction } = revocation;
  const revoke = (tables: Tables) => revokeLiveSessions(tables, dialect, revocation);
  return transaction === undefined ? write(revoke) : within(transaction, revoke);
}

/**
 * Locks the sessions in the order of their ids, whatever index found them, so that two calls for
 * one user cannot deadlock; a session that begins meanwhile was not there.
 */
async function revokeLiveSessions(
  tables: Tables,
  { hasRowLocks }: AuthDialect,
  { uid, instance, exceptSessionId = '', now, reason, transaction }: UserRevocation,
): Promise<readonly string[]> {
  const own = liveRoots(tables, now)
    .where('uid', '=', uid)
    .where('instance', '=', instance)
    .where('id', '!=', exceptSessionId);
  // A host's transaction may read an old snapshot; on MySQL a lock reads what is committed now.
  const found = await (hasRowLocks && transaction !== undefined ? own.forUpdate() : own).execute();
  const ids = found.map(({ id }) => id).sort();
  const revoked: string[] = [];
  for (let start = 0; start < ids.length; start += MAX_IDS_PER_STATEMENT) {
    const chunk = ids.slice(start, start + MAX_IDS_PER_STATEMENT);
    const still = liveRoots(tables, now).where('id', 'in', chunk).orderBy('id');
    const live = await (hasRowLocks ? still.forUpdate() : still).execute();
    const liveIds = live.map(({ id }) => id);
    if (liveIds.length > 0) await markRevoked(tables, liveIds, { now, reason });
    revoked.push(...liveIds);
  }
  return revoked;
}

function liveRoots(tables: Tables, now: number) {
  return roots(tables).where('revoked_at', 'is', null).where('expires_at', '>', now);
}

async function markRevoked(
  tables: Tables,
  ids: readonly string[],
  { now, reason }: Pick<SessionRevocation, 'now' | 'reason'>,
): Promise<void> {
  await tables
    .updateTable('refresh_tokens')
    .set({ revoked_at: now, revoke_reason: reason })
    .where('id', 'in', ids)
    .execute();
}

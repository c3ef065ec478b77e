import { sessionsOverLimit } from '../sessions/revocation/session-limit.ts';
import type { Session } from '../sessions/session.ts';
import type { OldestRevocation, SessionRevocation, UserRevocation } from '../sessions/store/session-store.ts';
import type { DatabaseAccess } from './database-access.ts';
import type { AuthDialect } from './dialect.ts';
import { liveRootsOf, revokedColumns, rootOf, roots } from './refresh-token-rows.ts';
import type { Tables } from './tables.ts';

/** Ids in one statement: databases limit the parameters of a statement. */
export const MAX_IDS_PER_STATEMENT = 500;

export function revokeSession(
  { dialect, write }: DatabaseAccess,
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
  { dialect, write, within }: DatabaseAccess,
  revocation: UserRevocation,
): Promise<readonly string[]> {
  const { transaction } = revocation;
  const revoke = (tables: Tables) => revokeLiveSessions(tables, dialect, revocation);
  return transaction === undefined ? write(revoke) : within(transaction, revoke);
}

async function revokeLiveSessions(
  tables: Tables,
  dialect: AuthDialect,
  revocation: UserRevocation,
): Promise<readonly string[]> {
  const { exceptSessionId = '', transaction } = revocation;
  const own = liveRootsOf(tables, revocation).where('id', '!=', exceptSessionId);
  // A host's transaction may read an old snapshot; on MySQL a lock reads what is committed now.
  const found = await (dialect.hasRowLocks && transaction !== undefined ? own.forUpdate() : own).execute();
  const live = await lockLive(tables, dialect, found, revocation.now);
  return await markRevoked(
    tables,
    live.map(({ id }) => id),
    revocation,
  );
}

/**
 * Most log-ins are below the limit: one statement tells, and nothing is locked. Above it, all live
 * sessions of the user are locked before any is chosen. If each of two log-ins locked only what it
 * is about to revoke, they could revoke each other's new session.
 */
export async function revokeOldestSessions(
  { dialect, read, write }: DatabaseAccess,
  revocation: OldestRevocation,
): Promise<readonly string[] | undefined> {
  const { keep, newestId, now } = revocation;
  const isLive = (sessions: readonly LiveRow[]) => sessions.some(({ id }) => id === newestId);
  const seen = await read((tables) => liveRootsOf(tables, revocation).execute());
  if (seen.length <= keep) return isLive(seen) ? [] : undefined;
  return await write(async (tables) => {
    const found = await liveRootsOf(tables, revocation).execute();
    const live = await lockLive(tables, dialect, found, now);
    if (!isLive(live)) return undefined;
    const sessions = live.map(({ id, created_at }) => ({ id, createdAt: Number(created_at) }));
    return await markRevoked(tables, sessionsOverLimit(sessions, keep, newestId), revocation);
  });
}

/** A row of a live session. Some drivers give the time as text. */
interface LiveRow {
  readonly id: string;
  readonly created_at: number;
}

/**
 * Locks the sessions that are still live, and returns them. The order is that of their ids,
 * whatever index found them, so that two calls for one user cannot deadlock. For the same reason no
 * other condition is part of the statement: MariaDB may find the rows by an index on it, and locks
 * that index first. A session that begins meanwhile was not there.
 */
async function lockLive(
  tables: Tables,
  { hasRowLocks }: AuthDialect,
  found: readonly LiveRow[],
  now: number,
): Promise<readonly LiveRow[]> {
  const ids = found.map(({ id }) => id).sort();
  const live: LiveRow[] = [];
  for (let start = 0; start < ids.length; start += MAX_IDS_PER_STATEMENT) {
    const chunk = ids.slice(start, start + MAX_IDS_PER_STATEMENT);
    const rows = roots(tables).where('id', 'in', chunk).orderBy('id');
    const locked = await (hasRowLocks ? rows.forUpdate() : rows).execute();
    live.push(
      ...locked.filter(({ revoked_at, expires_at }) => revoked_at === null && Number(expires_at) > now),
    );
  }
  return live;
}

/** Returns the ids that it was given. */
async function markRevoked(
  tables: Tables,
  ids: readonly string[],
  revocation: Pick<SessionRevocation, 'now' | 'reason'>,
): Promise<readonly string[]> {
  for (let start = 0; start < ids.length; start += MAX_IDS_PER_STATEMENT) {
    await tables
      .updateTable('refresh_tokens')
      .set(revokedColumns(revocation))
      .where('id', 'in', ids.slice(start, start + MAX_IDS_PER_STATEMENT))
      .execute();
  }
  return ids;
}

import { type RevocationRefusal, refusalOf } from '../sessions/revocation/asked-by.ts';
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
  { sessionId, instance, uid, askedBy, now, reason }: SessionRevocation,
): Promise<Session | RevocationRefusal | undefined> {
  return write(async (tables) => {
    const ids = new Set([sessionId, askedBy ?? sessionId]);
    const live = (await lockLive(tables, dialect, [...ids], now)).filter(
      (session) => session.instance === instance && (uid === undefined || session.uid === uid),
    );
    const ended = live.filter(({ id }) => id === sessionId);
    const asking = live.find(({ id }) => id === askedBy);
    const refusal = askedBy === undefined ? undefined : refusalOf(asking, ended);
    if (refusal !== undefined) return refusal;
    await markRevoked(tables, ended, { now, reason });
    return ended[0];
  });
}

/** Revokes in a transaction of its own, or in the host's. */
export function revokeSessionsOf(
  { dialect, write, within }: DatabaseAccess,
  revocation: UserRevocation,
): Promise<readonly string[] | RevocationRefusal> {
  const { transaction } = revocation;
  const revoke = (tables: Tables) => revokeLiveSessions(tables, dialect, revocation);
  return transaction === undefined ? write(revoke) : within(transaction, revoke);
}

async function revokeLiveSessions(
  tables: Tables,
  dialect: AuthDialect,
  revocation: UserRevocation,
): Promise<readonly string[] | RevocationRefusal> {
  const { exceptSessionId = '', askedBy, transaction } = revocation;
  const own = liveRootsOf(tables, revocation).where('id', '!=', exceptSessionId);
  // A host's transaction may read an old snapshot; on MySQL a lock reads what is committed now.
  const found = await (dialect.hasRowLocks && transaction !== undefined ? own.forUpdate() : own).execute();
  const live = await lockLive(tables, dialect, idsOf(found), revocation.now);
  const asking = live.find(({ id }) => id === askedBy);
  const refusal = askedBy === undefined ? undefined : refusalOf(asking, live);
  if (refusal !== undefined) return refusal;
  const ended = live.filter((session) => session !== asking);
  await markRevoked(tables, ended, revocation);
  return idsOf(ended);
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
  const seen = idsOf(await read((tables) => liveRootsOf(tables, revocation).execute()));
  if (seen.length <= keep) return seen.includes(newestId) ? [] : undefined;
  return await write(async (tables) => {
    const found = idsOf(await liveRootsOf(tables, revocation).execute());
    const live = await lockLive(tables, dialect, found, now);
    if (!idsOf(live).includes(newestId)) return undefined;
    const ids = sessionsOverLimit(live, keep, newestId);
    const ended = live.filter(({ id }) => ids.includes(id));
    await markRevoked(tables, ended, revocation);
    return ids;
  });
}

/**
 * Locks the sessions that are still live, and returns them. The order is that of their ids,
 * whatever index found them, so that two calls for one user cannot deadlock. For the same reason no
 * other condition is part of the statement: MariaDB may find the rows by an index on it, and locks
 * that index first. A session that begins meanwhile was not there.
 */
export async function lockLive(
  tables: Tables,
  { hasRowLocks }: AuthDialect,
  found: readonly string[],
  now: number,
): Promise<readonly Session[]> {
  const ids = found.toSorted();
  const live: Session[] = [];
  for (let start = 0; start < ids.length; start += MAX_IDS_PER_STATEMENT) {
    const chunk = ids.slice(start, start + MAX_IDS_PER_STATEMENT);
    const rows = roots(tables).where('id', 'in', chunk).orderBy('id');
    const locked = await (hasRowLocks ? rows.forUpdate() : rows).execute();
    for (const { session, revokedAt } of locked.map(rootOf)) {
      if (revokedAt === null && session.expiresAt > now) live.push(session);
    }
  }
  return live;
}

export async function markRevoked(
  tables: Tables,
  sessions: readonly Session[],
  revocation: Pick<SessionRevocation, 'now' | 'reason'>,
): Promise<void> {
  const ids = idsOf(sessions);
  for (let start = 0; start < ids.length; start += MAX_IDS_PER_STATEMENT) {
    await tables
      .updateTable('refresh_tokens')
      .set(revokedColumns(revocation))
      .where('id', 'in', ids.slice(start, start + MAX_IDS_PER_STATEMENT))
      .execute();
  }
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id);
}

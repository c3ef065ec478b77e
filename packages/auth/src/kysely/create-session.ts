import type { Insertable } from 'kysely';
import type { Session } from '../sessions/session.ts';
import type { NewSession } from '../sessions/store/session-store.ts';
import type { DatabaseAccess } from './database-access.ts';
import type { AuthDialect } from './dialect.ts';
import { findToken, newTokenRow } from './refresh-token-rows.ts';
import { lockLive, markRevoked } from './revoke-sessions.ts';
import type { RefreshTokenTable, Tables } from './tables.ts';

/**
 * Stores a session and revokes those that it replaces, in one transaction.
 *
 * If COMMIT fails or its answer is lost, the session itself tells whether it was stored: nobody
 * could ever use it, and the one that it replaces has ended. A replaced token gets nothing of
 * the new session, or a planted cookie would lead into it.
 */
export async function createSession(
  access: DatabaseAccess,
  session: NewSession,
): Promise<readonly Session[]> {
  const { tokenHash, instance } = session;
  let replaced: readonly Session[] = [];
  let isInserted = false;
  try {
    await access.write(async (tables) => {
      replaced = await endReplaced(tables, access.dialect, session);
      await tables.insertInto('refresh_tokens').values(rootRowOf(session)).execute();
      isInserted = true;
    });
  } catch (error) {
    if (!isInserted) throw error;
    const stored = await access.read((tables) => findToken(tables, tokenHash, instance)).catch(() => {});
    if (stored === undefined) throw error;
  }
  return replaced;
}

async function endReplaced(
  tables: Tables,
  dialect: AuthDialect,
  { replaces = [], instance, createdAt }: NewSession,
): Promise<readonly Session[]> {
  if (replaces.length === 0) return [];
  const presented = await tables
    .selectFrom('refresh_tokens')
    .select('family_id')
    .where('token_hash', 'in', replaces)
    .where('instance', '=', instance)
    .execute();
  const ids = new Set(presented.map(({ family_id }) => family_id));
  const replaced = await lockLive(tables, dialect, [...ids], createdAt);
  await markRevoked(tables, replaced, { now: createdAt, reason: 'login' });
  return replaced;
}

function rootRowOf(session: NewSession): Insertable<RefreshTokenTable> {
  const { createdAt, uid, userAgent, ip } = session;
  return {
    ...newTokenRow(session),
    last_used_at: createdAt,
    live_uid: uid,
    user_agent: userAgent,
    ip,
  };
}

import type { Session } from '../sessions/session.ts';
import type { NewSession } from '../sessions/store/session-store.ts';
import type { DatabaseAccess } from './database-access.ts';
import { newTokenRow } from './refresh-token-rows.ts';
import { lockLive, markRevoked } from './revoke-sessions.ts';
import type { RefreshTokenTable } from './tables.ts';

/** Stores a session and revokes those that it replaces, in one transaction. */
export function createSession(
  { dialect, write }: DatabaseAccess,
  session: NewSession,
): Promise<readonly Session[]> {
  const { replaces = [], instance, createdAt } = session;
  return write(async (tables) => {
    let replaced: readonly Session[] = [];
    if (replaces.length > 0) {
      const presented = await tables
        .selectFrom('refresh_tokens')
        .select('family_id')
        .where('token_hash', 'in', replaces)
        .where('instance', '=', instance)
        .execute();
      const ids = new Set(presented.map(({ family_id }) => family_id));
      replaced = await lockLive(tables, dialect, [...ids], createdAt);
      const revocation = { now: createdAt, reason: 'login' } as const;
      await markRevoked(tables, replaced, revocation);
    }
    await tables.insertInto('refresh_tokens').values(rootRowOf(session)).execute();
    return replaced;
  });
}

function rootRowOf(session: NewSession): RefreshTokenTable {
  const { createdAt, uid, userAgent, ip } = session;
  return {
    ...newTokenRow(session),
    last_used_at: createdAt,
    live_uid: uid,
    user_agent: userAgent,
    ip,
  };
}

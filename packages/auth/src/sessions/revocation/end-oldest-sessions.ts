import type { Session } from '../session.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';

/** Keeps a user within `maxSessionsPerUser`. */
export interface EndOldestSessions {
  /**
   * Ends the oldest sessions of the user of a new session, so that at most `maxSessionsPerUser` are
   * left. Returns whether the new session is still live: another log-in, or a revocation, may have
   * ended it since it was stored.
   *
   * If the store fails, that is logged, and nothing has ended. The new session stays, because its
   * user is about to learn of it: ending it could fail as well, and would leave a session of which
   * nobody knows. The user's next log-in ends what is too much.
   */
  endOldest(newest: Pick<Session, 'id' | 'uid'>): Promise<boolean>;
}

/** @param revokeTokens refuses the access tokens of sessions that have ended */
export function createEndOldestSessions(
  { store, instance, maxSessionsPerUser, logger, now, hooks }: ResolvedSessionsOptions,
  revokeTokens: (sessionIds: readonly string[], uid: string) => void,
): EndOldestSessions {
  const reason = 'limit';
  return {
    async endOldest({ id: newestId, uid }) {
      if (maxSessionsPerUser === false) return true;
      const revokedAt = now();
      const owner = { uid, instance, newestId, keep: maxSessionsPerUser };
      let ids: readonly string[] | undefined;
      try {
        ids = await store.revokeOldest({ ...owner, now: revokedAt, reason });
      } catch (err) {
        logger.error({ err }, 'The oldest sessions of a user could not be ended');
        return true;
      }
      if (ids === undefined) return false;
      revokeTokens(ids, uid);
      hooks.onSessionRevoked?.(ids.map((sessionId) => ({ sessionId, uid, reason, revokedAt })));
      return true;
    },
  };
}

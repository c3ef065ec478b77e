import type { HostTransaction } from '../../host-transaction.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';
import type { UserRevocation } from '../store/session-store.ts';
import { refuseAsker } from './asked-by.ts';
import type { MassRevocations } from './mass-revocations.ts';

/** Sessions that were ended in a host's transaction. */
export type UncommittedRevocation = {
  /**
   * Refuses the access tokens of the sessions, and tokens of the user without a session, in this
   * process; tells `onSessionRevoked`. Call it after the commit; after a rollback, never.
   * Idempotent. Never rejects.
   *
   * @returns the ids of the sessions that were ended
   */
  committed(): Promise<readonly string[]>;
};

/** Ends all sessions of a user, or all but one. */
export interface EndAllSessions {
  /** Returns the ids of the sessions that this call ended. */
  endAll(uid: string, exceptSessionId?: string): Promise<readonly string[]>;
  /** Ends only the rows; the rest follows once the host's transaction has committed. */
  endAllWithin(
    transaction: HostTransaction,
    uid: string,
    exceptSessionId?: string,
  ): Promise<UncommittedRevocation>;
  /**
   * Ends the other sessions for a session of the user, and returns their ids. Log-ins under way are
   * newer than that session and go on; if there is nothing to end, nobody is told.
   *
   * @throws AuthError `session_revoked`, `login_required`
   */
  endOthers(uid: string, askedBy: string): Promise<readonly string[]>;
}

/** @param revokeTokens refuses the access tokens of sessions that have ended */
export function createEndAllSessions(
  {
    auth,
    store,
    instance,
    now,
    hooks,
  }: Pick<ResolvedSessionsOptions, 'auth' | 'store' | 'instance' | 'now' | 'hooks'>,
  massRevocations: MassRevocations,
  revokeTokens: (sessionIds: readonly string[], uid: string) => void,
): EndAllSessions {
  /** Ends the rows, and returns the work that is left once they are durable. */
  async function endRows(
    uid: string,
    which: Pick<UserRevocation, 'exceptSessionId' | 'askedBy' | 'transaction'>,
  ): Promise<() => readonly string[]> {
    // First, so that a log-in that is stored meanwhile does not slip through.
    if (which.askedBy === undefined) massRevocations.add(uid);
    const revokedAt = now();
    const reason = 'revoked_all';
    const ids = await store.revokeAll({ uid, instance, ...which, now: revokedAt, reason });
    refuseAsker(ids);
    return () => {
      if (which.askedBy !== undefined && ids.length === 0) return ids;
      auth.revocations.revokeUser(uid);
      revokeTokens(ids, uid);
      hooks.onSessionRevoked?.(ids.map((sessionId) => ({ sessionId, uid, reason, revokedAt })));
      return ids;
    };
  }

  return {
    async endAll(uid, exceptSessionId) {
      const tell = await endRows(uid, { exceptSessionId });
      return tell();
    },

    async endAllWithin(transaction, uid, exceptSessionId) {
      const tell = await endRows(uid, { exceptSessionId, transaction });
      let told: readonly string[] | undefined;
      return {
        async committed() {
          // Again, because a log-in that has begun since may have been verified before the host's
          // rows changed.
          if (told === undefined) massRevocations.add(uid);
          told ??= tell();
          return told;
        },
      };
    },

    async endOthers(uid, askedBy) {
      const tell = await endRows(uid, { askedBy });
      return tell();
    },
  };
}

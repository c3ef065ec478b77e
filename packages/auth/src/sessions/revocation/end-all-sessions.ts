import type { HostTransaction } from '../../host-transaction.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';
import type { MassRevocations } from './mass-revocations.ts';

/** Sessions that were ended in a host's transaction. */
export interface UncommittedRevocation {
  /**
   * Refuses the access tokens of the sessions, and tokens of the user without a session, in this
   * process; tells `onSessionRevoked`. Call it after the commit; after a rollback, never.
   * Idempotent. Never rejects.
   *
   * @returns the ids of the sessions that were ended
   */
  committed(): Promise<readonly string[]>;
}

/** Ends all sessions of a user but one: in a transaction of its own, or in the host's. */
export interface EndAllSessions {
  /** Returns the ids of the sessions that this call ended. */
  endAll(uid: string, exceptSessionId?: string): Promise<readonly string[]>;
  /** Ends only the rows; the rest follows once the host's transaction has committed. */
  endAllWithin(
    transaction: HostTransaction,
    uid: string,
    exceptSessionId?: string,
  ): Promise<UncommittedRevocation>;
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
  revokeTokens: (sessionIds: readonly string[]) => void,
): EndAllSessions {
  /** Ends the rows, and returns the work that is left once they are durable. */
  async function endRows(
    uid: string,
    exceptSessionId?: string,
    transaction?: HostTransaction,
  ): Promise<() => readonly string[]> {
    // First, so that a log-in that is stored meanwhile does not slip through.
    massRevocations.add(uid);
    const revokedAt = now();
    const reason = 'revoked_all';
    const revocation = { uid, instance, exceptSessionId, now: revokedAt, reason, transaction } as const;
    const ids = await store.revokeAll(revocation);
    return () => {
      auth.revocations.revokeUser(uid);
      revokeTokens(ids);
      hooks.onSessionRevoked?.(ids.map((sessionId) => ({ sessionId, uid, reason, revokedAt })));
      return ids;
    };
  }

  return {
    async endAll(uid, exceptSessionId) {
      const tell = await endRows(uid, exceptSessionId);
      return tell();
    },

    async endAllWithin(transaction, uid, exceptSessionId) {
      const tell = await endRows(uid, exceptSessionId, transaction);
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
  };
}

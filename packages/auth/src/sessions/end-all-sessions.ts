import type { MassRevocations } from './mass-revocations.ts';
import type { SessionHooks } from './session-hooks.ts';
import type { HostTransaction } from './session-store.ts';
import type { ResolvedSessionsOptions } from './sessions-options.ts';

/** Sessions that were ended in a transaction of the host's. */
export interface UncommittedRevocation {
  /**
   * Refuses the access tokens of the sessions, and tokens of the user without a session, in this process; tells
   * `onSessionRevoked`. Call it after the commit; after a rollback, never. Idempotent. Never rejects.
   *
   * @returns the ids of the sessions that were ended
   */
  committed(): Promise<readonly string[]>;
}

/** Ends all sessions of a user but one: in a step of its own, or in a transaction of the host's. */
export interface EndAllSessions {
  /** Gives the ids of those that this call ended. */
  endAll(uid: string, exceptSessionId?: string): Promise<readonly string[]>;
  /** Ends them in the rows alone; the rest follows once the host's transaction has committed. */
  endAllWithin(
    transaction: HostTransaction,
    uid: string,
    exceptSessionId?: string,
  ): Promise<UncommittedRevocation>;
}

/** @param mark refuses the access tokens of sessions that have ended */
export function createEndAllSessions(
  { auth, store, instance, now }: ResolvedSessionsOptions,
  hooks: SessionHooks,
  massRevocations: MassRevocations,
  mark: (sessionIds: readonly string[]) => void,
): EndAllSessions {
  /** Gives what is left to do once the rows are durable. */
  async function endRows(
    uid: string,
    exceptSessionId?: string,
    transaction?: HostTransaction,
  ): Promise<() => Promise<readonly string[]>> {
    // First, so that no log-in that is stored while the store is at work slips through.
    massRevocations.add(uid);
    const revokedAt = now();
    const reason = 'revoked_all';
    const revocation = { uid, instance, exceptSessionId, now: revokedAt, reason, transaction } as const;
    const ids = await store.revokeAll(revocation);
    return async () => {
      auth.revocations.revokeUser(uid);
      mark(ids);
      await hooks.sessionsRevoked(ids.map((sessionId) => ({ sessionId, uid, reason, revokedAt })));
      return ids;
    };
  }

  return {
    async endAll(uid, exceptSessionId) {
      const tell = await endRows(uid, exceptSessionId);
      return await tell();
    },

    async endAllWithin(transaction, uid, exceptSessionId) {
      const tell = await endRows(uid, exceptSessionId, transaction);
      let told: Promise<readonly string[]> | undefined;
      return {
        committed() {
          // Again: a log-in that began since then may have been verified before the host's rows changed.
          if (told === undefined) massRevocations.add(uid);
          told ??= tell();
          return told;
        },
      };
    },
  };
}

import type { RevokeReason, Session } from '../session.ts';

/** A session in the memory of this process, with all of its tokens. */
export interface Family {
  session: Session;
  revoked: { readonly at: number; readonly reason: RevokeReason } | undefined;
}

/**
 * The sessions of `memorySessionStore`, found by id or by user: a log-in counts its user's sessions
 * and does not look at everybody's.
 */
export interface Families {
  get(sessionId: string): Family | undefined;
  /** Adds a session that is not there yet. */
  add(session: Session): Family;
  remove(family: Family): void;
  all(): Family[];
  liveOf(uid: string, instance: string, now: number): Family[];
}

export function createFamilies(): Families {
  const byId = new Map<string, Family>();
  const byUser = new Map<string, Set<Family>>();
  return {
    get: (sessionId) => byId.get(sessionId),

    add(session) {
      const family: Family = { session, revoked: undefined };
      byId.set(session.id, family);
      const own = byUser.get(session.uid) ?? new Set();
      byUser.set(session.uid, own.add(family));
      return family;
    },

    remove(family) {
      const { id, uid } = family.session;
      byId.delete(id);
      const own = byUser.get(uid);
      own?.delete(family);
      if (own?.size === 0) byUser.delete(uid);
    },

    all: () => [...byId.values()],

    liveOf(uid, instance, now) {
      const own = byUser.get(uid) ?? new Set();
      // A revoked session is never live again, and a user who logs in all day must not pay for
      // all of them.
      for (const family of own) if (family.revoked !== undefined) own.delete(family);
      return [...own].filter((family) => isLive(family, instance, now));
    },
  };
}

export function isLive({ session, revoked }: Family, instance: string, now: number): boolean {
  return session.instance === instance && revoked === undefined && now < session.expiresAt;
}

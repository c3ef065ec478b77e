import { MAX_COOKIES_PER_NAME } from '../../cookies/cookie-header.ts';
import { MAX_ISSUED_AHEAD_SECONDS } from '../../tokens/access-token-claims.ts';
import { hashToken, isRefreshToken, requireTokens } from '../../tokens/refresh-token.ts';
import { storedClient } from '../clients/stored-client.ts';
import type { RevokeReason, Session } from '../session.ts';
import type { ResolvedSessionsOptions, SessionClient } from '../sessions-options.ts';
import type { Revocation, SessionRevocation } from '../store/session-store.ts';
import { refuseAsker } from './asked-by.ts';
import { createEndAllSessions, type EndAllSessions } from './end-all-sessions.ts';
import { createEndOldestSessions, type EndOldestSessions } from './end-oldest-sessions.ts';
import { createMassRevocations, type MassRevocations } from './mass-revocations.ts';

/** How many revocations are read at once when a process starts. */
const PAGE_SIZE = 500;
/** More than the revocation entries of a process: its cut-off covers the sessions after them. */
const MAX_PAGES = 1_000;

/**
 * Ends sessions: in the store, in the memory of this process, and for the host's hooks, in this
 * order.
 */
export interface SessionEndings extends EndAllSessions, EndOldestSessions {
  /**
   * Ends a live session of this instance, and of the user if `uid` is given; tells whether it did.
   *
   * @throws AuthError `session_revoked`, `login_required` if `askedBy` may not end it
   */
  end(
    sessionId: string,
    reason: RevokeReason,
    owner?: Pick<SessionRevocation, 'uid' | 'askedBy'>,
  ): Promise<boolean>;
  /**
   * Ends the live sessions of presented refresh tokens, at most four; returns how many it ended.
   */
  endPresented(refreshTokens: readonly string[], reason: RevokeReason): Promise<number>;
  /** Records that the store has ended sessions that a log-in replaces. */
  noteReplaced(sessions: readonly Session[], revokedAt: number): void;
  /** Records that the store has ended a session because a refresh token was reused. */
  noteReuse(session: Session, client: SessionClient): void;
  /**
   * Records when a session was ended elsewhere, so that this process refuses its access tokens too,
   * for as long as one can be alive.
   */
  noteRevoked(session: Session, revokedAt: number): void;
  /** Loads the revocations within the life of an access token; returns the number of sessions. */
  loadRecent(): Promise<number>;
  /** The calls that end all sessions of a user, counted when they begin. */
  readonly massRevocations: Pick<MassRevocations, 'point' | 'hasHappenedSince'>;
  /** Sessions that this process ended. */
  readonly ended: number;
  readonly reuseDetected: number;
}

export function createSessionEndings(options: ResolvedSessionsOptions): SessionEndings {
  const { auth, store, instance, now, hooks } = options;
  const counters = { ended: 0, reuseDetected: 0 };
  const massRevocations = createMassRevocations();

  /** Refuses the tokens of sessions that the store has ended, before any hook is called. */
  function revokeTokens(sessionIds: readonly string[], uid: string): void {
    counters.ended += sessionIds.length;
    for (const id of sessionIds) auth.revocations.revokeSession(id, uid);
  }

  function noteEnded({ id, uid }: Session, reason: RevokeReason, revokedAt: number): void {
    revokeTokens([id], uid);
    hooks.onSessionRevoked?.([{ sessionId: id, uid, reason, revokedAt }]);
  }

  const end: SessionEndings['end'] = async (sessionId, reason, owner) => {
    const revokedAt = now();
    const session = await store.revoke({ sessionId, instance, ...owner, now: revokedAt, reason });
    refuseAsker(session);
    if (session === undefined) return false;
    noteEnded(session, reason, revokedAt);
    return true;
  };

  return {
    end,

    async endPresented(refreshTokens, reason) {
      let ended = 0;
      for (const tokenHash of presentedHashes(refreshTokens)) {
        const found = await store.findByToken({ tokenHash, instance, now: now() });
        if (found !== undefined && (await end(found.session.id, reason))) ended += 1;
      }
      return ended;
    },

    ...createEndAllSessions(options, massRevocations, revokeTokens),
    ...createEndOldestSessions(options, revokeTokens),

    noteReplaced(sessions, revokedAt) {
      for (const session of sessions) noteEnded(session, 'login', revokedAt);
    },

    noteReuse(session, client) {
      const detectedAt = now();
      counters.reuseDetected += 1;
      const { id: sessionId, uid } = session;
      hooks.onReuseDetected?.([{ sessionId, uid, detectedAt, ...storedClient(client) }]);
      noteEnded(session, 'reuse', detectedAt);
    },

    noteRevoked({ id, uid }, revokedAt) {
      // The process that ended it has told its listeners, and `apply` does not call ours again.
      auth.revocations.apply({ kind: 'session', id, uid, revokedAt });
    },

    loadRecent: () => loadRecent(options),

    massRevocations,

    get ended() {
      return counters.ended;
    },

    get reuseDetected() {
      return counters.reuseDetected;
    },
  };
}

/** Returns the hashes of presented refresh tokens that may be ours, at most four. */
export function presentedHashes(refreshTokens: readonly string[]): readonly string[] {
  requireTokens(refreshTokens);
  const tokens = new Set(refreshTokens.filter(isRefreshToken).slice(0, MAX_COOKIES_PER_NAME));
  return [...tokens].map(hashToken);
}

async function loadRecent({ auth, store, instance, now }: ResolvedSessionsOptions): Promise<number> {
  const { accessTokenTtlSeconds, clockToleranceSeconds } = auth.options;
  // As long as a token lives whose issuer's clock is ahead of ours.
  const lifetime = accessTokenTtlSeconds + clockToleranceSeconds + MAX_ISSUED_AHEAD_SECONDS;
  const since = Math.max(0, now() - lifetime);
  let count = 0;
  let after: Revocation | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const revocations = await store.listRevocations({ instance, since, after, limit: PAGE_SIZE });
    for (const { sessionId, uid, revokedAt } of revocations) {
      auth.revocations.apply({ kind: 'session', id: sessionId, uid, revokedAt });
    }
    count += revocations.length;
    after = revocations.at(-1);
    if (after === undefined || revocations.length < PAGE_SIZE) return count;
  }
  throw new Error(
    `More than ${MAX_PAGES * PAGE_SIZE} sessions were revoked within the life of an access token`,
  );
}

import {
  type Claims,
  isSessionId,
  isUid,
  isUnixTime,
  MAX_SESSION_ID_LENGTH,
  MAX_UID_LENGTH,
} from '../claims.ts';
import { type Clock, unixSeconds } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { MAX_ISSUED_AHEAD_SECONDS } from './access-token-claims.ts';

/** Marks that are held at once. A mark takes about 150 bytes. */
export const MAX_REVOCATION_MARKS = 200_000;
/** More listeners than this are a leak: one is registered per message bus, not per request. */
export const MAX_REVOCATION_LISTENERS = 16;

/** A revocation as plain data, fit for JSON: what one process tells the others. */
export interface RevocationMark {
  /** `session`: the tokens of one session. `user`: the tokens of a user that belong to no session. */
  readonly kind: 'session' | 'user';
  /** The `sid` of the session, or the uid of the user. */
  readonly id: string;
  /** Unix seconds. */
  readonly revokedAt: number;
}

export type RevocationListener = (mark: RevocationMark) => unknown;

/**
 * The revocations that this process knows of, in memory, so that no request asks a database.
 *
 * A mark is kept for at least as long as a token that it revokes could still pass: the life of an access token,
 * plus the tolerance of the clocks. A restart forgets them: load the recent ones from the store with
 * {@link RevocationMarks.apply}. A process that is not told learns of a revocation when the token expires.
 *
 * At most {@link MAX_REVOCATION_MARKS} are held. With one more the older half gives way to a line in time, and every
 * access token issued up to that second is refused as revoked. Clients whose session lives on get a new token from
 * their next status poll, the others do not. A revoked token whose issuer's clock ran ahead of this process's, by 60
 * seconds at most, may lie behind the line and pass until it expires: a line drawn later would refuse every token
 * issued in the next minute, those of new log-ins included.
 */
export interface RevocationMarks {
  /**
   * Revokes every access token of a session, whenever it was issued: a session that ended does not come back.
   *
   * @throws TypeError when the id is none
   */
  revokeSession(sessionId: string): void;

  /**
   * Revokes the access tokens without a session that were issued to the user up to now.
   *
   * A token counts time in seconds: one that is issued in the second of the revocation, even after it, is revoked
   * too, and one issued in the next second is not. Tokens with a `sid` are not touched: revoke their sessions.
   *
   * @throws TypeError when the uid is none
   */
  revokeUser(uid: string): void;

  /** Tells whether a mark revokes an access token with these claims. One look-up; never throws. */
  isRevoked(claims: Pick<Claims, 'uid' | 'sessionId' | 'issuedAt'>): boolean;

  /**
   * Takes over a mark that another process made, or that a store kept. Idempotent, in any order, and not passed on
   * to the listeners of this process, so nothing echoes. One whose tokens have all expired is ignored.
   *
   * @throws TypeError when it is no mark
   */
  apply(mark: RevocationMark): void;

  /**
   * Calls the listener with each mark that {@link RevocationMarks.revokeSession} and
   * {@link RevocationMarks.revokeUser} make here: publish it, and `apply` it wherever it arrives.
   *
   * A listener that throws or rejects is reported to the logger: the revocation holds.
   *
   * @returns a function that takes the listener off
   * @throws TypeError when there are 16 listeners already
   */
  onRevoke(listener: RevocationListener): () => void;
}

export interface RevocationMarksConfig {
  readonly ttlSeconds: number;
  readonly clockToleranceSeconds: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Marks made in one stretch of time. There are two, the current one and the one before, and the older is dropped
 * whole: a Map from whose front single entries are taken slows down with each.
 */
interface Generation {
  readonly session: Map<string, number>;
  readonly user: Map<string, number>;
  readonly startedAt: number;
  lastMarkAt: number;
}

export function createRevocationMarks(config: RevocationMarksConfig): RevocationMarks {
  const { clock, logger } = config;
  /** An issuer's clock may run ahead of ours: its tokens live on for that much longer. */
  const keepSeconds = config.ttlSeconds + config.clockToleranceSeconds + MAX_ISSUED_AHEAD_SECONDS;
  const listeners = new Set<RevocationListener>();
  let previous = startGeneration(0);
  let current = startGeneration(0);
  let allIssuedUpTo = -1;

  function record({ kind, id, revokedAt }: RevocationMark): void {
    const now = unixSeconds(clock);
    if (revokedAt + keepSeconds <= now) return;
    const isFull = current.session.size + current.user.size >= MAX_REVOCATION_MARKS / 2;
    if (isFull || now >= current.startedAt + keepSeconds) rotate(now);
    const marks = current[kind];
    // A clock ahead of ours must not lock a user out for longer than tokens are believed.
    const believedAt = Math.min(revokedAt, now + MAX_ISSUED_AHEAD_SECONDS);
    marks.set(id, Math.max(believedAt, marks.get(id) ?? 0));
    current.lastMarkAt = now;
  }

  function rotate(now: number): void {
    const isNeeded = now < previous.lastMarkAt + keepSeconds;
    previous = current;
    current = startGeneration(now);
    if (!isNeeded) return;
    allIssuedUpTo = now;
    logger.error({ issuedUpTo: now }, 'Too many revocations: all access tokens issued so far are refused');
  }

  function tell(mark: RevocationMark): void {
    for (const listener of listeners) {
      // An async function turns what is thrown and what is rejected into the same.
      (async () => listener(mark))().catch((err: unknown) => {
        logger.error({ err }, 'A listener for revocations failed');
      });
    }
  }

  function revoke(kind: RevocationMark['kind'], id: string): void {
    const mark = toMark({ kind, id, revokedAt: unixSeconds(clock) });
    record(mark);
    tell(mark);
  }

  return Object.freeze<RevocationMarks>({
    revokeSession: (sessionId) => revoke('session', sessionId),
    revokeUser: (uid) => revoke('user', uid),
    apply: (mark) => record(toMark(mark)),

    isRevoked({ uid, sessionId, issuedAt }) {
      if (issuedAt <= allIssuedUpTo) return true;
      if (sessionId !== undefined) return current.session.has(sessionId) || previous.session.has(sessionId);
      return issuedAt <= (current.user.get(uid) ?? -1) || issuedAt <= (previous.user.get(uid) ?? -1);
    },

    onRevoke(listener) {
      if (typeof listener !== 'function') throw new TypeError('onRevoke needs a function');
      if (listeners.size >= MAX_REVOCATION_LISTENERS) {
        throw new TypeError(`onRevoke takes at most ${MAX_REVOCATION_LISTENERS} listeners`);
      }
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
}

function startGeneration(startedAt: number): Generation {
  return { session: new Map(), user: new Map(), startedAt, lastMarkAt: Number.NEGATIVE_INFINITY };
}

/** A mark comes over a wire: its shape is checked, and the copy holds nothing else. */
function toMark(mark: unknown): RevocationMark {
  if (typeof mark !== 'object' || mark === null) throw new TypeError('A revocation mark must be an object');
  const { kind, id, revokedAt }: { kind?: unknown; id?: unknown; revokedAt?: unknown } = mark;
  if (kind !== 'session' && kind !== 'user') {
    throw new TypeError('A revocation mark must be of the kind "session" or "user"');
  }
  const isId = kind === 'session' ? isSessionId : isUid;
  if (!isId(id)) {
    const length = kind === 'session' ? MAX_SESSION_ID_LENGTH : MAX_UID_LENGTH;
    throw new TypeError(`The id of a revoked ${kind} must be a string of 1 to ${length} characters`);
  }
  if (!isUnixTime(revokedAt)) throw new TypeError('revokedAt must be a whole number of Unix seconds');
  // A text cut out of a longer one keeps all of it in memory: an id out of a URL would keep the URL.
  return Object.freeze({ kind, id: Buffer.from(id, 'utf8').toString('utf8'), revokedAt });
}

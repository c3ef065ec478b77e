import { objectOption } from '../../../toolkit/src/options.ts';
import {
  type Claims,
  isSessionId,
  isUid,
  isUnixTime,
  MAX_SESSION_ID_LENGTH,
  MAX_UID_LENGTH,
} from '../claims.ts';
import { type Clock, unixSeconds } from '../clock.ts';
import type { Logger } from '../logging/logger.ts';
import { MAX_ISSUED_AHEAD_SECONDS } from './access-token-claims.ts';

/** Entries that are held at once. An entry takes about 150 bytes. */
export const MAX_REVOCATION_ENTRIES = 200_000;
/**
 * Sessions of one user that have entries of their own at once, beside those that ended in this very
 * second. A user who logs in and out in a loop fills nobody's memory: beyond it, the oldest entry
 * becomes a cut-off for that user's tokens.
 */
const MAX_SESSION_ENTRIES_PER_USER = 100;
/** Those of this second included. */
const MAX_NEW_SESSION_ENTRIES_PER_USER = 10_000;
/** More listeners than this are a leak: a host registers one per message bus, not per request. */
export const MAX_REVOCATION_LISTENERS = 16;

/** A revocation entry as plain data, fit for JSON: one process tells it to the others. */
export interface RevocationEntry {
  /**
   * `session`: the tokens of one session. `user`: the tokens of a user that belong to no session.
   */
  readonly kind: 'session' | 'user';
  /** The `sid` of the session, or the uid of the user. */
  readonly id: string;
  /** Of a session: its user, whose entries are then bounded. */
  readonly uid?: string | undefined;
  /** Unix seconds. */
  readonly revokedAt: number;
}

export type RevocationListener = (entry: RevocationEntry) => unknown;

/**
 * The revocation entries of this process, in memory, so that no request asks a database.
 *
 * An entry is kept for at least as long as a token that it revokes could pass: the life of an
 * access token, plus the tolerance of the clocks. A restart forgets all entries: load the recent
 * ones from the store with {@link Revocations.apply}. A process without an
 * entry accepts a revoked token until it expires.
 *
 * At most {@link MAX_REVOCATION_ENTRIES} are held. With one more, a cut-off replaces the older
 * half: every access token issued up to that second is refused as revoked. Clients with a live
 * session get a new token from their next status poll; the others do not. A revoked token whose
 * issuer's clock ran ahead of this process's clock, by 60 seconds at most, may lie after the
 * cut-off and pass until it expires. A later cut-off would refuse every token issued in the next
 * minute, including those of new log-ins.
 *
 * Of one user, a cut-off replaces the oldest entries of sessions beyond
 * {@link MAX_SESSION_ENTRIES_PER_USER}: that user's tokens issued up to the second in which the
 * newest of those sessions ended are refused. Sessions that began later keep theirs.
 */
export interface Revocations {
  /**
   * Revokes every access token of a session, whenever it was issued: an ended session does not come
   * back.
   *
   * @param uid the session's user
   * @throws TypeError when an id is not valid
   */
  revokeSession(sessionId: string, uid?: string): void;

  /**
   * Revokes the access tokens without a session that were issued to the user up to now.
   *
   * A token counts time in seconds. A token issued in the second of the revocation is revoked too,
   * even if it was issued later in that second; one issued in the next second is not. Tokens with a
   * `sid` are not affected: revoke their sessions.
   *
   * @throws TypeError when the uid is not valid
   */
  revokeUser(uid: string): void;

  /**
   * Tells whether an entry revokes an access token with these claims. One comparison where nothing
   * was revoked while the token could have been issued, else four lookups at most. Never throws.
   */
  isRevoked(claims: Pick<Claims, 'uid' | 'sessionId' | 'issuedAt'>): boolean;

  /**
   * Takes over an entry that another process made, or that a store kept. Idempotent, in any order.
   * The listeners of this process are not called: nothing echoes. An entry whose tokens have all
   * expired is ignored.
   *
   * @throws TypeError when the argument is not an entry
   */
  apply(entry: RevocationEntry): void;

  /**
   * Calls the listener with each entry that {@link Revocations.revokeSession} and
   * {@link Revocations.revokeUser} make in this process. Publish it, and `apply` it wherever it
   * arrives.
   *
   * If a listener throws or rejects, the logger gets the error and the revocation stays in force.
   *
   * @returns a function that removes the listener
   * @throws TypeError when there are 16 listeners already
   */
  onRevoke(listener: RevocationListener): () => void;
}

export interface RevocationsConfig {
  readonly ttlSeconds: number;
  readonly clockToleranceSeconds: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The entries of one period. There are two generations, the current and the previous one. The older
 * is dropped as a whole, because a Map slows down with each entry that is deleted from its front.
 */
interface Generation {
  readonly session: Map<string, number>;
  readonly user: Map<string, number>;
  /** By user: the sessions that have entries, in the order of these. */
  readonly sessionsOf: Map<string, string[]>;
  /** By user: the second up to which every access token of the user is refused. */
  readonly cutOffOf: Map<string, number>;
  readonly startedAt: number;
  lastEntryAt: number;
}

export function createRevocations(config: RevocationsConfig): Revocations {
  const { clock, logger } = config;
  /** An issuer's clock may run ahead of ours, and its tokens then live that much longer. */
  const keepSeconds = config.ttlSeconds + config.clockToleranceSeconds + MAX_ISSUED_AHEAD_SECONDS;
  const listeners = new Set<RevocationListener>();
  let previous = startGeneration(0);
  let current = startGeneration(0);
  let allIssuedUpTo = -1;
  /** A token that was issued later can meet no entry. */
  let quietAfter = Number.NEGATIVE_INFINITY;

  function record({ kind, id, uid, revokedAt }: RevocationEntry): void {
    const now = unixSeconds(clock);
    if (revokedAt + keepSeconds <= now) return;
    const size = current.session.size + current.user.size + current.cutOffOf.size;
    const isFull = size >= MAX_REVOCATION_ENTRIES / 2;
    if (isFull || now >= current.startedAt + keepSeconds) rotate(now);
    // A clock ahead of ours must not lock a user out for longer than the tolerance for tokens.
    const believedAt = Math.min(revokedAt, now + MAX_ISSUED_AHEAD_SECONDS);
    current.lastEntryAt = now;
    quietAfter = Math.max(quietAfter, now + keepSeconds);
    const put = (entries: Map<string, number>, key: string) =>
      entries.set(key, Math.max(believedAt, entries.get(key) ?? 0));
    if (uid === undefined || current[kind].has(id)) return void put(current[kind], id);
    put(current[kind], id);
    const ids = current.sessionsOf.get(uid);
    if (ids === undefined) return void current.sessionsOf.set(uid, [id]);
    ids.push(id);
    foldOldest(current, uid, ids, now);
  }

  function rotate(now: number): void {
    const isNeeded = now < previous.lastEntryAt + keepSeconds;
    previous = current;
    current = startGeneration(now);
    if (!isNeeded) return;
    allIssuedUpTo = now;
    logger.error({ issuedUpTo: now }, 'Too many revocations: all access tokens issued so far are refused');
  }

  function notify(entry: RevocationEntry): void {
    for (const listener of listeners) {
      // An async function makes one rejection of both a throw and a rejection.
      (async () => listener(entry))().catch((err: unknown) => {
        logger.error({ err }, 'A listener for revocations failed');
      });
    }
  }

  function revoke(kind: RevocationEntry['kind'], id: string, uid?: string): void {
    const entry = readEntry({ kind, id, uid, revokedAt: unixSeconds(clock) });
    record(entry);
    notify(entry);
  }

  return Object.freeze<Revocations>({
    revokeSession: (sessionId, uid) => revoke('session', sessionId, uid),
    revokeUser: (uid) => revoke('user', uid),
    apply: (entry) => record(readEntry(entry)),

    isRevoked(claims) {
      objectOption('claims', claims);
      if (claims.issuedAt > quietAfter) return false;
      return (
        claims.issuedAt <= allIssuedUpTo || isRevokedIn(current, claims) || isRevokedIn(previous, claims)
      );
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

function isRevokedIn(
  { session, user, cutOffOf }: Generation,
  { uid, sessionId, issuedAt }: Pick<Claims, 'uid' | 'sessionId' | 'issuedAt'>,
): boolean {
  if (sessionId === undefined) return issuedAt <= (user.get(uid) ?? -1);
  return session.has(sessionId) || issuedAt <= (cutOffOf.get(uid) ?? -1);
}

/** Lets a cut-off replace a user's oldest entries, at their times: a log-in of now goes on. */
function foldOldest({ session, cutOffOf }: Generation, uid: string, ids: string[], now: number): void {
  while (ids.length > MAX_SESSION_ENTRIES_PER_USER) {
    const [oldest = ''] = ids;
    const endedAt = session.get(oldest) ?? 0;
    if (endedAt >= now && ids.length <= MAX_NEW_SESSION_ENTRIES_PER_USER) return;
    cutOffOf.set(uid, Math.max(endedAt, cutOffOf.get(uid) ?? 0));
    session.delete(oldest);
    ids.shift();
  }
}

function startGeneration(startedAt: number): Generation {
  return {
    session: new Map(),
    user: new Map(),
    sessionsOf: new Map(),
    cutOffOf: new Map(),
    startedAt,
    lastEntryAt: Number.NEGATIVE_INFINITY,
  };
}

/**
 * Checks the shape of an entry, which may come from another process. The copy has no other members.
 */
function readEntry(entry: unknown): RevocationEntry {
  if (typeof entry !== 'object' || entry === null)
    throw new TypeError('A revocation entry must be an object');
  const { kind, id, uid, revokedAt }: { kind?: unknown; id?: unknown; uid?: unknown; revokedAt?: unknown } =
    entry;
  if (kind !== 'session' && kind !== 'user') {
    throw new TypeError('A revocation entry must be of the kind "session" or "user"');
  }
  const isId = kind === 'session' ? isSessionId : isUid;
  if (!isId(id)) {
    const length = kind === 'session' ? MAX_SESSION_ID_LENGTH : MAX_UID_LENGTH;
    throw new TypeError(`The id of a revoked ${kind} must be a string of 1 to ${length} characters`);
  }
  if (!isUnixTime(revokedAt)) throw new TypeError('revokedAt must be a whole number of Unix seconds');
  if (uid !== undefined && (kind !== 'session' || !isUid(uid))) {
    throw new TypeError(`The uid of a revoked session must be a string of 1 to ${MAX_UID_LENGTH} characters`);
  }
  // A slice keeps its whole string in memory, and an id that was cut from a URL would keep the URL:
  // copy it.
  const copyOf = (text: string) => Buffer.from(text, 'utf8').toString('utf8');
  return Object.freeze({ kind, id: copyOf(id), ...(uid !== undefined && { uid: copyOf(uid) }), revokedAt });
}

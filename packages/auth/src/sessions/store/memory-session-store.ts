import { isDeepStrictEqual } from 'node:util';
import { sessionsOverLimit } from '../revocation/session-limit.ts';
import type { Session } from '../session.ts';
import { createFamilies, type Families, type Family, isLive } from './session-families.ts';
import type {
  NewSession,
  RefreshTokenOutcome,
  RefreshTokenUse,
  Revocation,
  RevocationQuery,
  SessionPurgeOptions,
  SessionStore,
} from './session-store.ts';

/** Where a session stands in the list of its user. */
type Place = Pick<Session, 'createdAt' | 'id'>;

/** One refresh token. */
interface Token {
  readonly hash: string;
  readonly family: Family;
  readonly predecessor: Token | undefined;
  firstUsedAt: number | undefined;
  successor: Successor | undefined;
  successorUsedAt: number | undefined;
}

type Successor = Pick<
  Extract<RefreshTokenOutcome, { outcome: 'rotated' }>,
  'successorSalt' | 'successorKeyId'
>;

/**
 * Keeps sessions in the memory of one process: for tests, development and hosts that may forget who
 * is logged in whenever they restart.
 *
 * It takes about 1 kB for a session and 300 bytes more for each rotation, until `purgeSessions`
 * removes what has expired or was revoked long enough ago.
 */
export function memorySessionStore(): SessionStore {
  const tokens = new Map<string, Token>();
  const families = createFamilies();
  // No method awaits anything between its first and its last step: that is what makes each of them
  // atomic.
  return Object.freeze<SessionStore>({
    async create(session) {
      if (families.get(session.id) !== undefined || tokens.has(session.tokenHash)) {
        throw new Error('A session with this id or token exists already');
      }
      addToken(tokens, families.add(newSession(session)), session.tokenHash, session.createdAt);
    },

    async useRefreshToken(use) {
      return takeToken(tokens, use);
    },

    async findByToken({ tokenHash, instance, now }) {
      const token = tokens.get(tokenHash);
      if (token === undefined || !isLive(token.family, instance, now)) return undefined;
      return { session: token.family.session, isRotated: token.successor !== undefined };
    },

    async recordClients({ sessionId, instance, now, expected, refreshedFrom }) {
      const family = families.get(sessionId);
      if (family === undefined || !isLive(family, instance, now)) return false;
      if (!isDeepStrictEqual(family.session.refreshedFrom, expected)) return false;
      family.session = Object.freeze({ ...family.session, refreshedFrom: Object.freeze([...refreshedFrom]) });
      return true;
    },

    async revoke({ sessionId, instance, uid, now }) {
      const family = families.get(sessionId);
      if (family === undefined || !isLive(family, instance, now)) return undefined;
      if (uid !== undefined && family.session.uid !== uid) return undefined;
      family.revokedAt = now;
      return family.session;
    },

    async revokeAll({ uid, instance, exceptSessionId, now, transaction }) {
      if (transaction !== undefined) throw new TypeError('memorySessionStore takes part in no transaction');
      const live = families.liveOf(uid, instance, now);
      const revoked = live.filter(({ session }) => session.id !== exceptSessionId);
      for (const family of revoked) family.revokedAt = now;
      return revoked.map(({ session }) => session.id);
    },

    async revokeOldest({ uid, instance, newestId, keep, now }) {
      const live = families.liveOf(uid, instance, now);
      const sessions = live.map(({ session }) => session);
      if (!sessions.some(({ id }) => id === newestId)) return undefined;
      const ids = sessionsOverLimit(sessions, keep, newestId);
      for (const family of live) if (ids.includes(family.session.id)) family.revokedAt = now;
      return ids;
    },

    async list({ uid, instance, now, after, limit }) {
      return families
        .liveOf(uid, instance, now)
        .map(({ session }) => session)
        .sort(newestFirst)
        .filter((session) => after === undefined || newestFirst(session, after) > 0)
        .slice(0, limit);
    },

    listRevocations: async (query) => revocationsIn(families, query),
    purge: async (options) => purgeTokens(tokens, families, options),
  });
}

function revocationsIn(families: Families, { instance, since, after, limit }: RevocationQuery): Revocation[] {
  return families
    .all()
    .filter(({ session }) => session.instance === instance)
    .flatMap(toRevocation)
    .filter((revocation) => revocation.revokedAt >= since)
    .sort(compareRevocations)
    .filter((revocation) => after === undefined || compareRevocations(revocation, after) > 0)
    .slice(0, limit);
}

function purgeTokens(
  tokens: Map<string, Token>,
  families: Families,
  { expiredBefore, revokedBefore = Number.NEGATIVE_INFINITY, limit }: SessionPurgeOptions,
): number {
  const removed = [...tokens.values()]
    .filter(
      ({ family: { session, revokedAt } }) =>
        session.expiresAt <= expiredBefore || (revokedAt !== undefined && revokedAt <= revokedBefore),
    )
    .slice(0, limit);
  for (const { hash, family } of removed) {
    tokens.delete(hash);
    families.remove(family);
  }
  return removed.length;
}

function takeToken(tokens: Map<string, Token>, use: RefreshTokenUse): RefreshTokenOutcome {
  const { instance, now } = use;
  const token = tokens.get(use.tokenHash);
  if (token === undefined || token.family.session.instance !== instance) return { outcome: 'unknown' };
  const { family } = token;
  if (now >= family.session.expiresAt) return { outcome: 'expired' };
  if (family.revokedAt !== undefined) return { outcome: 'revoked', session: family.session };

  const { successor, successorUsedAt } = token;
  if (successor !== undefined) {
    if (successorUsedAt !== undefined && now - successorUsedAt >= use.reuseGraceSeconds) {
      family.revokedAt = now;
      return { outcome: 'reused', session: family.session };
    }
    return { outcome: 'rotated', session: family.session, ...successor };
  }

  const isFirstUse = token.firstUsedAt === undefined;
  token.firstUsedAt ??= now;
  if (isFirstUse && token.predecessor !== undefined) token.predecessor.successorUsedAt ??= now;
  const isDue = now - token.firstUsedAt >= use.rotateEverySeconds;
  if (isFirstUse || isDue || now - family.session.lastUsedAt >= use.recordUseEverySeconds) {
    family.session = Object.freeze({ ...family.session, lastUsedAt: now });
  }
  if (!isDue) return { outcome: 'current', session: family.session };
  const successorHash = use.successorHash(use.salt);
  if (tokens.has(successorHash)) throw new Error('A token with this hash exists already');
  token.successor = { successorSalt: use.salt, successorKeyId: use.keyId };
  addToken(tokens, family, successorHash, undefined, token);
  return { outcome: 'rotated', session: family.session, ...token.successor };
}

function newSession({ tokenHash: _, ...fields }: NewSession): Session {
  return Object.freeze<Session>({ ...fields, lastUsedAt: fields.createdAt, refreshedFrom: [] });
}

function addToken(
  tokens: Map<string, Token>,
  family: Family,
  hash: string,
  firstUsedAt: number | undefined,
  predecessor?: Token,
): void {
  const unused = { successor: undefined, successorUsedAt: undefined };
  tokens.set(hash, { hash, family, predecessor, firstUsedAt, ...unused });
}

function toRevocation({ session, revokedAt }: Family): Revocation[] {
  return revokedAt === undefined ? [] : [{ sessionId: session.id, uid: session.uid, revokedAt }];
}

function newestFirst(a: Place, b: Place): number {
  return b.createdAt - a.createdAt || compareText(b.id, a.id);
}

function compareRevocations(
  a: Pick<Revocation, 'revokedAt' | 'sessionId'>,
  b: Pick<Revocation, 'revokedAt' | 'sessionId'>,
): number {
  return a.revokedAt - b.revokedAt || compareText(a.sessionId, b.sessionId);
}

/** By code unit, as a binary collation does. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

import { isDeepStrictEqual } from 'node:util';
import { type RevocationRefusal, refusalOf } from '../revocation/asked-by.ts';
import { sessionsOverLimit } from '../revocation/session-limit.ts';
import type { RevokeReason, Session } from '../session.ts';
import { createFamilies, type Families, type Family, isLive } from './session-families.ts';
import type {
  NewSession,
  RefreshTokenOutcome,
  RefreshTokenUse,
  Revocation,
  RevocationQuery,
  SessionPurgeOptions,
  SessionRevocation,
  SessionStore,
  UserRevocation,
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
  'rotatedAt' | 'successorSalt' | 'successorKeyId'
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
    async create({ replaces = [], ...session }) {
      if (families.get(session.id) !== undefined || tokens.has(session.tokenHash)) {
        throw new Error('A session with this id or token exists already');
      }
      const presented = new Set(replaces.flatMap((hash) => tokens.get(hash)?.family ?? []));
      const { instance, createdAt } = session;
      const replaced = [...presented].filter((family) => isLive(family, instance, createdAt));
      revokeFamilies(replaced, createdAt, 'login');
      addToken(tokens, families.add(newSession(session)), session.tokenHash, session.createdAt);
      return replaced.map((family) => family.session);
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

    revoke: async (revocation) => revokeOne(families, revocation),
    revokeAll: async (revocation) => revokeAllOf(families, revocation),

    async revokeOldest({ uid, instance, newestId, keep, now, reason }) {
      const live = families.liveOf(uid, instance, now);
      const sessions = live.map(({ session }) => session);
      if (!sessions.some(({ id }) => id === newestId)) return undefined;
      const ids = sessionsOverLimit(sessions, keep, newestId);
      revokeFamilies(
        live.filter(({ session }) => ids.includes(session.id)),
        now,
        reason,
      );
      return ids;
    },

    async list({ uid, instance, now, askedBy, after, limit }) {
      const live = families.liveOf(uid, instance, now).map(({ session }) => session);
      if (askedBy !== undefined && !live.some(({ id }) => id === askedBy)) return [];
      return live
        .sort(newestFirst)
        .filter((session) => after === undefined || newestFirst(session, after) > 0)
        .slice(0, limit);
    },

    listRevocations: async (query) => revocationsIn(families, query),
    purge: async (options) => purgeTokens(tokens, families, options),
  });
}

function revokeOne(
  families: Families,
  { sessionId, instance, uid, askedBy, now, reason }: SessionRevocation,
): Session | RevocationRefusal | undefined {
  const liveOf = (id: string) => {
    const family = families.get(id);
    const isOwn = uid === undefined || family?.session.uid === uid;
    return family !== undefined && isOwn && isLive(family, instance, now) ? family : undefined;
  };
  const family = liveOf(sessionId);
  if (askedBy !== undefined) {
    const refusal = refusalOf(liveOf(askedBy)?.session, family ? [family.session] : []);
    if (refusal !== undefined) return refusal;
  }
  if (family !== undefined) revokeFamilies([family], now, reason);
  return family?.session;
}

function revokeAllOf(
  families: Families,
  { uid, instance, exceptSessionId, askedBy, now, reason, transaction }: UserRevocation,
): readonly string[] | RevocationRefusal {
  if (transaction !== undefined) throw new TypeError('memorySessionStore takes part in no transaction');
  const live = families.liveOf(uid, instance, now);
  if (askedBy !== undefined) {
    const sessions = live.map(({ session }) => session);
    const asking = sessions.find(({ id }) => id === askedBy);
    const refusal = refusalOf(asking, sessions);
    if (refusal !== undefined) return refusal;
  }
  const revoked = live.filter(({ session: { id } }) => id !== exceptSessionId && id !== askedBy);
  revokeFamilies(revoked, now, reason);
  return revoked.map(({ session }) => session.id);
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
      ({ family: { session, revoked } }) =>
        session.expiresAt <= expiredBefore || (revoked !== undefined && revoked.at <= revokedBefore),
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
  if (family.revoked !== undefined) {
    const { at: revokedAt, reason } = family.revoked;
    return { outcome: 'revoked', session: family.session, revokedAt, isReplaced: reason === 'login' };
  }

  const { successor, successorUsedAt } = token;
  if (successor !== undefined) {
    if (successorUsedAt !== undefined && now - successorUsedAt >= use.reuseGraceSeconds) {
      revokeFamilies([family], now, 'reuse');
      return { outcome: 'reused', session: family.session };
    }
    return { outcome: 'rotated', session: family.session, ...successor };
  }

  const isFirstUse = token.firstUsedAt === undefined;
  token.firstUsedAt ??= now;
  const { predecessor } = token;
  if (isFirstUse && predecessor !== undefined) {
    predecessor.successorUsedAt ??= Math.max(now, predecessor.successor?.rotatedAt ?? now);
  }
  const isDue = now - token.firstUsedAt >= use.rotateEverySeconds;
  if (isFirstUse || isDue || now - family.session.lastUsedAt >= use.recordUseEverySeconds) {
    family.session = Object.freeze({ ...family.session, lastUsedAt: now });
  }
  if (!isDue) return { outcome: 'current', session: family.session };
  const successorHash = use.successorHash(use.salt);
  if (tokens.has(successorHash)) throw new Error('A token with this hash exists already');
  token.successor = { rotatedAt: now, successorSalt: use.salt, successorKeyId: use.keyId };
  addToken(tokens, family, successorHash, undefined, token);
  return { outcome: 'rotated', session: family.session, ...token.successor };
}

function revokeFamilies(families: readonly Family[], at: number, reason: RevokeReason): void {
  for (const family of families) family.revoked = { at, reason };
}

function newSession({ tokenHash: _, ...fields }: Omit<NewSession, 'replaces'>): Session {
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

function toRevocation({ session, revoked }: Family): Revocation[] {
  return revoked === undefined ? [] : [{ sessionId: session.id, uid: session.uid, revokedAt: revoked.at }];
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

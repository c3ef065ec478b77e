import { isDeepStrictEqual } from 'node:util';
import type {
  NewSession,
  RefreshTokenOutcome,
  RefreshTokenUse,
  Revocation,
  Session,
  SessionStore,
} from './session-store.ts';

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

interface Family {
  session: Session;
  revokedAt: number | undefined;
}

/**
 * Keeps sessions in the memory of one process: for tests, development and hosts that may forget who
 * is logged in whenever they restart.
 *
 * It takes about 1 kB for a session and 300 bytes more for each rotation, until `purgeSessions`
 * removes what has expired.
 */
export function memorySessionStore(): SessionStore {
  const tokens = new Map<string, Token>();
  const families = new Map<string, Family>();
  // No method awaits anything between its first and its last step: that is what makes each of them
  // atomic.
  return Object.freeze<SessionStore>({
    async create(session) {
      if (families.has(session.id) || tokens.has(session.tokenHash)) {
        throw new Error('A session with this id or token exists already');
      }
      const family = createFamily(session);
      families.set(session.id, family);
      addToken(tokens, family, session.tokenHash, session.createdAt);
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
      const revoked = [...families.values()].filter(
        (family) =>
          family.session.uid === uid &&
          family.session.id !== exceptSessionId &&
          isLive(family, instance, now),
      );
      for (const family of revoked) family.revokedAt = now;
      return revoked.map(({ session }) => session.id);
    },

    async list({ uid, instance, now, limit }) {
      return [...families.values()]
        .filter((family) => family.session.uid === uid && isLive(family, instance, now))
        .map(({ session }) => session)
        .sort((a, b) => b.createdAt - a.createdAt || compareText(b.id, a.id))
        .slice(0, limit);
    },

    async listRevocations({ instance, since, after, limit }) {
      return [...families.values()]
        .filter(({ session }) => session.instance === instance)
        .flatMap(toRevocation)
        .filter((revocation) => revocation.revokedAt >= since)
        .sort(compareRevocations)
        .filter((revocation) => after === undefined || compareRevocations(revocation, after) > 0)
        .slice(0, limit);
    },

    async purge({ expiredBefore, limit }) {
      const removed = [...tokens.values()]
        .filter(({ family }) => family.session.expiresAt <= expiredBefore)
        .slice(0, limit);
      for (const { hash, family } of removed) {
        tokens.delete(hash);
        families.delete(family.session.id);
      }
      return removed.length;
    },
  });
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

function createFamily({ tokenHash: _, ...fields }: NewSession): Family {
  const session = Object.freeze<Session>({ ...fields, lastUsedAt: fields.createdAt, refreshedFrom: [] });
  return { session, revokedAt: undefined };
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

function isLive({ session, revokedAt }: Family, instance: string, now: number): boolean {
  return session.instance === instance && revokedAt === undefined && now < session.expiresAt;
}

function toRevocation({ session, revokedAt }: Family): Revocation[] {
  return revokedAt === undefined ? [] : [{ sessionId: session.id, uid: session.uid, revokedAt }];
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

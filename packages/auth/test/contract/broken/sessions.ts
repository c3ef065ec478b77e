import { type Breaks, breaking } from '../../../../../test/contract/breaking.ts';
import type { Session } from '../../../src/sessions/session.ts';
import type {
  NewSession,
  OldestRevocation,
  SessionStore,
} from '../../../src/sessions/store/session-store.ts';

const { ask, answer } = breaking<SessionStore>();
/** When every case begins. */
const START = 1_795_147_800;

/** What breaks the promises of stores of sessions. */
export const brokenSessions: Breaks<SessionStore> = {
  'names the key that a successor': answer('useRefreshToken', (outcome, use) =>
    outcome.outcome === 'rotated' ? { ...outcome, successorKeyId: use.keyId } : outcome,
  ),
  'where it still is the expected one': (sound) => ({
    async recordClients(record) {
      const [session] = await sound.list({ ...record, uid: '42', limit: 1 });
      return await sound.recordClients({ ...record, expected: session?.refreshedFrom ?? [] });
    },
  }),
  'lets one of several records at once win': (sound) => ({
    recordClients: async (record) => {
      await sound.recordClients(record);
      return true;
    },
  }),
  'keeps the clients of a session': ask('recordClients', (record) => ({
    ...record,
    refreshedFrom: record.refreshedFrom.map((client) => ({ ...client, userAgent: '' })),
  })),
  'no clients of a session that is not live': ask('recordClients', (record) => ({
    ...record,
    instance: '/api/admin',
  })),
  'alike while the grace lasts': ask('useRefreshToken', (use) => ({ ...use, reuseGraceSeconds: 0 })),
  'current until it is due': ask('useRefreshToken', (use) => ({ ...use, rotateEverySeconds: 0 })),
  'comes back after its successor was used': ask('useRefreshToken', (use) => ({
    ...use,
    reuseGraceSeconds: 1e9,
  })),
  'ends a session at the time that was set': ask('useRefreshToken', (use) => ({
    ...use,
    now: Math.min(use.now, START + 86_399),
  })),
  "lists a user's live sessions": ask('list', (query) => ({ ...query, now: query.now - 10 })),
  "user's sessions page by page": ask('list', ({ after: _, ...query }) => query),
  'revocations page by page': ask('listRevocations', ({ after: _, ...query }) => query),
  'byte for byte': ask('list', (query) => ({ ...query, uid: query.uid.trimEnd() })),
  'keeps a session with all': ask('create', (session) => ({ ...session, ip: '', userAgent: '' })),
  'refuses a second session': (sound) => ({ create: (session) => sound.create(session).catch(() => []) }),
  'as precisely as asked': ask('useRefreshToken', (use) => ({ ...use, recordUseEverySeconds: 0 })),
  'of another user or of another instance': ask('revoke', ({ uid: _, ...revocation }) => revocation),
  'says when a token was rotated': answer('useRefreshToken', (outcome, use) =>
    outcome.outcome === 'rotated' ? { ...outcome, rotatedAt: use.now } : outcome,
  ),
  'says when a session was revoked': answer('useRefreshToken', (outcome, use) =>
    outcome.outcome === 'revoked' ? { ...outcome, revokedAt: use.now } : outcome,
  ),
  'revokes those that it replaces': ask('create', ({ replaces: _, ...session }) => session),
  'if the one that replaces it cannot be stored': (sound) => ({
    async create({ replaces = [], ...session }) {
      const ended = await revokeByToken(sound, session, replaces);
      await sound.create(session);
      return ended;
    },
  }),
  'is over or of another instance': (sound) => ({
    async create({ replaces = [], ...session }) {
      await sound.create(session);
      const own = await revokeByToken(sound, session, replaces);
      return [...own, ...(await revokeByToken(sound, { ...session, instance: '/api' }, replaces))];
    },
  }),
  'ends what is not newer': ask('revoke', ({ askedBy: _, ...revocation }) => revocation),
  'over, of another user or unknown': ask('list', ({ askedBy: _, ...query }) => query),
  'page by page for a live session': answer('list', (page, query) =>
    query.askedBy === undefined || page.some(({ id }) => id === query.askedBy) ? page : [],
  ),
  'no session of another user': ask('revoke', ({ askedBy, uid, ...revocation }) =>
    askedBy === undefined ? { ...revocation, uid } : revocation,
  ),
  'but the one that is to stay': ask('revokeAll', ({ exceptSessionId: _, ...revocation }) => revocation),
  'a transaction that is none': ask('revokeAll', ({ transaction: _, ...revocation }) => revocation),
  'beyond those to keep': ask('revokeOldest', (revocation) => ({ ...revocation, keep: revocation.keep + 1 })),
  'no more sessions than are to be kept': ask('revokeOldest', (revocation) => ({
    ...revocation,
    keep: revocation.keep - 1,
  })),
  "one of the user's live ones": (sound) => ({
    revokeOldest: (revocation) => revokeFirst(sound, revocation, (newestFirst) => newestFirst.toReversed()),
  }),
  'however many log-ins race': (sound) => ({
    async revokeOldest(revocation) {
      const live = await sound.list({ ...revocation, limit: 1_000 });
      if (!live.some(({ id }) => id === revocation.newestId)) return undefined;
      await Promise.resolve();
      return await revokeFirst(sound, revocation, () => live.toReversed(), live.length);
    },
  }),
  'since a time': ask('listRevocations', (query) => ({ ...query, since: query.since + 1 })),
  'purges what has expired': ask('purge', (options) => ({ ...options, limit: 1e9 })),
  'revoked long enough ago': ask('purge', ({ expiredBefore, limit }) => ({ expiredBefore, limit })),
  'in several calls': (sound) => ({
    async purge({ revokedBefore, ...options }) {
      const removed = await sound.purge(options);
      return removed + (await sound.purge({ ...options, revokedBefore, limit: 1e9 }));
    },
  }),
};

/** Revokes as many as are too many of those that `order` puts first, the newest not among them. */
async function revokeFirst(
  sound: SessionStore,
  { keep, newestId, ...revocation }: OldestRevocation,
  order: (newestFirst: readonly Session[]) => readonly Session[],
  count?: number,
): Promise<readonly string[]> {
  const live = await sound.list({ ...revocation, limit: 1_000 });
  const tooMany = Math.max(0, (count ?? live.length) - keep);
  const chosen = order(live)
    .filter(({ id }) => id !== newestId)
    .slice(0, tooMany);
  for (const { id } of chosen) await sound.revoke({ ...revocation, sessionId: id });
  return chosen.map(({ id }) => id);
}

async function revokeByToken(
  sound: SessionStore,
  { instance, createdAt: now }: Pick<NewSession, 'instance' | 'createdAt'>,
  hashes: readonly string[],
): Promise<readonly Session[]> {
  const revoked: Session[] = [];
  for (const tokenHash of hashes) {
    const found = await sound.findByToken({ tokenHash, instance, now });
    const ended =
      found && (await sound.revoke({ sessionId: found.session.id, instance, now, reason: 'login' }));
    if (typeof ended === 'object') revoked.push(ended);
  }
  return revoked;
}

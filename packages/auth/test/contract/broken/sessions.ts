import { type Breaks, breaking } from '../../../../../test/contract/breaking.ts';
import type { SessionStore } from '../../../src/sessions/store/session-store.ts';

const { ask, answer } = breaking<SessionStore>();
/** When every case begins. */
const START = 1_795_147_800;

/** What breaks the promises of stores of sessions. */
export const brokenSessions: Breaks<SessionStore> = {
  'names the key that a successor': answer('useRefreshToken', (outcome, use) =>
    outcome.outcome === 'rotated' ? { ...outcome, successorKeyId: use.keyId } : outcome,
  ),
  'lets one of several records at once win': (sound) => ({
    recordClients: async (record) => {
      await sound.recordClients(record);
      return true;
    },
  }),
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
  'ends what is not newer': ask('revoke', ({ askedBy: _, ...revocation }) => revocation),
  'over, of another user or unknown': ask('list', ({ askedBy: _, ...query }) => query),
  'but the one that is to stay': ask('revokeAll', ({ exceptSessionId: _, ...revocation }) => revocation),
  'a transaction that is none': ask('revokeAll', ({ transaction: _, ...revocation }) => revocation),
  'beyond those to keep': ask('revokeOldest', (revocation) => ({ ...revocation, keep: revocation.keep + 1 })),
  'no more sessions than are to be kept': ask('revokeOldest', (revocation) => ({
    ...revocation,
    keep: revocation.keep - 1,
  })),
  'since a time': ask('listRevocations', (query) => ({ ...query, since: query.since + 1 })),
  'purges what has expired': ask('purge', (options) => ({ ...options, limit: 1e9 })),
  'revoked long enough ago': ask('purge', ({ expiredBefore, limit }) => ({ expiredBefore, limit })),
};

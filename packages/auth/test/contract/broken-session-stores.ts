import type { Session } from '../../src/sessions/session.ts';
import { memorySessionStore } from '../../src/sessions/store/memory-session-store.ts';
import type { NewSession, OldestRevocation, SessionStore } from '../../src/sessions/store/session-store.ts';
import { type BrokenStore, breakerOf } from './broken-store.ts';

const broken = breakerOf<SessionStore>(memorySessionStore);

/** Stores that break one promise each; everything else is `memorySessionStore`. */
export const brokenSessionStores: readonly BrokenStore<SessionStore>[] = [
  broken('reads first and rotates later', 'the same successor, and makes no other', (sound) => ({
    async useRefreshToken(use) {
      const found = await sound.findByToken(use);
      await Promise.resolve();
      const outcome = await sound.useRefreshToken(use);
      if (outcome.outcome !== 'rotated' || found?.isRotated !== false) return outcome;
      return { ...outcome, successorSalt: use.salt };
    },
  })),
  broken('gives every caller a successor of its own', 'the same successor, and makes no other', (sound) => ({
    async useRefreshToken(use) {
      const outcome = await sound.useRefreshToken(use);
      if (outcome.outcome !== 'rotated' || outcome.successorSalt === use.salt) return outcome;
      const { session } = outcome;
      // The fork: one more live token in the same family.
      await sound.create({ ...session, id: use.nextId, tokenHash: use.successorHash(use.salt) });
      return { ...outcome, successorSalt: use.salt };
    },
  })),
  broken("names every caller's own key for a successor", 'names the key that a successor', (sound) => ({
    async useRefreshToken(use) {
      const outcome = await sound.useRefreshToken(use);
      return outcome.outcome === 'rotated' ? { ...outcome, successorKeyId: use.keyId } : outcome;
    },
  })),
  broken('keeps the first few characters of a key id', 'names the key that a successor', (sound) => ({
    useRefreshToken: (use) => sound.useRefreshToken({ ...use, keyId: use.keyId.slice(0, 32) }),
  })),
  broken('knows no reuse where the key has changed', 'whatever key the successor', (sound) => {
    const keyIds = new Map<string, string>();
    return {
      async useRefreshToken(use) {
        const rotatedWith = keyIds.get(use.tokenHash);
        const isForeign = rotatedWith !== undefined && rotatedWith !== use.keyId;
        const outcome = await sound.useRefreshToken(isForeign ? { ...use, reuseGraceSeconds: 1e9 } : use);
        if (outcome.outcome === 'rotated') keyIds.set(use.tokenHash, outcome.successorKeyId);
        return outcome;
      },
    };
  }),
  broken('records clients whatever was there before', 'where it still is the expected one', (sound) => ({
    async recordClients(record) {
      const [session] = await sound.list({ ...record, uid: '42', limit: 1 });
      return await sound.recordClients({ ...record, expected: session?.refreshedFrom ?? [] });
    },
  })),
  broken('always says that it recorded', 'lets one of several records at once win', (sound) => ({
    recordClients: async (record) => {
      await sound.recordClients(record);
      return true;
    },
  })),
  broken('forgets user agents', 'keeps the clients of a session', (sound) => ({
    recordClients: (record) =>
      sound.recordClients({
        ...record,
        refreshedFrom: record.refreshedFrom.map((client) => ({ ...client, userAgent: '' })),
      }),
  })),
  broken('records clients of other instances', 'no clients of a session that is not live', (sound) => ({
    recordClients: (record) => sound.recordClients({ ...record, instance: '/api/admin' }),
  })),
  broken('refuses a token that has a successor', 'alike while the grace lasts', (sound) => ({
    async useRefreshToken(use) {
      const found = await sound.findByToken(use);
      return found?.isRotated === true ? { outcome: 'unknown' } : sound.useRefreshToken(use);
    },
  })),
  broken('counts a rotation as a log-in', 'keeps the time of the log-in', (sound) => {
    const rotatedAt = new Map<string, number>();
    return {
      async useRefreshToken(use) {
        const outcome = await sound.useRefreshToken(use);
        if (outcome.outcome === 'rotated') rotatedAt.set(outcome.session.id, use.now);
        if (outcome.outcome !== 'current') return outcome;
        const createdAt = rotatedAt.get(outcome.session.id) ?? outcome.session.createdAt;
        return { ...outcome, session: { ...outcome.session, createdAt } };
      },
    };
  }),
  broken('rotates at every poll', 'current until it is due', (sound) => ({
    useRefreshToken: (use) => sound.useRefreshToken({ ...use, rotateEverySeconds: 0 }),
  })),
  broken('never rotates', 'current until it is due', (sound) => ({
    useRefreshToken: (use) => sound.useRefreshToken({ ...use, rotateEverySeconds: 1e9 }),
  })),
  broken('rotates one second late', 'current until it is due', (sound) => ({
    useRefreshToken: (use) =>
      sound.useRefreshToken({ ...use, rotateEverySeconds: use.rotateEverySeconds + 1 }),
  })),
  broken('knows no reuse', 'comes back after its successor was used', (sound) => ({
    useRefreshToken: (use) => sound.useRefreshToken({ ...use, reuseGraceSeconds: 1e9 }),
  })),
  broken('knows no grace', 'alike while the grace lasts', (sound) => ({
    useRefreshToken: (use) => sound.useRefreshToken({ ...use, reuseGraceSeconds: 0 }),
  })),
  broken('ends the grace one second early', 'comes back after its successor was used', (sound) => ({
    useRefreshToken: (use) => sound.useRefreshToken({ ...use, reuseGraceSeconds: use.reuseGraceSeconds - 1 }),
  })),
  broken('takes a lookup for a use', 'records no use of a token that it only finds', (sound) => ({
    async findByToken(query) {
      const found = await sound.findByToken(query);
      if (found?.isRotated === false) await sound.useRefreshToken({ ...query, ...poll });
      return found;
    },
  })),
  broken('reports a reuse to everybody', 'reports one reuse once', (sound) => {
    const reused = new Set<string>();
    return {
      async useRefreshToken(use) {
        const outcome = await sound.useRefreshToken(use);
        if (outcome.outcome === 'reused') reused.add(use.tokenHash);
        if (outcome.outcome !== 'revoked' || !reused.has(use.tokenHash)) return outcome;
        return { ...outcome, outcome: 'reused' };
      },
    };
  }),
  broken('notices a reuse and revokes nothing', 'comes back after its successor was used', (sound) => ({
    async useRefreshToken(use) {
      const patient = await sound.useRefreshToken({ ...use, reuseGraceSeconds: 1e9 });
      return patient.outcome === 'rotated' && use.now > START + 930
        ? { ...patient, outcome: 'reused' }
        : patient;
    },
  })),
  broken('moves the expiry with every use', 'ends a session at the time that was set', (sound) => ({
    useRefreshToken: (use) => sound.useRefreshToken({ ...use, now: Math.min(use.now, START + 86_399) }),
  })),
  broken('judges expired tokens by what is written about them', 'ends a session at the time', (sound) => ({
    async useRefreshToken(use) {
      const outcome = await sound.useRefreshToken(use);
      return outcome.outcome === 'expired' ? { outcome: 'unknown' } : outcome;
    },
  })),
  broken('lists sessions that are over', "lists a user's live sessions", (sound) => ({
    list: (query) => sound.list({ ...query, now: query.now - 10 }),
  })),
  broken('lists the oldest first', "lists a user's live sessions", (sound) => ({
    list: async (query) => [...(await sound.list(query))].reverse(),
  })),
  broken('lists more than asked for', "lists a user's live sessions", (sound) => ({
    list: (query) => sound.list({ ...query, limit: query.limit + 1 }),
  })),
  broken('begins every page anew', 'page by page', (sound) => ({
    list: ({ after: _, ...query }) => sound.list(query),
  })),
  broken('loses the sessions of a second between two pages', 'page by page', (sound) => ({
    list: ({ after, ...query }) => sound.list({ ...query, after: after && { ...after, id: '' } }),
  })),
  broken('lists the last of a page again', 'page by page', (sound) => ({
    list: ({ after, ...query }) => sound.list({ ...query, after: after && { ...after, id: `${after.id}g` } }),
  })),
  broken('knows no place in a list but that of a live session', 'page by page', (sound) => ({
    async list({ after, ...query }) {
      const all = await sound.list({ ...query, limit: 1_000 });
      const at = after === undefined ? -1 : all.findIndex(({ id }) => id === after.id);
      return all.slice(at + 1, at + 1 + query.limit);
    },
  })),
  broken('compares users without regard to case', 'byte for byte', (sound) => ({
    create: (session) => sound.create(lowerUid(session)),
    list: (query) => sound.list(lowerUid(query)),
  })),
  broken('trims a user id', 'byte for byte', (sound) => ({
    list: (query) => sound.list({ ...query, uid: query.uid.trimEnd() }),
  })),
  broken('knows no instances', 'byte for byte', (sound) => ({
    useRefreshToken: (use) => sound.useRefreshToken({ ...use, instance: '/api/admin' }),
  })),
  broken('forgets where a session was made', 'keeps a session with all', (sound) => ({
    create: (session) => sound.create({ ...session, ip: '', userAgent: '' }),
  })),
  broken('takes a session twice', 'refuses a second session', (sound) => ({
    create: (session) => sound.create(session).catch(() => []),
  })),
  broken('records every use', 'as precisely as asked', (sound) => ({
    useRefreshToken: (use) => sound.useRefreshToken({ ...use, recordUseEverySeconds: 0 }),
  })),
  broken('records no use', 'as precisely as asked', (sound) => ({
    async list(query) {
      return (await sound.list(query)).map((session) => ({ ...session, lastUsedAt: session.createdAt }));
    },
  })),
  broken("revokes anybody's session", 'of another user or of another instance', (sound) => ({
    revoke: ({ uid: _, ...revocation }) => sound.revoke(revocation),
  })),
  broken('revokes a session again', 'with all its tokens, once', (sound) => {
    const revoked = new Map<string, Awaited<ReturnType<SessionStore['revoke']>>>();
    return {
      async revoke(revocation) {
        const session = (await sound.revoke(revocation)) ?? revoked.get(revocation.sessionId);
        revoked.set(revocation.sessionId, session);
        return session;
      },
    };
  }),
  broken('revokes only the token that it is asked about', 'lets a revocation win', (sound) => {
    const created = new Set<string>();
    return {
      async create(session) {
        created.add(session.tokenHash);
        return await sound.create(session);
      },
      async useRefreshToken(use) {
        const outcome = await sound.useRefreshToken(use);
        if (outcome.outcome !== 'revoked' || created.has(use.tokenHash)) return outcome;
        return { ...outcome, outcome: 'current' };
      },
    };
  }),
  broken('rotates on after a log-out', 'writes nothing for a token that it refuses', (sound) => ({
    async useRefreshToken(use) {
      const outcome = await sound.useRefreshToken(use);
      if (outcome.outcome === 'revoked') {
        const { session } = outcome;
        const tokenHash = use.successorHash(use.salt);
        await sound.create({ ...session, id: use.nextId, tokenHash });
      }
      return outcome;
    },
  })),
  broken('never says when it rotated', 'says when a token was rotated', (sound) => ({
    async useRefreshToken(use) {
      const outcome = await sound.useRefreshToken(use);
      return outcome.outcome === 'rotated' ? { ...outcome, rotatedAt: use.now } : outcome;
    },
  })),
  broken('believes the clock of a first use', 'if the clock of the first use is behind it', (sound) => {
    const lead = new Map<string, number>();
    return {
      async useRefreshToken(use) {
        const outcome = await sound.useRefreshToken({
          ...use,
          now: use.now + (lead.get(use.tokenHash) ?? 0),
        });
        if (outcome.outcome !== 'rotated') return outcome;
        lead.set(use.tokenHash, 45);
        return outcome;
      },
    };
  }),
  broken('says that every revocation is now', 'says when a session was revoked', (sound) => ({
    async useRefreshToken(use) {
      const outcome = await sound.useRefreshToken(use);
      return outcome.outcome === 'revoked' ? { ...outcome, revokedAt: use.now } : outcome;
    },
  })),
  broken('takes every end for a log-in', 'says when a session was revoked', (sound) => ({
    async useRefreshToken(use) {
      const outcome = await sound.useRefreshToken(use);
      return outcome.outcome === 'revoked' ? { ...outcome, isReplaced: true } : outcome;
    },
  })),
  broken('replaces nothing', 'revokes those that it replaces', (sound) => ({
    create: ({ replaces: _, ...session }) => sound.create(session),
  })),
  broken('says nothing of what it replaced', 'revokes those that it replaces', (sound) => ({
    create: async (session) => (await sound.create(session)).slice(0, 0),
  })),
  broken('ends the old session first', 'if the one that replaces it cannot be stored', (sound) => ({
    async create({ replaces = [], ...session }) {
      const ended = await revokeByToken(sound, session, replaces);
      await sound.create(session);
      return ended;
    },
  })),
  broken('replaces sessions of other instances', 'is over or of another instance', (sound) => ({
    async create({ replaces = [], ...session }) {
      await sound.create(session);
      const own = await revokeByToken(sound, session, replaces);
      return [...own, ...(await revokeByToken(sound, { ...session, instance: '/api' }, replaces))];
    },
  })),
  broken(
    'finds the old session first and ends it later',
    'however many log-ins present its token',
    (sound) => ({
      async create(session) {
        const found = await sound.findByToken({
          ...session,
          tokenHash: session.replaces?.[0] ?? '',
          now: session.createdAt,
        });
        const replaced = await sound.create(session);
        return found === undefined ? replaced : [found.session];
      },
    }),
  ),
  broken('ends newer sessions for an older one', 'ends what is not newer', (sound) => ({
    revoke: ({ askedBy: _, ...revocation }) => sound.revoke(revocation),
  })),
  broken('asks on behalf of nobody', 'over, of another user or unknown', (sound) => ({
    async revokeAll({ askedBy, ...revocation }) {
      const revoked = await sound.revokeAll({ ...revocation, askedBy });
      return revoked === 'not_live' ? [] : revoked;
    },
  })),
  broken('lists for a session that is over', 'over, of another user or unknown', (sound) => ({
    list: ({ askedBy: _, ...query }) => sound.list(query),
  })),
  broken('ends the older ones all the same', 'or none if one of them is newer', (sound) => ({
    async revokeAll(revocation) {
      const revoked = await sound.revokeAll(revocation);
      if (revoked !== 'newer') return revoked;
      const live = await sound.list({ ...revocation, limit: 1_000 });
      const [oldest] = live.toReversed();
      await sound.revoke({ ...revocation, sessionId: oldest?.id ?? '' });
      return revoked;
    },
  })),
  broken('wants the session that asks on every page', 'page by page for a live session', (sound) => ({
    async list(query) {
      const page = await sound.list(query);
      return query.askedBy === undefined || page.some(({ id }) => id === query.askedBy) ? page : [];
    },
  })),
  broken('finds sessions of everybody for one that asks', 'no session of another user', (sound) => ({
    async revoke({ askedBy, uid, ...revocation }) {
      return await sound.revoke(askedBy === undefined ? { ...revocation, uid } : revocation);
    },
  })),
  broken('spares nobody', 'but the one that is to stay', (sound) => ({
    revokeAll: ({ exceptSessionId: _, ...revocation }) => sound.revokeAll(revocation),
  })),
  broken('says nothing of whom it revoked', 'but the one that is to stay', (sound) => ({
    async revokeAll(revocation) {
      await sound.revokeAll(revocation);
      return [];
    },
  })),
  broken('revokes one session at a time, of those it listed', 'but the one that is to stay', (sound) => ({
    async revokeAll(revocation) {
      const [first] = await sound.list({ ...revocation, limit: 1 });
      if (first === undefined || first.id === revocation.exceptSessionId) return [];
      const revoked = await sound.revoke({ ...revocation, sessionId: first.id });
      return typeof revoked === 'object' ? [revoked.id] : [];
    },
  })),
  broken('takes no notice of a transaction', 'a transaction that is none', (sound) => ({
    revokeAll: ({ transaction: _, ...revocation }) => sound.revokeAll(revocation),
  })),
  broken('keeps one session more than asked for', 'beyond those to keep', (sound) => ({
    revokeOldest: (revocation) => sound.revokeOldest({ ...revocation, keep: revocation.keep + 1 }),
  })),
  broken('makes room for a session to come', 'no more sessions than are to be kept', (sound) => ({
    revokeOldest: (revocation) => sound.revokeOldest({ ...revocation, keep: revocation.keep - 1 }),
  })),
  broken('counts sessions that are over', 'beyond those to keep', (sound) => ({
    revokeOldest: (revocation) => sound.revokeOldest({ ...revocation, now: revocation.now - 5 }),
  })),
  broken('says nothing of the oldest that it revoked', 'beyond those to keep', (sound) => ({
    revokeOldest: async (revocation) => (await sound.revokeOldest(revocation)) && [],
  })),
  broken('revokes the newest', 'beyond those to keep', (sound) => ({
    revokeOldest: (revocation) => revokeFirst(sound, revocation, (newestFirst) => newestFirst.slice(1)),
  })),
  broken('chooses by chance within a second', 'of one second by their ids', (sound) => ({
    revokeOldest: (revocation) =>
      revokeFirst(sound, revocation, (newestFirst) => newestFirst.toSorted(byTimeThenIdBackwards)),
  })),
  broken('believes every clock', 'however old another clock makes it', (sound) => ({
    revokeOldest: (revocation) =>
      revokeFirst(sound, { ...revocation, newestId: '' }, (newestFirst) => newestFirst.toReversed()),
  })),
  broken('ends sessions for a log-in that is over', "one of the user's live ones", (sound) => ({
    revokeOldest: (revocation) => revokeFirst(sound, revocation, (newestFirst) => newestFirst.toReversed()),
  })),
  broken('chooses the oldest first and revokes them later', 'however many log-ins race', (sound) => ({
    async revokeOldest(revocation) {
      const live = await sound.list({ ...revocation, limit: 1_000 });
      if (!live.some(({ id }) => id === revocation.newestId)) return undefined;
      await Promise.resolve();
      return await revokeFirst(sound, revocation, () => live.toReversed(), live.length);
    },
  })),
  broken('lists revocations without what lies on the bound', 'since a time', (sound) => ({
    listRevocations: (query) => sound.listRevocations({ ...query, since: query.since + 1 }),
  })),
  broken('loses revocations between two pages', 'page by page', (sound) => ({
    async listRevocations({ after, ...query }) {
      const since = after === undefined ? query.since : after.revokedAt + 1;
      return await sound.listRevocations({ ...query, since });
    },
  })),
  broken('purges what is still alive', 'purges what has expired', (sound) => ({
    purge: (options) => sound.purge({ ...options, expiredBefore: options.expiredBefore + 1 }),
  })),
  broken('purges without a limit', 'purges what has expired', (sound) => ({
    purge: (options) => sound.purge({ ...options, limit: 1e9 }),
  })),
  broken('forgets that a session was revoked', 'revoked long enough ago', (sound) => ({
    purge: ({ expiredBefore, limit }) => sound.purge({ expiredBefore, limit }),
  })),
  broken('purges sessions that were revoked a moment later', 'revoked long enough ago', (sound) => ({
    purge: ({ revokedBefore, ...options }) =>
      sound.purge(revokedBefore === undefined ? options : { ...options, revokedBefore: revokedBefore + 1 }),
  })),
  broken('purges every revoked session unasked', 'revoked long enough ago', (sound) => ({
    purge: (options) =>
      sound.purge({ ...options, revokedBefore: options.revokedBefore ?? Number.POSITIVE_INFINITY }),
  })),
  broken('purges revoked sessions beyond the limit', 'in several calls', (sound) => ({
    async purge({ revokedBefore, ...options }) {
      const removed = await sound.purge(options);
      return removed + (await sound.purge({ ...options, revokedBefore, limit: 1e9 }));
    },
  })),
  broken('lets tokens work whose root is purged', 'in several calls', (sound) => {
    let isPurged = false;
    return {
      async purge(options) {
        isPurged ||= options.revokedBefore !== undefined;
        return await sound.purge(options);
      },
      async useRefreshToken(use) {
        const outcome = await sound.useRefreshToken(use);
        if (outcome.outcome !== 'revoked' || !isPurged) return outcome;
        return { outcome: 'current', session: outcome.session };
      },
    };
  }),
  broken('purges nothing', 'purges what has expired', () => ({ purge: async () => 0 })),
];

/** When every case begins. */
const START = 1_795_147_800;

const poll = {
  rotateEverySeconds: 1e9,
  reuseGraceSeconds: 30,
  recordUseEverySeconds: 1e9,
  salt: '',
  keyId: '',
  nextId: '',
  successorHash: () => '',
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

function byTimeThenIdBackwards(a: Session, b: Session): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? 1 : -1);
}

function lowerUid<Fields extends Pick<NewSession, 'uid'>>(fields: Fields): Fields {
  return { ...fields, uid: fields.uid.toLowerCase() };
}

import { describe, expect, it } from 'vitest';
import { createAuth } from '../../../src/auth.ts';
import type { SessionRevokedEvent } from '../../../src/sessions/events/session-events.ts';
import { createSessionHooks } from '../../../src/sessions/events/session-hooks.ts';
import { createEndAllSessions } from '../../../src/sessions/revocation/end-all-sessions.ts';
import { createMassRevocations } from '../../../src/sessions/revocation/mass-revocations.ts';
import { memorySessionStore } from '../../../src/sessions/store/memory-session-store.ts';
import { fakeClock, START } from '../../fake-clock.ts';
import { SIGNING_KEY } from '../session-host.ts';

const INSTANCE = '/api/admin';
const TRANSACTION = { isTransaction: true as const };

/** Two sessions of user 7, `a` and `b`, and what is done to end them. */
async function twoSessions({ isDown = false } = {}) {
  const memory = memorySessionStore();
  for (const id of ['a', 'b']) {
    const times = { createdAt: START, expiresAt: START + 86_400 };
    await memory.create({ id, tokenHash: id, uid: '7', instance: INSTANCE, ...times, userAgent: '', ip: '' });
  }
  const auth = createAuth({ signingKey: SIGNING_KEY, clock: fakeClock() });
  const massRevocations = createMassRevocations();
  const before = massRevocations.point();
  const transactions: unknown[] = [];
  const store: typeof memory = {
    ...memory,
    async revokeAll({ transaction, ...revocation }) {
      // A log-in that begins now must find the revocation recorded already.
      expect(massRevocations.hasHappenedSince('7', before)).toBe(true);
      if (isDown) throw new Error('down');
      transactions.push(transaction);
      return await memory.revokeAll(revocation);
    },
  };
  const told: SessionRevokedEvent[] = [];
  const tokensOf: (readonly string[])[] = [];
  const hooks = createSessionHooks({ onSessionRevoked: (event) => void told.push(event) }, { error() {} });
  const { endAll, endAllWithin } = createEndAllSessions(
    { auth, store, instance: INSTANCE, now: () => START, hooks },
    massRevocations,
    (sessionIds) => void tokensOf.push(sessionIds),
  );
  const live = async () =>
    (await memory.list({ uid: '7', instance: INSTANCE, now: START, limit: 10 })).map(({ id }) => id).sort();
  const isUsersTokenRevoked = () =>
    auth.revocations.isRevoked({ uid: '7', sessionId: undefined, issuedAt: START });
  const toldOf = async () => {
    await hooks.idle();
    return told;
  };
  return { endAll, endAllWithin, live, isUsersTokenRevoked, massRevocations, toldOf, tokensOf, transactions };
}

describe('endAll', () => {
  it('ends the rows, refuses the tokens and tells of each session', async () => {
    const { endAll, live, isUsersTokenRevoked, toldOf, tokensOf, transactions } = await twoSessions();
    expect([...(await endAll('7'))].sort()).toEqual(['a', 'b']);
    expect(await live()).toEqual([]);
    expect(isUsersTokenRevoked()).toBe(true);
    expect(tokensOf.flat().sort()).toEqual(['a', 'b']);
    const event = { uid: '7', reason: 'revoked_all', revokedAt: START };
    const events = ['a', 'b'].map((sessionId) => ({ sessionId, ...event }));
    expect((await toldOf()).toSorted((one, other) => (one.sessionId < other.sessionId ? -1 : 1))).toEqual(
      events,
    );
    expect(transactions).toEqual([undefined]);
  });

  it('leaves one session', async () => {
    const { endAll, live, tokensOf } = await twoSessions();
    expect(await endAll('7', 'b')).toEqual(['a']);
    expect(await live()).toEqual(['b']);
    expect(tokensOf).toEqual([['a']]);
  });

  it('neither refuses a token nor tells of anything where the store fails', async () => {
    const { endAll, isUsersTokenRevoked, toldOf, tokensOf } = await twoSessions({ isDown: true });
    await expect(endAll('7')).rejects.toThrow('down');
    expect([isUsersTokenRevoked(), await toldOf(), tokensOf]).toEqual([false, [], []]);
  });
});

describe('endAllWithin', () => {
  it('ends the rows in the transaction, and nothing else before the commit', async () => {
    const { endAllWithin, live, isUsersTokenRevoked, toldOf, tokensOf, transactions } = await twoSessions();
    await endAllWithin(TRANSACTION, '7', 'b');
    expect(transactions).toEqual([TRANSACTION]);
    expect(await live()).toEqual(['b']);
    expect([isUsersTokenRevoked(), await toldOf(), tokensOf]).toEqual([false, [], []]);
  });

  it('refuses the tokens and tells once, however often committed is called', async () => {
    const { endAllWithin, isUsersTokenRevoked, toldOf, tokensOf } = await twoSessions();
    const { committed } = await endAllWithin(TRANSACTION, '7', 'b');
    expect(await Promise.all([committed(), committed()])).toEqual([['a'], ['a']]);
    expect(await committed()).toEqual(['a']);
    expect(isUsersTokenRevoked()).toBe(true);
    expect(tokensOf).toEqual([['a']]);
    expect(await toldOf()).toEqual([{ sessionId: 'a', uid: '7', reason: 'revoked_all', revokedAt: START }]);
  });

  it('refuses log-ins that began between the revocation and its first committed, and no later ones', async () => {
    const { endAllWithin, massRevocations } = await twoSessions();
    const { committed } = await endAllWithin(TRANSACTION, '7');
    const meanwhile = massRevocations.point();
    expect(massRevocations.hasHappenedSince('7', meanwhile)).toBe(false);
    await committed();
    expect(massRevocations.hasHappenedSince('7', meanwhile)).toBe(true);
    const later = massRevocations.point();
    await committed();
    expect(massRevocations.hasHappenedSince('7', later)).toBe(false);
  });
});

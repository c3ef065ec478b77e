import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type OpenOptions, untilFinished } from '../../../../test/services/test-database.ts';
import { createAuth } from '../../src/auth.ts';
import { kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import type { AuthTables } from '../../src/kysely/tables.ts';
import { createSessions } from '../../src/sessions/create-sessions.ts';
import type { NewSession, RefreshTokenUse, SessionStore } from '../../src/sessions/store/session-store.ts';
import { databaseServers } from '../kysely/database-servers.ts';

const NOW = 1_795_147_800;
const RACERS = 50;

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

describe.each(databaseServers)('on $name', ({ name, skipped, create }) => {
  /** Two processes on one database, of eight connections each where a process may have several. */
  async function twoProcesses(options: OpenOptions = {}) {
    const database = untilFinished(await create());
    const errors: unknown[] = [];
    const log: OpenOptions['log'] = (event) => {
      if (event.level === 'error') errors.push(event.error);
    };
    const db = database.open<AuthTables>({ ...options, log });
    await migrateAuth(db);
    // The migrations ask for their record first, which is not there yet.
    errors.length = 0;
    const other = database.open<AuthTables>({ ...options, log });
    const stores = [kyselySessionStore(db), kyselySessionStore(other)] as const;
    const storeOf = (caller: number): SessionStore => stores[caller % 2 === 0 ? 0 : 1];
    return { db, other, storeOf, errors };
  }

  async function begin(store: SessionStore, fields: Partial<NewSession> = {}): Promise<NewSession> {
    const session: NewSession = {
      id: hex(16),
      tokenHash: hashOf(hex(32)),
      uid: '42',
      instance: '/api/admin',
      createdAt: NOW,
      expiresAt: NOW + 86_400,
      userAgent: '',
      ip: '',
      ...fields,
    };
    await store.create(session);
    return session;
  }

  function useOf(tokenHash: string, now: number): RefreshTokenUse {
    return {
      tokenHash,
      instance: '/api/admin',
      now,
      salt: hex(16),
      keyId: 'k',
      nextId: hex(16),
      rotateEverySeconds: 900,
      reuseGraceSeconds: 30,
      recordUseEverySeconds: 300,
      successorHash: (salt) => hashOf(`${tokenHash} ${salt}`),
    };
  }

  function familyOf(db: Kysely<AuthTables>, { id }: NewSession) {
    return db
      .selectFrom('refresh_tokens')
      .selectAll()
      .where('family_id', '=', id)
      .orderBy('created_at')
      .execute();
  }

  const servers: [string, OpenOptions][] = [
    ['with the defaults', {}],
    ...(name === 'PostgreSQL'
      ? [
          [
            'that serialises by default',
            { onConnect: 'set default_transaction_isolation = serializable' },
          ] as [string, OpenOptions],
        ]
      : []),
    ...(name === 'MySQL or MariaDB'
      ? [
          [
            'that serialises by default',
            { onConnect: 'set session transaction isolation level serializable' },
          ] as [string, OpenOptions],
        ]
      : []),
  ];

  describe.each(servers)('%s', (_, options) => {
    test.skipIf(skipped)(
      'gives fifty racing refreshes of one token one successor and one live row',
      async () => {
        const { db, storeOf, errors } = await twoProcesses(options);
        const session = await begin(storeOf(0));
        const outcomes = await Promise.all(
          Array.from({ length: RACERS }, (_, caller) =>
            storeOf(caller).useRefreshToken(useOf(session.tokenHash, NOW + 900)),
          ),
        );
        const salts = outcomes.map((outcome) =>
          outcome.outcome === 'rotated' ? outcome.successorSalt : outcome.outcome,
        );
        expect(new Set(salts).size).toBe(1);
        // They take turns: nobody fails and begins again, but on SQLite, which has one lock for
        // all.
        if (name !== 'SQLite') expect(errors).toEqual([]);
        const rows = await familyOf(db, session);
        expect(rows).toHaveLength(2);
        const live = rows.filter(({ successor_salt }) => successor_salt === null);
        expect(live.map(({ token_hash }) => token_hash)).toEqual([
          hashOf(`${session.tokenHash} ${salts[0]}`),
        ]);
      },
    );

    test.skipIf(skipped)('lets a log-out that races fifty refreshes win', async () => {
      const { db, storeOf } = await twoProcesses(options);
      const session = await begin(storeOf(0));
      const { id: sessionId, instance, tokenHash } = session;
      let isOut = false;
      const logOut = async () => {
        const revoked = await storeOf(1).revoke({ sessionId, instance, now: NOW + 900, reason: 'logout' });
        isOut = true;
        return typeof revoked === 'object' ? revoked.id : revoked;
      };
      const refresh = async (caller: number) => {
        const wasOut = isOut;
        const { outcome } = await storeOf(caller).useRefreshToken(useOf(tokenHash, NOW + 900));
        return { wasOut, outcome };
      };
      const racing = Array.from({ length: RACERS }, (_, caller) => refresh(caller));
      expect(await logOut()).toBe(sessionId);
      for (const { wasOut, outcome } of await Promise.all(racing)) {
        expect(wasOut ? ['revoked'] : ['revoked', 'rotated']).toContain(outcome);
      }
      const rows = await familyOf(db, session);
      expect(rows.length).toBeLessThanOrEqual(2);
      expect(rows.map(({ revoked_at }) => revoked_at !== null)).toContain(true);
      for (const { token_hash } of rows) {
        expect(
          await storeOf(0).findByToken({ tokenHash: token_hash, instance, now: NOW + 901 }),
        ).toBeUndefined();
        const after = await storeOf(1).useRefreshToken(useOf(token_hash, NOW + 901));
        expect(after.outcome).toBe('revoked');
      }
    });

    test.skipIf(skipped)('keeps three sessions of a user of fifty that log in at once', async () => {
      const { db, storeOf, errors } = await twoProcesses(options);
      const owner = { uid: '42', instance: '/api/admin' };
      const before = await begin(storeOf(0), { createdAt: NOW - 60 });
      const answers = await Promise.all(
        Array.from({ length: RACERS }, async (_, caller) => {
          const store = storeOf(caller);
          const { id: newestId } = await begin(store);
          const request = { ...owner, newestId, keep: 3, now: NOW, reason: 'limit' } as const;
          return { newestId, ended: await store.revokeOldest(request) };
        }),
      );
      const live = await storeOf(1).list({ ...owner, now: NOW, limit: 100 });
      expect(live).toHaveLength(3);
      const ended = answers.flatMap((answer) => answer.ended ?? []);
      expect(new Set(ended).size).toBe(ended.length);
      expect(ended).toHaveLength(RACERS + 1 - 3);
      expect(ended).toContain(before.id);
      for (const { id } of live) expect(ended).not.toContain(id);
      // Who was told nothing had lost its session to another log-in.
      for (const answer of answers) if (answer.ended === undefined) expect(ended).toContain(answer.newestId);
      const rows = await db.selectFrom('refresh_tokens').select(['revoked_at', 'revoke_reason']).execute();
      expect(rows.filter(({ revoked_at }) => revoked_at !== null)).toHaveLength(ended.length);
      expect(new Set(rows.map(({ revoke_reason }) => revoke_reason))).toEqual(new Set(['limit', null]));
      if (name !== 'SQLite') expect(errors).toEqual([]);
    });

    test.skipIf(skipped)(
      'answers fifty log-ins of one user to two processes, and leaves the maximum alive',
      async () => {
        const { storeOf } = await twoProcesses(options);
        const auth = createAuth({ signingKey: hex(32), clock: () => NOW * 1_000 });
        const host = { auth, loadUser: async () => ({ scopes: [] }), verifyCredentials: async () => null };
        const processes = [0, 1].map((n) =>
          createSessions({ ...host, store: storeOf(n), maxSessionsPerUser: 3 }),
        );
        const settled = await Promise.allSettled(
          Array.from({ length: RACERS }, (_, n) => processes[n % 2]?.loginAs('42')),
        );
        const answered: (string | undefined)[] = [];
        for (const login of settled) {
          if (login.status === 'fulfilled') answered.push(login.value?.sessionId);
          else expect(login.reason).toMatchObject({ code: 'session_revoked' });
        }
        const owner = { uid: '42', instance: '/api/admin', now: NOW };
        const live = await storeOf(0).list({ ...owner, limit: 100 });
        expect(live).toHaveLength(3);
        for (const { id } of live) expect(answered).toContain(id);
        const last = await processes[1]?.loginAs('42');
        const left = await storeOf(0).list({ ...owner, limit: 100 });
        expect(left).toHaveLength(3);
        expect(left.map(({ id }) => id)).toContain(last?.sessionId);
      },
    );

    test.skipIf(skipped)('survives everything at once for one user, without a rejection', async () => {
      const { storeOf, errors } = await twoProcesses(options);
      const sessions = await Promise.all(Array.from({ length: 6 }, (_, n) => begin(storeOf(n))));
      await begin(storeOf(0), { expiresAt: NOW + 1 });
      const { uid, instance } = { uid: '42', instance: '/api/admin' };
      const now = NOW + 900;
      const calls = Array.from({ length: 60 }, (_, n) => {
        const store = storeOf(n);
        const session = sessions[n % sessions.length];
        if (session === undefined) throw new Error('there is one for every call');
        if (n % 10 === 1) return store.revoke({ sessionId: session.id, instance, now, reason: 'logout' });
        if (n % 10 === 3) return store.purge({ expiredBefore: NOW + 1, revokedBefore: now, limit: 10 });
        if (n % 10 === 5) return store.list({ uid, instance, now, limit: 10 });
        if (n % 10 === 7) {
          return begin(store).then(({ id: newestId }) =>
            store.revokeOldest({ uid, instance, newestId, keep: 4, now, reason: 'limit' }),
          );
        }
        if (n === 49) return store.revokeAll({ uid, instance, now, reason: 'revoked_all' });
        return store.useRefreshToken(useOf(session.tokenHash, now));
      });
      const settled = await Promise.allSettled(calls);
      expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
      // PostgreSQL notices a deadlock after a second, in which everybody waits. MariaDB notices at
      // once, and its indexes on other columns cannot be locked in one order.
      if (name === 'PostgreSQL') expect(errors).toEqual([]);
      await storeOf(0).revokeAll({ uid, instance, now: now + 1, reason: 'revoked_all' });
      expect(await storeOf(1).list({ uid, instance, now: now + 2, limit: 10 })).toEqual([]);
    });
  });

  test.skipIf(skipped)('counts every expired token once when several processes purge', async () => {
    const { storeOf } = await twoProcesses();
    for (let n = 0; n < 40; n += 1) await begin(storeOf(n), { expiresAt: NOW + (n % 4) });
    const removed = await Promise.all(
      Array.from({ length: 4 }, (_, caller) => storeOf(caller).purge({ expiredBefore: NOW + 2, limit: 100 })),
    );
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(30);
    expect(await storeOf(0).purge({ expiredBefore: NOW + 2, limit: 1 })).toBe(0);
  });

  // SQLite has one writer, and so no deadlocks.
  if (name === 'SQLite') return;

  test.skipIf(skipped)('begins again after a deadlock with the host', async () => {
    const { other, storeOf, errors } = await twoProcesses();
    await sql`create table host_rows (n integer)`.execute(other);

    /**
     * Two sessions, locked one after the other from both ends. False where the server chose the
     * host as the victim.
     */
    async function collide(): Promise<boolean> {
      const ids = [(await begin(storeOf(0))).id, (await begin(storeOf(0))).id].sort();
      const [first = '', second = ''] = ids;
      const request = { uid: '42', instance: '/api/admin', now: NOW, reason: 'revoked_all' } as const;
      let revoking: Promise<unknown> = Promise.resolve();
      const host = other.transaction().execute(async (transaction) => {
        // MySQL rolls back the transaction that changed less.
        for (let n = 0; n < 20; n += 1) await sql`insert into host_rows values (${n})`.execute(transaction);
        const lock = (id: string) =>
          sql`select id from refresh_tokens where id = ${id} for update`.execute(transaction);
        await lock(second);
        revoking = storeOf(0)
          .revokeAll(request)
          .then((revoked) => expect([...revoked].sort()).toEqual(ids));
        await waitForLock(transaction, name, second);
        await lock(first);
      });
      const isHostsVictory = await host.then(
        () => true,
        () => false,
      );
      await revoking;
      return isHostsVictory;
    }

    // PostgreSQL asks one second after each began to wait: on a busy machine the host may be the
    // one to find out.
    let hostsDefeats = 0;
    while (!(await collide())) {
      hostsDefeats += 1;
      expect(hostsDefeats).toBeLessThan(5);
    }
    // More than one where the next try locks the first row again before the host, which waits for
    // it, has woken up: PostgreSQL then finds the same two in another deadlock.
    expect(errors.length).toBeGreaterThan(hostsDefeats);
    const deadlock = name === 'PostgreSQL' ? { code: '40P01' } : { errno: 1213 };
    for (const error of errors) expect(error).toMatchObject(deadlock);
  });
});

/** Looks until a statement about that row waits for a lock of the transaction's. */
async function waitForLock<DB>(transaction: Transaction<DB>, server: string, id: string): Promise<void> {
  for (let look = 0; look < 500; look += 1) {
    const { rows } =
      server === 'PostgreSQL'
        ? await sql`select 1 from pg_stat_activity
            where pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(transaction)
        : await sql`select 1 from information_schema.innodb_trx
            where trx_state = 'LOCK WAIT' and trx_query like ${`%${id}%`}`.execute(transaction);
    if (rows.length > 0) return;
    // MySQL shows another state at most every 0.1 s, counted from the last look.
    await sleep(120);
  }
  throw new Error('no statement came to wait for a lock');
}

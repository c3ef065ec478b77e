import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { behindNetwork, untilLost } from '../../../../test/services/behind-network.ts';
import { kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import type { AuthTables } from '../../src/kysely/tables.ts';
import { Browser, sessionHost } from '../sessions/session-host.ts';
import { databaseServers } from './database-servers.ts';
import { SESSION, TOKEN } from './store-calls.ts';

const POOL_SIZE = 5;
/** What a call asks that has no answer to COMMIT. */
const LOOK = /token\W+\.\W*token_hash/;
const servers = databaseServers.filter(({ name }) => name !== 'SQLite');

describe.each(servers)('on $name, behind a network that loses answers', ({ name, create, skipped }) => {
  async function stores(connections?: number) {
    const { network, db, direct } = await behindNetwork<AuthTables>(
      create,
      migrateAuth,
      connections ? { connections } : {},
    );
    return { network, store: kyselySessionStore(db), around: kyselySessionStore(direct), direct, db };
  }

  test.skipIf(skipped)('a pool of five serves five calls after five lost answers', async () => {
    const { network, store } = await stores(POOL_SIZE);
    const five = () => Promise.allSettled(Array.from({ length: POOL_SIZE }, () => store.findByToken(TOKEN)));
    network.swallow(/ token_hash|"token_hash"|`token_hash`/, POOL_SIZE);
    for (const outcome of await untilLost(network, five, [POOL_SIZE])) {
      expect(outcome).toMatchObject({
        reason: { code: 'unavailable', message: expect.stringContaining('5000 ms') },
      });
    }
    for (const outcome of await five()) expect(outcome).toEqual({ status: 'fulfilled', value: undefined });
    await expect.poll(() => network.open).toBeLessThanOrEqual(POOL_SIZE);
  });

  test.skipIf(skipped)('a call that waited for its pool destroys no connection', async () => {
    const { network, store, around, db } = await stores(1);
    let giveBack = () => {};
    let holding: Promise<void> | undefined;
    await new Promise<void>((held) => {
      holding = db.connection().execute(() => {
        held();
        return new Promise<void>((resolve) => {
          giveBack = resolve;
        });
      });
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const waiting = store.findByToken(TOKEN);
    waiting.catch(() => {});
    await vi.advanceTimersByTimeAsync(4_000);
    network.swallow(/ token_hash|"token_hash"|`token_hash`/);
    giveBack();
    await holding;
    while (network.swallowed === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(1_500);
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    vi.useRealTimers();
    // An end would have come by then.
    for (let trip = 0; trip < 20; trip += 1) await around.findByToken(TOKEN);
    expect(network.open).toBe(1);
  });

  test.skipIf(skipped)('a call without an answer to COMMIT says that its outcome is not known', async () => {
    const { network, store, around } = await stores();
    network.swallow(/\bcommit\b/);
    network.swallow(LOOK);
    await expect(untilLost(network, () => store.create(SESSION), [1, 1])).rejects.toMatchObject({
      code: 'unavailable',
      message:
        'The session store could not store a new session in time: COMMIT has no answer, and whether it was stored is not known',
    });
    // Here it was.
    await expect.poll(() => around.findByToken(TOKEN)).toBeDefined();
    expect(await store.findByToken(TOKEN)).toBeDefined();
  });

  test.skipIf(skipped).each([
    ['insert', [/\binsert\b/]],
    ['COMMIT and to the question after it', [/\bcommit\b/, LOOK]],
  ])('a log-in in place of a session succeeds at the next try after a lost answer to %s', async (_, lost) => {
    const { network, store } = await stores();
    const browser = new Browser(sessionHost({ store }));
    expect((await browser.logIn()).status).toBe(200);
    for (const statement of lost) network.swallow(statement);
    const answers = lost.map(() => 1);
    expect((await untilLost(network, () => browser.logIn(), answers)).status).toBe(503);
    expect((await browser.logIn()).status).toBe(200);
    expect((await browser.poll()).status).toBe(200);
  });

  test.skipIf(skipped)(
    'a log-in whose COMMIT has no answer finds the session that it has stored',
    async () => {
      const { network, store } = await stores();
      const host = sessionHost({ store });
      const browser = new Browser(host);
      await browser.logIn();
      const before = browser.refreshToken ?? '';
      network.swallow(/\bcommit\b/);
      expect((await untilLost(network, () => browser.logIn())).status).toBe(200);
      expect((await browser.poll()).status).toBe(200);
      expect((await host.sessions.list('7')).sessions).toHaveLength(1);
      expect(host.revoked).toMatchObject([{ uid: '7', reason: 'login' }]);
      // Whoever planted or copied the cookie of before is not logged in with it.
      await expect(host.sessions.status([before])).rejects.toMatchObject({ code: 'session_revoked' });
    },
  );

  test.skipIf(skipped)(
    'a log-in whose connection breaks at COMMIT goes on with the session that it has stored',
    async () => {
      const { network, store } = await stores();
      const host = sessionHost({ store, maxSessionsPerUser: 1 });
      const [replacing, other] = [new Browser(host), new Browser(host)];
      await replacing.logIn();
      network.cut(/\bcommit\b/);
      expect((await replacing.logIn()).status).toBe(200);
      expect((await replacing.poll()).status).toBe(200);
      network.cut(/\bcommit\b/);
      expect((await other.logIn()).status).toBe(200);
      expect((await host.sessions.list('7')).sessions).toHaveLength(1);
      expect(host.revoked).toMatchObject([{ reason: 'login' }, { uid: '7' }]);
      expect(network.swallowed).toBe(2);
    },
  );

  test.skipIf(skipped || name !== 'PostgreSQL')(
    'a call that gives up leaves nobody waiting on the server',
    async () => {
      const { store, direct } = await stores();
      await store.create(SESSION);
      await direct.transaction().execute(async (holder) => {
        const { pid } = await holder
          .selectNoFrom(sql<number>`pg_backend_pid()`.as('pid'))
          .executeTakeFirstOrThrow();
        await holder
          .selectFrom('refresh_tokens')
          .select('id')
          .where('token_hash', '=', SESSION.tokenHash)
          .forUpdate()
          .execute();
        const waiting = async () => {
          const { rows } = await sql`select pid from pg_stat_activity
          where ${pid} = any(pg_blocking_pids(pid))`.execute(direct);
          return rows.length;
        };
        const call = store.revoke({ ...TOKEN, sessionId: SESSION.id, reason: 'logout' });
        call.catch(() => {});
        await expect.poll(waiting).toBe(1);
        await expect(call).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringContaining('within 5000 ms'),
        });
        await expect.poll(waiting).toBe(0);
      });
    },
    20_000,
  );

  test.skipIf(skipped)('a refresh gets its successor at the next try', async () => {
    const { network, store } = await stores();
    const host = sessionHost({ store });
    const browser = new Browser(host);
    await browser.logIn();
    const before = browser.refreshToken;
    host.clock.advance(1_000);
    network.swallow(/\bcommit\b/);
    expect((await untilLost(network, () => browser.poll())).status).toBe(503);
    expect((await browser.poll()).status).toBe(200);
    expect(browser.refreshToken).not.toBe(before);
    expect((await browser.poll()).status).toBe(200);
  });
});

import { describe, expect, test } from 'vitest';
import { behindNetwork, untilLost } from '../../../../test/services/behind-network.ts';
import { kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import { Browser, sessionHost } from '../sessions/session-host.ts';
import { databaseServers } from './database-servers.ts';
import { SESSION, TOKEN } from './store-calls.ts';

const POOL_SIZE = 5;
const servers = databaseServers.filter(({ name }) => name !== 'SQLite');

describe.each(servers)('on $name, behind a network that loses answers', ({ create, skipped }) => {
  async function stores(connections?: number) {
    const { network, db, direct } = await behindNetwork(
      create,
      migrateAuth,
      connections ? { connections } : {},
    );
    return { network, store: kyselySessionStore(db), around: kyselySessionStore(direct) };
  }

  test.skipIf(skipped)('a pool of five serves five calls after five lost answers', async () => {
    const { network, store } = await stores(POOL_SIZE);
    const five = () => Promise.allSettled(Array.from({ length: POOL_SIZE }, () => store.findByToken(TOKEN)));
    network.swallow(/ token_hash|"token_hash"|`token_hash`/, POOL_SIZE);
    for (const outcome of await untilLost(network, five, POOL_SIZE)) {
      expect(outcome).toMatchObject({
        reason: { code: 'unavailable', message: expect.stringContaining('5000 ms') },
      });
    }
    for (const outcome of await five()) expect(outcome).toEqual({ status: 'fulfilled', value: undefined });
    await expect.poll(() => network.open).toBeLessThanOrEqual(POOL_SIZE);
  });

  test.skipIf(skipped)('a call without an answer to COMMIT says that its outcome is not known', async () => {
    const { network, store, around } = await stores();
    network.swallow(/\bcommit\b/);
    await expect(untilLost(network, () => store.create(SESSION))).rejects.toMatchObject({
      code: 'unavailable',
      message:
        'The session store could not store a new session in time: COMMIT has no answer, and whether it was stored is not known',
    });
    // Here it was.
    await expect.poll(() => around.findByToken(TOKEN)).toBeDefined();
    expect(await store.findByToken(TOKEN)).toBeDefined();
  });

  test.skipIf(skipped).each(['insert', 'commit'])(
    'a log-in in place of a session succeeds at the next try after a lost answer to %s',
    async (statement) => {
      const { network, store } = await stores();
      const browser = new Browser(sessionHost({ store }));
      expect((await browser.logIn()).status).toBe(200);
      network.swallow(new RegExp(`\\b${statement}\\b`));
      expect((await untilLost(network, () => browser.logIn())).status).toBe(503);
      expect((await browser.logIn()).status).toBe(200);
      expect((await browser.poll()).status).toBe(200);
    },
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

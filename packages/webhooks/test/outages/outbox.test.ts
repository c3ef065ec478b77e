import type { Kysely, Transaction } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks.ts';
import { type Recipient, startRecipient } from '../engine/recipient.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { historyOf } from '../storage/history-of.ts';

type Host = Webhooks<Transaction<unknown>>;

const ORDER = { id: 7 };

const sharedServers = databaseServers.filter(({ clock }) => clock === 'database');

/** Servers only: SQLite has one writer, and everybody else waits for it. */
describe.each(sharedServers)('a transaction of the host that stays open, on $name', (server) => {
  const it = test.skipIf(server.skipped);
  const engines: Host[] = [];
  let database: TestDatabase;
  let target: Recipient;

  beforeEach(async () => {
    if (server.skipped !== undefined) return;
    database = await server.create();
    await migrateWebhooks(database.open());
    target = await startRecipient();
  });
  afterEach(async () => {
    if (server.skipped !== undefined) return;
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    await target.close();
    await database.remove();
  });

  /**
   * A connection that waits for a lock fails, so that a wait fails the test instead of hanging it.
   */
  function openImpatient(): Kysely<unknown> {
    const onConnect =
      server.name === 'PostgreSQL' ? 'set lock_timeout = 500' : 'set session innodb_lock_wait_timeout = 1';
    return database.open<unknown>({ onConnect });
  }

  function engineOn(connections: Kysely<unknown>): Host {
    const engine = createWebhooks({
      storage: kyselyStorage(connections),
      egress: { allowedAddresses: ['127.0.0.1/32'] },
      sweepIntervalMs: 3_600_000,
    });
    engines.push(engine);
    return engine;
  }

  it('holds up neither dispatches to the same webhook nor their deliveries, and is counted once it commits', async () => {
    const [hostDb, otherDb] = [openImpatient(), openImpatient()];
    const [host, other] = [engineOn(hostDb), engineOn(otherDb)];
    const { id } = await other.create({ url: target.url });
    const counts = async () => (await other.get(id)).stats;
    const activity = async () => {
      const { activity: days } = await other.activity(id);
      return days.reduce((sum, { success, failed, pending }) => sum + success + failed + pending, 0);
    };
    await other.start();
    await other.dispatch('user.created', {});
    await other.drain();

    await hostDb.transaction().execute(async (transaction) => {
      await host.dispatch('order.created', ORDER, { transaction });
      await otherDb.transaction().execute(async (second) => {
        await other.dispatch('order.created', { id: 8 }, { transaction: second });
        expect(await other.dispatch('user.updated', {})).toMatchObject({ deliveries: 1 });
        expect(await host.dispatch('user.updated', {})).toMatchObject({ deliveries: 1 });
        await other.drain();
        expect(await counts()).toEqual({ total: 3, success: 3, failed: 0, pending: 0 });
      });
      await other.drain();
      expect(await counts()).toEqual({ total: 4, success: 4, failed: 0, pending: 0 });
    });

    expect(await counts()).toEqual({ total: 5, success: 4, failed: 0, pending: 1 });
    expect(await activity()).toBe(5);
    await other.drain();
    expect(await counts()).toEqual({ total: 5, success: 5, failed: 0, pending: 0 });
    expect(target.received).toHaveLength(5);
    expect(other.stats()).toMatchObject({ refused: 0, unrecorded: 0, succeeded: 5 });
  });
});

describe.each(sharedServers)('a webhook that a transaction of the host holds, on $name', (server) => {
  test.skipIf(server.skipped)('is removed once that ends, and holds up no purge until then', async () => {
    const database = await server.create();
    try {
      const hostDb = database.open<unknown>();
      await migrateWebhooks(hostDb);
      const host = createWebhooks({ storage: kyselyStorage(hostDb) });
      const [held, kept] = [
        await host.create({ url: 'https://recipient.example/', events: ['order.*'] }),
        await host.create({ url: 'https://recipient.example/', events: ['user.*'] }),
      ];
      const onConnect =
        server.name === 'PostgreSQL' ? 'set lock_timeout = 500' : 'set session innodb_lock_wait_timeout = 1';
      const impatient = kyselyStorage(database.open<unknown>({ onConnect }));
      const record = (webhookId: number, createdAt: string) => ({
        event: 'any',
        payload: '{}',
        createdAt,
        target: { webhookId },
      });
      await impatient.recordDispatches([
        record(held.id, '2026-01-01T00:00:00.000Z'),
        record(kept.id, '2026-01-01T00:00:00.000Z'),
        // MySQL and MariaDB also look at the first that is too young, which no open transaction
        // wrote.
        record(kept.id, '2026-03-01T00:00:00.000Z'),
      ]);
      const purge = () =>
        impatient.purgeDeliveries({ createdBefore: '2026-02-01', now: Date.now(), limit: 100 });
      let removing: Promise<unknown> = Promise.resolve();
      await hostDb.transaction().execute(async (transaction) => {
        await host.dispatch('order.created', ORDER, { transaction });
        removing = kyselyStorage(database.open()).deleteWebhook(held.id);
        // On MySQL and MariaDB it is not even hidden before.
        if (server.name === 'PostgreSQL') {
          await expect.poll(() => impatient.findWebhook(held.id)).toBeUndefined();
        }
        await purge();
        expect(await historyOf(impatient, kept.id)).toHaveLength(1);
      });
      expect(await removing).toBe(true);
      expect(await impatient.findWebhook(held.id)).toBeUndefined();
      expect((await purge()).removed).toBeGreaterThan(0);
      expect((await purge()).removed).toBe(0);
    } finally {
      await database.remove();
    }
  });
});

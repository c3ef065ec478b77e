import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Kysely, Transaction } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BundledPrograms, bundlePrograms } from '../../../../test/processes/bundled-programs.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks.ts';
import { type Recipient, startRecipient } from '../engine/recipient.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { historyOf } from '../storage/history-of.ts';
import { HOST_VARIABLE, type HostSettings, type HostTables, ORDER } from './outbox-settings.ts';

type Host = Webhooks<Transaction<HostTables>>;

/** A process starts, and a sweep finds: on a busy machine both take their time. */
const PATIENCE_MS = 120_000;

const OUTBOX_HOST = new URL('./outbox-host.ts', import.meta.url).href;
let programs: BundledPrograms;
beforeAll(async () => {
  programs = await bundlePrograms([OUTBOX_HOST]);
});
afterAll(() => programs.remove());

describe.each(databaseServers)('an event in a transaction of its host, on $name', (server) => {
  const it = test.skipIf(server.skipped);
  let database: TestDatabase;
  let db: Kysely<HostTables>;
  let target: Recipient;
  let child: ChildProcess | undefined;
  const engines: Host[] = [];

  beforeEach(async () => {
    if (server.skipped !== undefined) return;
    database = await server.create();
    db = database.open<HostTables>();
    await migrateWebhooks(db);
    await db.schema.createTable('orders').addColumn('id', 'integer').execute();
    target = await startRecipient();
  });
  afterEach(async () => {
    if (server.skipped !== undefined) return;
    await ended(child);
    child = undefined;
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    await target.close();
    await database.remove();
  });

  /** An engine over connections of its own, as another process has it, unless it is given some. */
  function engineOn(connections = database.open<HostTables>(), sweepIntervalMs = 3_600_000): Host {
    const engine = createWebhooks({
      storage: kyselyStorage(connections),
      egress: { allowedAddresses: ['127.0.0.1/32'] },
      sweepIntervalMs,
    });
    engines.push(engine);
    return engine;
  }

  /** Runs the host in a process of its own until it kills itself. */
  async function runHost(killed: HostSettings['killed']): Promise<void> {
    const settings: HostSettings = { url: database.url, killed };
    child = spawn(
      process.execPath,
      ['--disable-warning=ACME_UNBOUNDED_POOL', fileURLToPath(programs.urlOf(OUTBOX_HOST))],
      {
        env: { ...process.env, [HOST_VARIABLE]: JSON.stringify(settings) },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += String(chunk);
    });
    const [, signal] = await once(child, 'close');
    expect([signal, errors]).toEqual(['SIGKILL', '']);
  }

  const orders = () => db.selectFrom('orders').selectAll().execute();
  const eventsReceived = () => target.received.map(({ headers }) => headers['x-webhook-event']);

  it('is not sent when the transaction is rolled back, and leaves nothing behind', async () => {
    const host = engineOn(db);
    const { id } = await host.create({ url: target.url });
    await host.start();
    const options = { idempotencyKey: 'order-7' };
    const failing = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('orders').values(ORDER).execute();
      const written = await host.dispatch('order.created', ORDER, { transaction, ...options });
      expect(written).toEqual({ deliveries: 1, repeated: false });
      throw new Error('out of stock');
    });
    await expect(failing).rejects.toThrow('out of stock');
    await host.drain();
    expect(await orders()).toEqual([]);
    expect((await host.get(id)).stats.total).toBe(0);
    expect(await host.dispatch('order.cancelled', ORDER, options)).toMatchObject({ repeated: false });
    await host.drain();
    expect(eventsReceived()).toEqual(['order.cancelled']);
  });

  it(
    'is delivered by another process when its own is killed right after the commit',
    async () => {
      const other = engineOn(undefined, 100);
      const { id } = await other.create({ url: target.url });
      await other.start();
      await runHost('after the commit');
      // Nobody tells the other process: its sweep finds the delivery.
      await expect
        .poll(async () => (await other.get(id)).stats, { timeout: PATIENCE_MS })
        .toEqual({ total: 1, success: 1, failed: 0, pending: 0 });
      expect(await orders()).toEqual([ORDER]);
      expect(target.received.map(({ body }) => JSON.parse(body))).toMatchObject([
        { type: 'order.created', data: ORDER },
      ]);
      expect(other.stats()).toMatchObject({ dispatched: 0, attempts: 1, succeeded: 1 });
    },
    2 * PATIENCE_MS,
  );

  it(
    'is not sent by anybody when its process is killed right before the commit',
    async () => {
      const other = engineOn();
      const { id } = await other.create({ url: target.url });
      await runHost('before the commit');
      await other.start();
      await other.dispatch('order.cancelled', ORDER);
      await other.drain();
      expect(await orders()).toEqual([]);
      expect(eventsReceived()).toEqual(['order.cancelled']);
      expect((await other.get(id)).stats).toEqual({ total: 1, success: 1, failed: 0, pending: 0 });
    },
    2 * PATIENCE_MS,
  );
});

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
  function openImpatient(): Kysely<HostTables> {
    const onConnect =
      server.name === 'PostgreSQL' ? 'set lock_timeout = 500' : 'set session innodb_lock_wait_timeout = 1';
    return database.open<HostTables>({ onConnect });
  }

  function engineOn(connections: Kysely<HostTables>): Host {
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
      const hostDb = database.open<HostTables>();
      await migrateWebhooks(hostDb);
      const host = createWebhooks({ storage: kyselyStorage(hostDb) });
      const [held, kept] = [
        await host.create({ url: 'https://recipient.example/', events: ['order.*'] }),
        await host.create({ url: 'https://recipient.example/', events: ['user.*'] }),
      ];
      const onConnect =
        server.name === 'PostgreSQL' ? 'set lock_timeout = 500' : 'set session innodb_lock_wait_timeout = 1';
      const impatient = kyselyStorage(database.open<HostTables>({ onConnect }));
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

/** Waits until the process is gone, whatever it was doing. */
async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

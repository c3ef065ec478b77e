import type { Kysely, Transaction } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks.ts';
import { databaseServers } from '../kysely/database-servers.ts';

type Host = Webhooks<Transaction<unknown>>;

const sharedServers = databaseServers.filter(({ clock }) => clock === 'database');

describe.each(sharedServers)('a key in a transaction of the host that stays open, on $name', (server) => {
  const it = test.skipIf(server.skipped);
  const engines: Host[] = [];
  let database: TestDatabase;

  beforeEach(async () => {
    if (server.skipped !== undefined) return;
    database = await server.create();
    await migrateWebhooks(database.open());
  });
  afterEach(async () => {
    if (server.skipped !== undefined) return;
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    await database.remove();
  });

  /** An engine that writes and never delivers: it is not started. */
  function engineOn(connections: Kysely<unknown>): Host {
    const engine = createWebhooks({ storage: kyselyStorage(connections) });
    engines.push(engine);
    return engine;
  }

  it('holds up a dispatch of that key, and no other dispatch, keyed or not', async () => {
    const hostDb = database.open();
    const [host, other] = [engineOn(hostDb), engineOn(database.open())];
    await other.create({ url: 'https://recipient.example/' });
    const keyed = (idempotencyKey: string) => other.dispatch('order.paid', {}, { idempotencyKey });
    const waiting: Promise<unknown>[] = [];
    await hostDb.transaction().execute(async (transaction) => {
      for (const idempotencyKey of ['held-1', 'held-2']) {
        await host.dispatch('order.paid', {}, { transaction, idempotencyKey });
      }
      waiting.push(keyed('held-1'));
      expect(await other.dispatch('order.paid', {})).toEqual({ deliveries: 1, repeated: false });
      const group = Array.from({ length: 40 }, (_, i) => keyed(`free-${i}`));
      waiting.push(keyed('held-2'));
      const late = keyed('late');
      // Each of these would wait for ever: the transaction ends after them.
      expect(await Promise.all([...group, late])).toEqual(
        Array.from({ length: 41 }, () => ({ deliveries: 1, repeated: false })),
      );
      expect(other.stats()).toMatchObject({ dispatched: 42, refused: 0 });
    });
    const repeated = { deliveries: 0, repeated: true };
    expect(await Promise.all(waiting)).toEqual([repeated, repeated]);
  });

  it('fails the dispatches that waited for it for 10 s, and no other', async () => {
    const hostDb = database.open();
    const [host, other] = [engineOn(hostDb), engineOn(database.open())];
    await other.create({ url: 'https://recipient.example/' });
    await hostDb.transaction().execute(async (transaction) => {
      await host.dispatch('order.paid', {}, { transaction, idempotencyKey: 'held' });
      const outcomes = await Promise.allSettled([
        ...Array.from({ length: 4 }, () => other.dispatch('order.paid', {}, { idempotencyKey: 'held' })),
        ...Array.from({ length: 10 }, () => other.dispatch('order.paid', {})),
        ...Array.from({ length: 10 }, (_, i) =>
          other.dispatch('order.paid', {}, { idempotencyKey: `free-${i}` }),
        ),
      ]);
      expect(outcomes.slice(0, 4)).toMatchObject(
        Array.from({ length: 4 }, () => ({ status: 'rejected', reason: { code: 'storage_unavailable' } })),
      );
      expect(outcomes.slice(4).map(({ status }) => status)).toEqual(Array(20).fill('fulfilled'));
    });
    expect(other.stats()).toMatchObject({ dispatched: 20, refused: 4 });
  }, 30_000);
});

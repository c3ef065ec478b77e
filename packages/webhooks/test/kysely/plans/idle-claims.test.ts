import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { untilFinished } from '../../../../../test/services/test-database.ts';
import { chooseEvenly } from '../../../contract/storage/choose-evenly.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import { databaseServers } from '../database-servers.ts';
import { NEW_WEBHOOK } from '../example-rows.ts';

/**
 * What a connection does to keep every other one from writing, or locking, a delivery or a webhook.
 */
const WRITES_HELD: Readonly<Record<string, (connection: Kysely<unknown>) => Promise<unknown>>> = {
  SQLite: (connection) => sql`begin immediate`.execute(connection),
  PostgreSQL: async (connection) => {
    await sql`begin`.execute(connection);
    await sql`lock table webhooks, webhook_deliveries in exclusive mode`.execute(connection);
  },
  'MySQL or MariaDB': (connection) =>
    sql`lock tables webhooks read, webhook_deliveries read`.execute(connection),
};

describe.each(databaseServers)('an idle process on $name', ({ name, skipped, createEmpty }) => {
  test.skipIf(skipped)('reads what is due and locks nothing, and claims what it finds', async () => {
    const database = untilFinished(await createEmpty());
    let roundTrips = 0;
    const db = database.open({ log: () => roundTrips++ });
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    const claim = () =>
      storage.claimDueDeliveries({
        now: Date.now() + 60_000,
        limit: 50,
        leaseMs: 1_000,
        maxAttempts: 4,
        claimToken: 'token',
        isFromStart: true,
        choose: chooseEvenly(50, 10),
      });
    // Asks which database this is, which the first statement does beside itself.
    await storage.assertReady?.();
    expect(await claim()).toEqual([]);
    await database
      .open()
      .connection()
      .execute(async (other) => {
        await WRITES_HELD[name]?.(other);
        try {
          for (let sweep = 0; sweep < 3; sweep++) {
            roundTrips = 0;
            expect(await claim()).toEqual([]);
            expect(roundTrips).toBe(1);
          }
        } finally {
          await sql.raw(name.startsWith('MySQL') ? 'unlock tables' : 'commit').execute(other);
        }
      });
    const createdAt = new Date().toISOString();
    await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches([
      { event: 'order.paid', payload: '{}', createdAt, target: { patterns: ['*'] } },
    ]);
    expect(await claim()).toHaveLength(1);
  });
});

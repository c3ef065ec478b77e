import { type Kysely, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { kyselyStorage, migrateWebhooks, webhookMigrations } from '../../src/kysely/index.ts';
import { databaseServers } from './database-servers.ts';
import type { TestDatabase } from './test-database.ts';

const CREATED_AT = '2026-11-20T04:10:00.123Z';
const LATER = '2026-11-20T05:00:00.000Z';
const ALL = Object.keys(webhookMigrations);
const [FIRST = ''] = ALL;

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.remove();
});

async function newDatabase(create: () => Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await create();
  opened.push(database);
  return database;
}

/** An installation of the first version, with a delivery of every status. */
async function installFirstVersion<DB>(db: Kysely<DB>): Promise<void> {
  await webhookMigrations[FIRST]?.up(db);
  await sql`create table webhook_migrations (name varchar(128) primary key, applied_at varchar(32) not null)`.execute(
    db,
  );
  await sql`insert into webhook_migrations values (${FIRST}, ${CREATED_AT})`.execute(db);
  for (const url of ['https://a.example/', 'https://b.example/']) {
    await sql`insert into webhooks (url, secret, description, events, created_at, updated_at)
      values (${url}, 'whsec_old', 'd', '["*"]', ${CREATED_AT}, ${CREATED_AT})`.execute(db);
  }
  const deliveries: [
    webhookId: number,
    status: string,
    createdAt: string,
    nextAttemptAt: string | null,
    attempts: number,
    completedAt: string | null,
  ][] = [
    [1, 'pending', CREATED_AT, CREATED_AT, 0, null],
    [1, 'pending', LATER, LATER, 2, null],
    [1, 'success', CREATED_AT, null, 1, CREATED_AT],
    [1, 'failed', CREATED_AT, null, 4, LATER],
    [2, 'failed', LATER, null, 4, LATER],
  ];
  for (const [
    i,
    [webhookId, status, createdAt, nextAttemptAt, attempts, completedAt],
  ] of deliveries.entries()) {
    await sql`insert into webhook_deliveries
      (webhook_id, delivery_id, event, payload, status, attempts, created_at, next_attempt_at, completed_at)
      values (${webhookId}, ${`${i}`.padStart(32, '0')}, 'order.paid', '{"kept":1}', ${status}, ${attempts},
        ${createdAt}, ${nextAttemptAt}, ${completedAt})`.execute(db);
  }
}

describe.each(databaseServers)('an upgrade on $name', ({ skipped, create }) => {
  test.skipIf(skipped)('keeps what is there and counts it', async () => {
    const database = await newDatabase(create);
    const db = database.open();
    await installFirstVersion(db);
    expect(await migrateWebhooks(db)).toEqual(ALL.slice(1));
    const storage = kyselyStorage(db);
    expect(await storage.findWebhook(1)).toEqual({
      ...{ id: 1, url: 'https://a.example/', description: 'd', events: ['*'], isActive: true, createdBy: 0 },
      ...{ createdAt: CREATED_AT, updatedAt: CREATED_AT, inactiveReason: '', previousSecretExpiresAt: null },
    });
    expect(await storage.countDeliveries(1)).toEqual({ total: 4, success: 1, failed: 1, pending: 2 });
    expect(await storage.countDeliveries(2)).toEqual({ total: 1, success: 0, failed: 1, pending: 0 });
    expect(await storage.readActivity({ webhookId: 1, from: CREATED_AT, to: LATER })).toEqual([
      { hour: '2026-11-20T04:00:00.000Z', success: 1, failed: 1, pending: 1 },
      { hour: '2026-11-20T05:00:00.000Z', success: 0, failed: 0, pending: 1 },
    ]);
    expect(await storage.countFailuresInARow(1, 10)).toBe(1);
    const now = Math.max(Date.now(), Date.parse(LATER));
    const claims = await storage.claimDueDeliveries({
      ...{ now, limit: 10, leaseMs: 60_000, maxAttempts: 4, claimToken: 't' },
      ...{ maxPerWebhook: 10, inFlight: new Map() },
    });
    expect(claims.map(({ deliveryId, attempt, payload }) => [Number(deliveryId), attempt, payload])).toEqual([
      [0, 1, '{"kept":1}'],
      [1, 3, '{"kept":1}'],
    ]);
    expect(await storage.reopenFailed({ createdSince: CREATED_AT, now, limit: 10 })).toHaveLength(2);
  });

  test.skipIf(skipped)(
    'is applied once when many processes start at once, on a new database and an old one',
    async () => {
      for (const isOld of [false, true]) {
        const database = await newDatabase(create);
        if (isOld) await installFirstVersion(database.open());
        const processes = Array.from({ length: 4 }, () => database.open());
        const applied = await Promise.all(processes.map((db) => migrateWebhooks(db)));
        // One process may apply the first, and another one the next.
        expect(applied.flat().toSorted()).toEqual(isOld ? ALL.slice(1) : ALL);
      }
    },
  );

  test.skipIf(skipped)(
    'goes on after a run that died at any of its statements',
    async () => {
      for (let survived = 1; ; survived += 4) {
        const database = await newDatabase(create);
        await installFirstVersion(database.open());
        let statements = 0;
        const dying = database.open({
          log: ({ query }) => {
            if (!/^(alter|create|drop|insert|update|delete)/.test(query.sql)) return;
            if (++statements > survived) throw new Error('the process dies');
          },
        });
        const isOver = await migrateWebhooks(dying).then(
          () => true,
          () => false,
        );
        const db = database.open();
        await migrateWebhooks(db);
        expect(await kyselyStorage(db).countDeliveries(1)).toEqual({
          total: 4,
          success: 1,
          failed: 1,
          pending: 2,
        });
        if (isOver) break;
        await database.remove();
        opened.pop();
      }
    },
    60_000,
  );

  test.skipIf(skipped)('says whose table is in the way, and leaves it alone', async () => {
    const db = (await newDatabase(create)).open();
    await sql`create table webhook_deliveries (mine varchar(9))`.execute(db);
    await expect(migrateWebhooks(db)).rejects.toThrow(/webhook_deliveries.*already exists/);
    await sql`drop table webhook_deliveries`.execute(db);
    expect(await migrateWebhooks(db)).toEqual(ALL);
  });
});

import type { Kysely, Transaction } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { describeNames } from '../../../toolkit/test/kysely/table-names/names-contract.ts';
import { kyselyStorage, migrateWebhooks, webhookMigrations } from '../../src/kysely/index.ts';
import { DEFAULT_NAMES } from '../../src/kysely/names.ts';
import { countDeliveries } from '../count-deliveries.ts';
import { databaseServers } from './database-servers.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from './example-rows.ts';

const { openOn, applicationsOn } = describeNames({
  packageName: 'webhooks',
  servers: databaseServers,
  defaults: DEFAULT_NAMES,
  migrations: webhookMigrations,
  migrate: migrateWebhooks,
  record: 'webhook_migrations',
  row: {
    table: 'webhooks',
    columns: 'url, secret, created_at, updated_at',
    values: "'https://example.com/', 's', 't', 't'",
  },
  taken: ['webhooks', 'webhook_migrations', 'webhook_deliveries'],
  factories: [kyselyStorage],
  async works(db, names) {
    const storage = kyselyStorage(db, names);
    await storage.assertReady?.();
    await storage.createWebhook(NEW_WEBHOOK);
    await db.transaction().execute((transaction) => storage.recordDispatches([DISPATCH], transaction));
    expect(await countDeliveries(storage, 1)).toMatchObject({ total: 1 });
  },
});

describe.each(databaseServers)('on $name', (server) => {
  const { name, skipped } = server;
  const applications = applicationsOn(name);

  test.skipIf(skipped)('applications with names of their own never meet', async () => {
    const database = await openOn(server);
    const db: Kysely<unknown> = database.open();
    for (const names of applications) await migrateWebhooks(db, names);
    const [first, ...others] = applications.map((names) => kyselyStorage(db, names));
    if (first === undefined) throw new Error('there are applications');
    await first.createWebhook(NEW_WEBHOOK);
    const keyed = { ...DISPATCH, idempotencyKey: 'k' };
    expect(await first.recordDispatches([keyed])).toMatchObject([{ outcome: 'written' }]);
    for (const other of others) {
      expect(await other.listWebhooks({ sort: 'id', order: 'asc', limit: 9, offset: 0 })).toEqual({
        webhooks: [],
        total: 0,
      });
      expect(await other.recordDispatches([keyed])).toEqual([{ outcome: 'written', deliveryIds: [] }]);
      expect(await other.claimDueDeliveries({ ...CLAIM, now: Date.now() })).toEqual([]);
      const now = Date.now() + 1;
      const createdBefore = new Date(now).toISOString();
      expect(await other.purgeDeliveries({ createdBefore, now, limit: 9 })).toMatchObject({ removed: 0 });
      expect(await other.purgeIdempotencyKeys({ createdBefore, limit: 9 })).toBe(1);
      await other.createWebhook(NEW_WEBHOOK);
      expect(await other.deleteWebhook(1)).toBe(true);
    }
    expect(await first.recordDispatches([keyed])).toMatchObject([{ outcome: 'repeated' }]);
    expect(await first.claimDueDeliveries({ ...CLAIM, now: Date.now() })).toHaveLength(1);
  });

  test.skipIf(skipped)('one transaction of the host takes dispatches of several applications', async () => {
    const db: Kysely<unknown> = (await openOn(server)).open();
    for (const names of applications) await migrateWebhooks(db, names);
    const storages = applications.map((names) => kyselyStorage(db, names));
    for (const storage of storages) await storage.createWebhook(NEW_WEBHOOK);
    const dispatchAll = async (transaction: Transaction<unknown>) => {
      for (const storage of storages) await storage.recordDispatches([DISPATCH], transaction);
    };
    await db.transaction().execute(dispatchAll);
    const rolledBack = db.transaction().execute(async (transaction) => {
      await dispatchAll(transaction);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    for (const storage of storages) {
      expect(await countDeliveries(storage, 1)).toMatchObject({ total: 1, pending: 1 });
    }
  });

  test.skipIf(skipped)('a start names the table that it lacks as the database would', async () => {
    const storage = kyselyStorage((await openOn(server)).open(), { tablePrefix: 'acme_' });
    await expect(storage.assertReady?.()).rejects.toMatchObject({
      code: 'storage_misconfigured',
      message: expect.stringContaining('lacks the table acme_webhooks,'),
    });
  });
});

test('an unknown option is refused', async () => {
  const [sqlite] = databaseServers;
  if (sqlite === undefined) throw new Error('SQLite is always there');
  const db = (await openOn(sqlite)).open();
  const prefix = { prefix: 'a_' } as TableNameOptions;
  expect(() => kyselyStorage(db, prefix)).toThrow(/kyselyStorage: unknown option "prefix"/);
  await expect(migrateWebhooks(db, prefix)).rejects.toThrow(/migrateWebhooks: unknown option/);
});

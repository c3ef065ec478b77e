import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import { createWebhooks } from '../../../src/webhooks.ts';
import { databaseServers } from '../database-servers.ts';
import { DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';

const KEYS = 60;

let database: TestDatabase | undefined;
afterEach(() => database?.remove());

// SQLite has one writer at a time: everybody waits for the host's transaction there.
describe.each(databaseServers.filter(({ clock }) => clock === 'database'))(
  'on $name',
  ({ skipped, create }) => {
    test.skipIf(skipped)(
      'a removal hides webhooks beside a transaction of the host, and a registration waits for neither',
      async () => {
        database = await create();
        const db = database.open();
        await migrateWebhooks(db);
        const storage = kyselyStorage(db);
        const webhooks = createWebhooks({ storage });
        const dispatchFor = (tenant: string, idempotencyKey: string) => ({
          ...{ ...DISPATCH, tenant, idempotencyKey },
          target: { patterns: ['*'], tenants: [tenant] },
        });
        for (const tenant of ['gone', 'stays']) await storage.createWebhook({ ...NEW_WEBHOOK, tenant });
        await storage.recordDispatches(
          Array.from({ length: KEYS }, (_, n) => dispatchFor('gone', `key-${n}`)),
        );
        let removing: Promise<unknown> | undefined;
        await db.transaction().execute(async (transaction) => {
          await storage.recordDispatches([dispatchFor('stays', 'a'), dispatchFor('gone', 'b')], transaction);
          // On MySQL and MariaDB it may wait for this transaction before it removes deliveries.
          removing = webhooks.removeTenant('gone');
          await vi.waitFor(
            async () => expect((await webhooks.list({ tenant: 'gone' })).total).toBe(0),
            60_000,
          );
          await storage.createWebhook({ ...NEW_WEBHOOK, tenant: 'other', maxOfTenant: 1 });
        });
        expect(await removing).toMatchObject({ webhooks: 1, idempotencyKeys: KEYS });
        expect(await webhooks.removeTenant('gone')).toMatchObject({ webhooks: 0, idempotencyKeys: 1 });
        const { webhooks: left } = await webhooks.list({ tenant: 'stays' });
        expect((await webhooks.get(left[0]?.id ?? 0)).stats.total).toBe(1);
      },
      20_000,
    );

    test.skipIf(skipped)('a removal leaves no delivery that somebody has locked', async () => {
      database = await create();
      const db = database.open();
      await migrateWebhooks(db);
      const storage = kyselyStorage(db);
      const { id } = await storage.createWebhook(NEW_WEBHOOK);
      await storage.recordDispatches([DISPATCH]);
      let removing: Promise<unknown> | undefined;
      await db.transaction().execute(async (transaction) => {
        await sql`select id from webhook_deliveries for update`.execute(transaction);
        await storage.deleteWebhook(id);
        removing = storage.purgeDeliveries({ createdBefore: '', now: Date.now(), limit: 100 });
        expect(await Promise.race([removing, storage.findWebhook(id)])).toBeUndefined();
      });
      expect(await removing).toMatchObject({ removed: 1 });
    });
  },
);

import { type Kysely, sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK, successOf } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

test('leaves no row of a removed webhook, whether or not the connection enforces foreign keys', async () => {
  for (const foreignKeys of ['on', 'off']) {
    const db = await migratedSqlite();
    await sql`pragma foreign_keys = ${sql.raw(foreignKeys)}`.execute(db);
    const storage = kyselyStorage(db);
    const { id } = await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches([DISPATCH]);
    await storage.deleteWebhook(id);
    for (const table of ['webhooks', 'webhook_patterns', 'webhook_deliveries'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
  }
});

test('removes a long history without holding up the process or other operations', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.createWebhook({ ...NEW_WEBHOOK, events: ['user.*'] });
  await storage.recordDispatches(Array.from({ length: 1_000 }, () => DISPATCH));
  const order: string[] = [];
  const removing = storage.deleteWebhook(id).then(() => order.push('removed'));
  setImmediate(() => order.push('a turn of the event loop'));
  const dispatch = { ...DISPATCH, event: 'user.created', target: { patterns: ['user.*'] } };
  await storage.recordDispatches([dispatch]).then(() => order.push('dispatched'));
  await removing;
  expect(order.at(-1)).toBe('removed');
  expect(order).toHaveLength(3);
});

test('leaves a history that takes longer than ten seconds to the purge', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches(Array.from({ length: 500 }, () => DISPATCH));
  const countLeft = async () => (await db.selectFrom('webhook_deliveries').select('id').execute()).length;
  let now = 0;
  const time = vi.spyOn(performance, 'now').mockImplementation(() => (now += 6_000));
  onTestFinished(() => time.mockRestore());
  await storage.deleteWebhook(id);
  const left = await countLeft();
  expect([left > 0, left < 500]).toEqual([true, true]);
  const { createdAt: createdBefore } = NEW_WEBHOOK;
  const purge = () => storage.purgeDeliveries({ createdBefore, now: Date.now(), limit: 100 });
  while ((await purge()).removed > 0);
  expect(await countLeft()).toBe(0);
});

describe('a removal that fails on its way', () => {
  async function interrupted() {
    const db = await migratedSqlite();
    const storage = kyselyStorage(db);
    const { id } = await storage.createWebhook(NEW_WEBHOOK);
    const [receipt] = await storage.recordDispatches(Array.from({ length: 250 }, () => DISPATCH));
    const [held] = await storage.claimDueDeliveries({ ...CLAIM, limit: 1 });
    await sql`create trigger refuse before delete on webhook_deliveries when old.id = 150
      begin select raise(abort, 'refused by a trigger'); end`.execute(db);
    await expect(storage.deleteWebhook(id)).rejects.toThrow('refused by a trigger');
    await sql`drop trigger refuse`.execute(db);
    const left = await db.selectFrom('webhook_deliveries').select('id').execute();
    expect(left).toHaveLength(150);
    return { db, storage, id, deliveryId: receipt?.deliveryIds[0] ?? '', held };
  }

  async function rowsLeft(db: Kysely<WebhookTables>) {
    const deliveries = await db.selectFrom('webhook_deliveries').selectAll().execute();
    return [...deliveries, ...(await db.selectFrom('webhooks').selectAll().execute())];
  }

  test('leaves nothing to find, match, claim, record or change, and no secret', async () => {
    const { db, storage, id, held } = await interrupted();
    const last = await db
      .selectFrom('webhook_deliveries')
      .select(['id', 'delivery_id'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(await storage.findWebhook(id)).toBeUndefined();
    const query = { limit: 100, offset: 0, sort: 'id', order: 'asc' } as const;
    expect(await storage.listWebhooks(query)).toEqual({ webhooks: [], total: 0 });
    expect(
      await storage.updateWebhook(id, { isActive: true, updatedAt: NEW_WEBHOOK.createdAt }),
    ).toBeUndefined();
    expect(await storage.deleteWebhook(id)).toBe(false);
    expect(await storage.countDeliveries(id)).toMatchObject({ total: 0 });
    expect(await storage.listDeliveries({ webhookId: id, limit: 101 })).toEqual([]);
    expect(await storage.findDelivery(id, last.delivery_id)).toBeUndefined();
    expect(await storage.claimDueDeliveries(CLAIM)).toEqual([]);
    for (const target of [{ patterns: ['*'] }, { webhookId: id }]) {
      expect(await storage.recordDispatches([{ ...DISPATCH, target }])).toMatchObject([{ deliveryIds: [] }]);
    }
    await db.updateTable('webhook_deliveries').set({ claim_token: 't' }).where('id', '=', last.id).execute();
    const results = [last.id, held?.id ?? 0].map(successOf);
    expect(await storage.recordAttempts(results)).toEqual(['gone', 'gone']);
    expect(await db.selectFrom('webhooks').select('secret').execute()).toEqual([{ secret: '' }]);
  });

  test('is finished by the next purge, which reports none of it as expired', async () => {
    const { db, storage } = await interrupted();
    const stays = await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches([{ ...DISPATCH, createdAt: '2026-01-01T00:00:00.000Z' }, DISPATCH]);
    const purge = (limit: number) =>
      storage.purgeDeliveries({ createdBefore: '2026-06-01', now: CLAIM.now, limit });
    expect(await purge(100)).toEqual({ removed: 100, expired: [] });
    const last = await purge(100);
    expect(last).toMatchObject({ removed: 51, expired: [{ webhookId: stays.id }] });
    expect(await purge(100)).toEqual({ removed: 0, expired: [] });
    expect(await rowsLeft(db)).toMatchObject([{ webhook_id: stays.id }, { id: stays.id }]);
  });

  test('is finished even when what is left is exactly the limit', async () => {
    const { db, storage } = await interrupted();
    const purge = (limit: number) =>
      storage.purgeDeliveries({ createdBefore: '2026-01-01', now: CLAIM.now, limit });
    expect([await purge(150), await purge(150)].map(({ removed }) => removed)).toEqual([150, 0]);
    expect(await rowsLeft(db)).toEqual([]);
  });
});

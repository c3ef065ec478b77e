import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { chooseEvenly } from '../../../contract/storage/choose-evenly.ts';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { changing } from '../../../src/storage/changed-state.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import { countDeliveries } from '../../count-deliveries.ts';
import { historyOf } from '../../storage/history-of.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK, successOf } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

const DAY_MS = 86_400_000;

test('leaves no row of a removed webhook after a day, whether or not the connection enforces foreign keys', async () => {
  for (const foreignKeys of ['on', 'off']) {
    const db = await migratedSqlite();
    await sql`pragma foreign_keys = ${sql.raw(foreignKeys)}`.execute(db);
    const storage = kyselyStorage(db);
    const { id } = await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches([DISPATCH]);
    await storage.deleteWebhook(id);
    const now = Date.now();
    await storage.purgeDeliveries({ createdBefore: '', now, limit: 100 });
    expect(await db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([]);
    // A dispatch that found the webhook before may commit only now.
    expect(await db.selectFrom('webhooks').select('is_removed').execute()).toEqual([{ is_removed: 1 }]);
    await storage.purgeDeliveries({ createdBefore: '', now: now + DAY_MS + 1_000, limit: 100 });
    for (const table of ['webhooks', 'webhook_patterns', 'webhook_deliveries'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
  }
});

describe('a webhook whose deliveries are still to be removed', () => {
  async function removed() {
    const db = await migratedSqlite();
    const storage = kyselyStorage(db);
    const { id } = await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches(Array.from({ length: 150 }, () => DISPATCH));
    const [held] = await storage.claimDueDeliveries({ ...CLAIM, limit: 1, choose: chooseEvenly(1) });
    expect(await storage.deleteWebhook(id)).toBe(true);
    return { db, storage, id, held };
  }

  async function rowsLeft(db: Kysely<WebhookTables>) {
    const deliveries = await db.selectFrom('webhook_deliveries').selectAll().execute();
    return [...deliveries, ...(await db.selectFrom('webhooks').selectAll().execute())];
  }

  test('leaves nothing to find, match, claim, record or change, and nothing of its own', async () => {
    const { db, storage, id, held } = await removed();
    const last = await db
      .selectFrom('webhook_deliveries')
      .select(['id', 'delivery_id'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(await storage.findWebhook(id)).toBeUndefined();
    const query = { limit: 100, offset: 0, sort: 'id', order: 'asc' } as const;
    expect(await storage.listWebhooks(query)).toEqual({ webhooks: [], total: 0 });
    expect(
      await storage.changeWebhook(id, changing({ isActive: true, updatedAt: NEW_WEBHOOK.createdAt })),
    ).toBeUndefined();
    expect(await storage.deleteWebhook(id)).toBe(false);
    expect(await countDeliveries(storage, id)).toMatchObject({ total: 0 });
    expect(await historyOf(storage, id)).toEqual([]);
    const byId = { deliveryId: last.delivery_id, limit: 1, maxScanned: 10 };
    expect((await storage.findDeliveries(byId)).deliveries).toEqual([]);
    expect(await storage.claimDueDeliveries(CLAIM)).toEqual([]);
    for (const target of [{ patterns: ['*'] }, { webhookId: id }]) {
      expect(await storage.recordDispatches([{ ...DISPATCH, target }])).toMatchObject([{ deliveryIds: [] }]);
    }
    await db.updateTable('webhook_deliveries').set({ claim_token: 't' }).where('id', '=', last.id).execute();
    const results = [last.id, held?.id ?? 0].map(successOf);
    expect(await storage.recordAttempts(results, RESULT_RULES)).toEqual(['gone', 'gone']);
    const own = ['url', 'name', 'description', 'events', 'secret'] as const;
    const empty = { url: '', name: '', description: '', events: '[]', secret: '' };
    expect(await db.selectFrom('webhooks').select(own).execute()).toEqual([empty]);
  });

  test('is removed by the next purge, which reports none of it as expired', async () => {
    const { db, storage } = await removed();
    const stays = await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches([{ ...DISPATCH, createdAt: '2026-01-01T00:00:00.000Z' }, DISPATCH]);
    const purge = (limit: number) =>
      storage.purgeDeliveries({ createdBefore: '2026-06-01', now: CLAIM.now, limit });
    expect(await purge(100)).toEqual({ removed: 100, expired: [] });
    const last = await purge(100);
    expect(last).toMatchObject({ removed: 51, expired: [{ webhookId: stays.id }] });
    expect(await purge(100)).toEqual({ removed: 0, expired: [] });
    expect(await rowsLeft(db)).toMatchObject([{ webhook_id: stays.id }, { is_removed: 1 }, { id: stays.id }]);
  });

  test('is removed even when what is left is exactly the limit', async () => {
    const { db, storage } = await removed();
    const purge = (limit: number) =>
      storage.purgeDeliveries({ createdBefore: '2026-01-01', now: CLAIM.now, limit });
    expect([await purge(150), await purge(150)].map(({ removed }) => removed)).toEqual([150, 0]);
    expect(await rowsLeft(db)).toMatchObject([{ is_removed: 1 }]);
  });
});

test('deliveries of a removed webhook go, however many were removed before it, and so do all of these', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const at = NEW_WEBHOOK.createdAt;
  const hidden = { url: 'https://a.example/', secret: '', is_removed: 1, is_active: 0 };
  const updated_at = new Date().toISOString();
  const rows = Array.from({ length: 1_200 }, () => ({ ...hidden, created_at: at, updated_at }));
  for (let start = 0; start < rows.length; start += 400) {
    await db
      .insertInto('webhooks')
      .values(rows.slice(start, start + 400))
      .execute();
  }
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches(Array.from({ length: 150 }, () => DISPATCH));
  await storage.deleteWebhook(id);
  const purge = async (now: number) =>
    (await storage.purgeDeliveries({ createdBefore: '', now, limit: 100 })).removed;
  expect([await purge(Date.now()), await purge(Date.now())]).toEqual([100, 50]);
  expect(await db.selectFrom('webhook_deliveries').select('id').execute()).toEqual([]);
  await purge(Date.now() + DAY_MS + 1_000);
  expect(await db.selectFrom('webhooks').select('id').execute()).toEqual([]);
});

test('a search finds deliveries behind those of a webhook that is being removed', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const kept = await storage.createWebhook({ ...NEW_WEBHOOK, events: ['user.kept'] });
  const removed = await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches([{ ...DISPATCH, event: 'user.kept', target: { webhookId: kept.id } }]);
  await storage.recordDispatches(
    Array.from({ length: 50 }, () => ({ ...DISPATCH, target: { webhookId: removed.id } })),
  );
  await storage.deleteWebhook(removed.id);
  expect(await storage.findDeliveries({ limit: 5, maxScanned: 5_000 })).toMatchObject({
    deliveries: [{ webhookId: kept.id }],
    next: null,
    isCut: false,
  });
  const bounded = await storage.findDeliveries({ limit: 5, maxScanned: 20 });
  expect(bounded).toMatchObject({ deliveries: [], isCut: true });
});

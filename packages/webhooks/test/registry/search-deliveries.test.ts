import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { defineEvents } from '../../src/events/index.ts';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { engineOn, HOOK_URL, startAdmin } from '../admin/admin-harness.ts';
import { failPending } from '../admin/fail-pending.ts';
import { DISPATCH } from '../kysely/example-rows.ts';
import { migratedSqlite, newSqlite } from '../kysely/migrated-sqlite.ts';

const PUBLIC = { resolve: async () => [{ address: '93.184.216.34', family: 4 as const }] };

async function withDeliveries(count: number) {
  const storage = memoryStorage();
  const webhooks = engineOn(storage);
  await webhooks.create({ url: HOOK_URL });
  for (let i = 0; i < count; i++) await webhooks.dispatch('user.created', { i });
  return { storage, ...startAdmin({ webhooks }) };
}

describe('searching deliveries', () => {
  it('finds one by its delivery id, and pages through those that match', async () => {
    const { call, storage } = await withDeliveries(3);
    await failPending(storage, 10);
    const { json, status } = await call(
      'GET',
      '/deliveries?status=failed&error=timeout&status_code=0&limit=2',
    );
    expect([status, json.deliveries.length, json.scanned_until]).toEqual([200, 2, null]);
    const [{ delivery_id: deliveryId }] = json.deliveries;
    const rest = await call('GET', `/deliveries?status=failed&limit=2&cursor=${json.next_cursor}`);
    expect(rest.json).toMatchObject({
      deliveries: [{ webhook_id: 1, webhook_url: HOOK_URL }],
      next_cursor: null,
    });
    const one = await call('GET', `/deliveries?delivery_id=${deliveryId}`);
    expect(one.json.deliveries).toEqual([json.deliveries[0]]);
    expect((await call('GET', '/deliveries?from=2999-01-01T00:00:00Z')).json.deliveries).toEqual([]);
    expect((await call('GET', '/deliveries?to=2999-01-01T00:00:00Z')).json.deliveries).toHaveLength(3);
  });

  it("finds those of a customer, and those of the application's own webhooks", async () => {
    const events = defineEvents({ 'order.paid': { label: 'Paid', audience: 'tenant' } });
    const webhooks = createWebhooks({ storage: memoryStorage(), events, egress: PUBLIC });
    await webhooks.create({ url: HOOK_URL, tenant: 'acme' });
    await webhooks.create({ url: HOOK_URL });
    await webhooks.dispatch('order.paid', {}, { tenant: 'acme' });
    const { call } = startAdmin({ webhooks });
    const found = async (query: string) =>
      (await call('GET', `/deliveries?${query}`)).json.deliveries.map(
        ({ webhook_id: id }: { webhook_id: number }) => id,
      );
    expect([await found('tenant=acme'), await found('tenant='), await found('')]).toEqual([[1], [2], [2, 1]]);
    expect(await found('tenant=globex')).toEqual([]);
    expect([
      await found('webhook_id=1'),
      await found('webhook_id=1&tenant='),
      await found('webhook_id=9'),
    ]).toEqual([[1], [], []]);
    const own = await webhooks.searchDeliveries({ tenant: null });
    expect(own.deliveries.map(({ webhookId }) => webhookId)).toEqual([2]);
    await expect(webhooks.forTenant('acme').searchDeliveries({ tenant: 'globex' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    await webhooks.dispatch('order.paid', {}, { tenant: 'acme' });
    const first = await call('GET', '/deliveries?webhook_id=1&status=pending&error=&limit=1');
    const second = await call('GET', `/deliveries?webhook_id=1&limit=1&cursor=${first.json.next_cursor}`);
    expect([first, second].map(({ json }) => json.deliveries[0].webhook_id)).toEqual([1, 1]);
    expect(second.json.next_cursor).toBe(null);
  });

  it("finds those of the application's own webhooks where it has more than a customer may have", async () => {
    const events = defineEvents({ 'order.paid': { label: 'Paid', audience: 'tenant' } });
    const webhooks = createWebhooks({ storage: memoryStorage(), events, egress: PUBLIC });
    for (let n = 0; n < 101; n++)
      await webhooks.create({ url: HOOK_URL, events: [n < 2 ? '*' : 'role.created'] });
    await webhooks.create({ url: HOOK_URL, tenant: 'acme' });
    for (let n = 0; n < 3; n++) await webhooks.dispatch('order.paid', {}, { tenant: 'acme' });
    const found: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await webhooks.searchDeliveries({ tenant: null, limit: 2, cursor });
      found.push(...page.deliveries.map(({ webhookId }) => webhookId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual([1, 1, 1, 2, 2, 2]);
    const [foreign] = (await webhooks.forTenant('acme').searchDeliveries()).deliveries;
    const search = { deliveryId: foreign?.deliveryId };
    expect((await webhooks.searchDeliveries(search)).deliveries).toHaveLength(1);
    expect((await webhooks.searchDeliveries({ tenant: null, ...search })).deliveries).toEqual([]);
  });

  it("finds those of the application's own many webhooks in a few statements, beside newer ones of customers", async () => {
    let statements = 0;
    const db = newSqlite().open<WebhookTables>({ log: () => statements++ });
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    const webhooks = engineOn(storage);
    const dispatchTo = (webhookId: number) =>
      storage.recordDispatches([{ ...DISPATCH, target: { webhookId } }]);
    for (let n = 0; n < 101; n++) await webhooks.create({ url: HOOK_URL });
    await dispatchTo(1);
    for (let n = 0; n < 30; n++) {
      await dispatchTo((await webhooks.create({ url: HOOK_URL, tenant: `customer ${n}` })).id);
    }
    statements = 0;
    const { deliveries } = await webhooks.searchDeliveries({ tenant: null, event: DISPATCH.event, limit: 1 });
    expect(deliveries.map(({ webhookId }) => webhookId)).toEqual([1]);
    expect(statements).toBeLessThan(10);
  });

  inOneTest([
    ['delivery_id=abc', 'delivery_id'],
    ['status=broken', 'status'],
    ['status_code=1000', 'status_code'],
    ['from=yesterday', 'from'],
    ['cursor=ZDcx', 'cursor'],
    ['webhook=1', 'webhook'],
    ['webhook_id=0', 'webhook_id'],
    ['from=2026-11-20T00:00:00Z&to=2026-11-19T23:59:59Z', 'to'],
  ])('refuses %s', async (query, field) => {
    const { call } = await withDeliveries(0);
    const { json, status } = await call('GET', `/deliveries?${query}`);
    expect([status, json.errors[0].field.replace('deliveryId', 'delivery_id')]).toEqual([422, field]);
  });

  it('says where it stopped after 5,000 deliveries, and goes on there', async () => {
    const db = await migratedSqlite();
    const storage = kyselyStorage(db);
    const webhooks = engineOn(storage);
    const { id } = await webhooks.create({ url: HOOK_URL });
    const first = Date.parse('2026-11-20T00:00:00.000Z');
    const at = (i: number) => new Date(first + i * 1_000).toISOString();
    const target = { webhookId: id };
    for (let batch = 0; batch < 12; batch++) {
      await storage.recordDispatches(
        Array.from({ length: 500 }, (_, i) => ({
          event: 'user.created',
          payload: '{}',
          createdAt: at(batch * 500 + i),
          target,
        })),
      );
    }
    await db
      .updateTable('webhook_deliveries')
      .set({ status_code: 418 })
      .where('created_at', '=', at(10))
      .execute();
    const { call } = startAdmin({ webhooks });
    const page = (await call('GET', '/deliveries?status_code=418')).json;
    expect(page).toMatchObject({ deliveries: [], scanned_until: at(1_000) });
    const next = (await call('GET', `/deliveries?status_code=418&cursor=${page.next_cursor}`)).json;
    expect(next).toMatchObject({
      deliveries: [{ created_at: at(10) }],
      next_cursor: null,
      scanned_until: null,
    });
  });
});

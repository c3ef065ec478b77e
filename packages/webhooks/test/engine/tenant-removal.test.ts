import { beforeEach, describe, expect, it } from 'vitest';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import { defineEvents } from '../../src/events/catalog.ts';
import type { Webhooks } from '../../src/webhooks.ts';
import { useEngineHarness } from './engine-harness.ts';
import { ALL_STORAGES } from './storages.ts';

const URL_OK = 'https://93.184.215.14/';
const events = defineEvents({ 'order.paid': { label: 'Order paid', audience: 'tenant' } });
const NOTHING = { webhooks: 0, deliveries: 0, idempotencyKeys: 0, done: true };

describe.each(ALL_STORAGES)('tenants on $name', ({ open }) => {
  const harness = useEngineHarness(open);
  let webhooks: Webhooks;
  beforeEach(() => {
    webhooks = harness.engine({ events, maxWebhooksPerTenant: 100 }).webhooks;
  });

  async function create(tenant: string | null, count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      await webhooks.create({ url: URL_OK, tenant, isActive: n % 3 > 0, events: ['order.paid'] });
    }
  }

  it('are listed with their numbers, page by page', async () => {
    const counts = { Zeta: 3, acme: 100, globex: 99, initech: 2, umbrella: 4 };
    await create(null, 2);
    for (const [tenant, count] of Object.entries(counts).toReversed()) await create(tenant, count);
    const all = Object.entries(counts).map(([tenant, count]) => {
      return { tenant, webhooks: count, active: count - Math.ceil(count / 3) };
    });
    expect(await webhooks.listTenants()).toEqual({ tenants: all, next: null });
    for (const limit of [1, 2, 5]) {
      const read: unknown[] = [];
      for (let next: string | null | undefined; next !== null; ) {
        const page = await webhooks.listTenants({ limit, ...(next && { after: next }) });
        expect(page.tenants.length).toBeLessThanOrEqual(limit);
        read.push(...page.tenants);
        next = page.next;
      }
      expect(read).toEqual(all);
    }
    expect(await webhooks.listTenants({ after: 'umbrella' })).toEqual({ tenants: [], next: null });
    expect((await webhooks.forTenant('acme').listTenants()).tenants).toEqual(all.slice(1, 2));
    await expect(webhooks.listTenants({ limit: 101 })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(webhooks.listTenants({ after: ' ' })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('are removed with everything, and nobody else is', async () => {
    const own = webhooks.forTenant('acme');
    for (const tenant of ['acme', 'Acme', null]) await create(tenant, 2);
    const dispatch = (tenant: string, key: string) =>
      webhooks.dispatch('order.paid', {}, { tenant, idempotencyKey: key });
    for (let n = 0; n < 130; n += 1) {
      await Promise.all([dispatch('acme', `key-${n}`), dispatch('Acme', `key-${n}`)]);
    }
    const others = async () => {
      const { webhooks: all } = await webhooks.list({ limit: 100 });
      const left = all.filter(({ tenant }) => tenant !== 'acme');
      return Promise.all(left.map(async ({ id }) => (await webhooks.get(id)).stats));
    };
    const before = await others();
    const removed = await webhooks.removeTenant('acme');
    expect(removed).toEqual({ webhooks: 2, deliveries: 130, idempotencyKeys: 130, done: true });
    expect(await others()).toEqual(before);
    expect((await own.list()).total).toBe(0);
    expect((await own.searchDeliveries({})).deliveries).toEqual([]);
    expect((await webhooks.listTenants()).tenants.map(({ tenant }) => tenant)).toEqual(['Acme']);
    expect(await dispatch('acme', 'key-1')).toEqual({ deliveries: 1, repeated: false });
    expect(await dispatch('Acme', 'key-1')).toMatchObject({ repeated: true });
    expect(await webhooks.removeTenant('acme')).toEqual({ ...NOTHING, idempotencyKeys: 1 });
    expect(await webhooks.removeTenant('unknown')).toEqual(NOTHING);
    await expect(webhooks.removeTenant('')).rejects.toMatchObject({ code: 'invalid_options' });
  });

  it('leave nothing that another process was registering', async () => {
    const other = harness.engine({ events }).webhooks.forTenant('acme');
    const creating = Array.from({ length: 12 }, () => other.create({ url: URL_OK }));
    const settled = Promise.allSettled(creating);
    await Promise.race(creating);
    expect(await webhooks.removeTenant('acme')).toMatchObject({ done: true });
    const refused = (await settled).flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(new Set([...refused, 'rate_limited'])).toEqual(new Set(['rate_limited']));
    expect((await webhooks.list({ tenant: 'acme' })).total).toBe(0);
    await expect(other.create({ url: URL_OK })).rejects.toMatchObject({ status: 429, retryAfterMs: 60_000 });
  });

  it('are listed for administrators', async () => {
    await create('acme', 3);
    const api = createAdminApi(webhooks, { authorize: () => ({ uid: '1', scopes: ['admin:webhooks'] }) });
    const get = (query: string) => api(new Request(`http://localhost/api/admin/webhooks/tenants${query}`));
    const tenants = [{ tenant: 'acme', webhooks: 3, active: 2 }];
    expect(await (await get('?limit=1')).json()).toEqual({ tenants, next: null });
    expect(await (await get('?after=acme')).json()).toEqual({ tenants: [], next: null });
    expect((await get('?limit=0')).status).toBe(422);
  });
});

import { expect, it } from 'vitest';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import { defineEvents, type EventCatalog } from '../../src/events/catalog.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks.ts';
import type { WebhooksOptions } from '../../src/webhooks-options.ts';
import { failPending } from '../admin/fail-pending.ts';

const events = defineEvents({ 'order.paid': { label: 'Order paid', audience: 'tenant' } });
const URL_OK = 'https://93.184.215.14/';
const START = Date.parse('2026-11-20T04:00:00Z');
const LIMITED = { code: 'rate_limited', status: 429 };

function engineAt(options: Partial<WebhooksOptions> = {}) {
  const time = { now: START };
  const storage = memoryStorage();
  const webhooks = createWebhooks({ storage, events, clock: () => time.now, ...options });
  return { time, storage, webhooks };
}

/** Calls the API over an engine, or over one tenant's administration. */
function callerOf(webhooks: Parameters<typeof createAdminApi>[0]) {
  const api = createAdminApi(webhooks, { authorize: () => ({ uid: '1', scopes: ['admin:webhooks'] }) });
  return (method: string, path: string, body?: object) => {
    const sent = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return api(new Request(`http://localhost/api/admin/webhooks${path}`, { method, ...sent }));
  };
}

it('bounds tests and redeliveries of a tenant within a minute, and of nobody else', async () => {
  const { time, webhooks } = engineAt({ maxTenantCallsPerMinute: 2 });
  const acme = webhooks.forTenant('acme');
  const { id } = await acme.create({ url: URL_OK });
  const { deliveryId } = await acme.test(id);
  time.now += 20_000;
  await acme.recover({ webhookId: id, since: '2026-01-01T00:00:00Z' });
  await expect(acme.test(id)).rejects.toMatchObject({ ...LIMITED, retryAfterMs: 40_000 });
  await expect(webhooks.forTenant('acme').redeliver(id, deliveryId)).rejects.toMatchObject(LIMITED);
  await expect(acme.recover({ webhookId: id, since: new Date(0) })).rejects.toMatchObject(LIMITED);
  await expect(acme.recover({ webhookId: id, since: new Date(0), dryRun: true })).resolves.toBeDefined();
  await expect(webhooks.test(id)).resolves.toBeDefined();
  const globex = webhooks.forTenant('globex');
  await expect(globex.test((await globex.create({ url: URL_OK })).id)).resolves.toBeDefined();
  time.now += 40_000;
  await expect(acme.test(id)).resolves.toBeDefined();
  await expect(acme.test(id)).rejects.toMatchObject({ retryAfterMs: 20_000 });
  time.now -= 86_400_000;
  await expect(acme.test(id)).resolves.toBeDefined();
});

it('counts a selection as one call, and answers 429 with Retry-After', async () => {
  const { storage, webhooks } = engineAt({ maxTenantCallsPerMinute: 1 });
  const acme = webhooks.forTenant('acme');
  const { id } = await acme.create({ url: URL_OK });
  const sent = await Promise.all([webhooks.test(id), webhooks.test(id), webhooks.test(id)]);
  await failPending(storage, 10);
  const call = callerOf(acme);
  const deliveries = sent.map(({ deliveryId }) => deliveryId);
  const dry = await call('POST', '/deliveries/redeliver', { deliveries, dry_run: true });
  expect(await dry.json()).toMatchObject({ done: 3 });
  expect(await (await call('POST', '/deliveries/redeliver', { deliveries })).json()).toMatchObject({
    done: 3,
  });
  for (const [path, body] of [[`/${id}/test`], ['/deliveries/redeliver', { deliveries }]] as const) {
    const refused = await call('POST', path, body);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
  }
});

it('bounds the patterns of a tenant’s webhook alone', async () => {
  const many = Array.from({ length: 21 }, (_, i) => `order.step_${i}`);
  const catalog: EventCatalog = Object.fromEntries(
    many.map((name) => [name, { label: name, audience: 'tenant' }]),
  );
  const webhooks = createWebhooks({ storage: memoryStorage(), events: catalog });
  const refused = { status: 422, errors: [{ field: 'events', code: 'too_big', max: 20 }] };
  for (const create of [
    () => webhooks.forTenant('acme').create({ url: URL_OK, events: many }),
    () => webhooks.create({ url: URL_OK, events: many, tenant: 'acme' }),
  ]) {
    await expect(create()).rejects.toMatchObject(refused);
  }
  const { id } = await webhooks
    .forTenant('acme')
    .create({ url: URL_OK, events: [...many.slice(1), 'order.step_1'] });
  await expect(webhooks.update(id, { events: many })).rejects.toMatchObject(refused);
  await expect(webhooks.create({ url: URL_OK, events: many })).resolves.toBeDefined();
  expect(() => engineAt({ maxTenantCallsPerMinute: 0 })).toThrow('maxTenantCallsPerMinute');
});

it('asks for the bounds of each tenant whenever they apply', async () => {
  const plans = new Map([['acme', 2]]);
  const ofPlan = (tenant: string) => plans.get(tenant);
  const webhooks = createWebhooks({
    ...{ storage: memoryStorage(), clock: () => START, builtInEvents: true },
    maxWebhooksPerTenant: ofPlan,
    maxTenantPatternsPerWebhook: ofPlan,
    maxTenantCallsPerMinute: ofPlan,
  });
  const create = (tenant: string, patterns: number) => {
    const events = Array.from({ length: patterns }, (_, i) => `order_${i}.*`);
    return webhooks.forTenant(tenant).create({ url: URL_OK, events });
  };
  await expect(create('acme', 3)).rejects.toMatchObject({ errors: [{ code: 'too_big', max: 2 }] });
  const { id } = await create('acme', 2);
  await create('acme', 1);
  const tooMany = { code: 'too_many_webhooks' };
  await expect(create('acme', 1)).rejects.toMatchObject(tooMany);
  await expect(webhooks.create({ url: URL_OK, tenant: 'acme' })).rejects.toMatchObject(tooMany);
  await webhooks.forTenant('acme').test(id);
  await webhooks.forTenant('acme').test(id);
  await expect(webhooks.forTenant('acme').test(id)).rejects.toMatchObject(LIMITED);
  // A tenant without a plan has the defaults.
  for (let i = 0; i < 20; i++) await create('globex', 20);
  await expect(create('globex', 1)).rejects.toMatchObject(tooMany);
  plans.set('acme', 3);
  await create('acme', 3);
  await webhooks.forTenant('acme').test(id);
  plans.set('acme', 0);
  await expect(create('acme', 1)).rejects.toThrow('an integer from 1 to 100, not 0');
});

it('lists one customer’s webhooks, or the application’s own, over the API', async () => {
  const { webhooks } = engineAt();
  const own = async (of: Webhooks, tenant: string | null) => (await of.create({ url: URL_OK, tenant })).id;
  const [acme, , host] = [
    await own(webhooks, 'acme'),
    await own(webhooks, 'globex'),
    await own(webhooks, null),
  ];
  const listed = async (query: string) => {
    const page = (await (await callerOf(webhooks)('GET', query)).json()) as { webhooks: { id: number }[] };
    return page.webhooks.map(({ id }) => id);
  };
  expect(await listed('?tenant=acme')).toEqual([acme]);
  expect(await listed('?tenant=')).toEqual([host]);
  expect(await listed('?tenant=nobody')).toEqual([]);
  expect(await listed('')).toHaveLength(3);
  expect((await callerOf(webhooks)('GET', '?tenant=%20a')).status).toBe(422);
  expect((await callerOf(webhooks.forTenant('acme'))('GET', '?tenant=globex')).status).toBe(422);
});

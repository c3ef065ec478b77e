import { describe, expect, it, onTestFinished } from 'vitest';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import { defineEvents } from '../../src/events/catalog.ts';
import type { ListWebhooksInput } from '../../src/registry/webhook-input.ts';
import { changing } from '../../src/storage/changed-state.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { Webhook } from '../../src/storage/webhook-record.ts';
import type { Webhooks } from '../../src/webhooks.ts';
import { createTestEngine } from './engine.ts';
import { useEngineHarness } from './engine-harness.ts';
import { serveRecipient } from './recipient.ts';
import { ALL_STORAGES } from './storages.ts';

const events = defineEvents({
  'order.paid': { label: 'Order paid', audience: 'tenant' },
  'fraud.found': { label: 'Fraud found' },
});

describe.each(ALL_STORAGES)('events of customers on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  function register(webhooks: Webhooks, tenant: string | null): Promise<Webhook> {
    return webhooks.create({ tenant, url: 'https://93.184.215.14/' });
  }

  it('reach their tenant and the host, and a forgotten tenant reaches no customer', async () => {
    const { webhooks } = harness.engine({ events });
    const [host, acme, globex] = [
      await register(webhooks, null),
      await register(webhooks, 'acme'),
      await register(webhooks, 'globex'),
    ];
    await webhooks.dispatch('order.paid', { n: 1 }, { tenant: 'acme' });
    await webhooks.dispatch('order.paid', { n: 2 }, { tenant: 'globex', only: 'tenant' });
    await webhooks.dispatch('order.paid', { n: 3 });
    await webhooks.dispatch('fraud.found', { n: 4 }, { tenant: 'acme' });
    await webhooks.dispatch('user.created', { n: 5 }, { tenant: 'globex' });
    const received = async ({ id }: Webhook) => {
      const { deliveries } = await webhooks.deliveries(id);
      const whole = deliveries.map(({ deliveryId }) => webhooks.delivery(id, deliveryId));
      return (await Promise.all(whole)).map(({ payload }) => JSON.parse(payload).n).sort();
    };
    expect(await received(host)).toEqual([1, 3, 4, 5]);
    expect(await received(acme)).toEqual([1]);
    expect(await received(globex)).toEqual([2]);
  });

  it('have idempotency keys of their own, when they come at once, too', async () => {
    const { webhooks } = harness.engine({ events });
    await register(webhooks, 'acme');
    await register(webhooks, 'globex');
    const order = (tenant: string | null) =>
      webhooks.dispatch('order.paid', {}, { tenant, idempotencyKey: 'order-7' });
    const first = await Promise.all([order('acme'), order('globex'), order(null)]);
    expect(first.map(({ repeated }) => repeated)).toEqual([false, false, false]);
    expect(first.map(({ deliveries }) => deliveries)).toEqual([1, 1, 0]);
    expect(await order('acme')).toEqual({ deliveries: 0, repeated: true });
  });

  it('are refused without a tenant where tenants are required', async () => {
    const { webhooks } = harness.engine({ events, tenants: 'required' });
    await register(webhooks, null);
    await expect(webhooks.dispatch('order.paid', {})).rejects.toMatchObject({ code: 'invalid_options' });
    expect(await webhooks.dispatch('order.paid', {}, { tenant: null })).toMatchObject({ deliveries: 1 });
    // As of a user whose tenant was not found: the webhook would get everybody's events.
    const lost = { url: 'https://93.184.215.14/', tenant: undefined };
    const refusal = { code: 'validation_failed', errors: [{ field: 'tenant', code: 'required' }] };
    await expect(webhooks.create(lost)).rejects.toMatchObject(refusal);
    await expect(webhooks.list({ tenant: undefined })).rejects.toMatchObject(refusal);
    expect((await webhooks.list()).total).toBe(1);
  });

  it('are explained: a wildcard of a customer has no internal event', async () => {
    const { webhooks } = harness.engine({ events });
    await register(webhooks, null);
    await register(webhooks, 'acme');
    const reasons = async (event: string) =>
      (await webhooks.explain(event)).webhooks.map(({ reason }) => reason);
    expect(await reasons('order.paid')).toEqual(['subscribed', 'subscribed']);
    expect(await reasons('fraud.found')).toEqual(['subscribed', 'not_for_tenants']);
    expect((await webhooks.describeEvent('order.paid')).total).toBe(2);
    expect((await webhooks.describeEvent('fraud.found')).total).toBe(1);
  });
});

describe("a customer's webhook", () => {
  it('takes events for tenants by name, wildcards, and no other name', async () => {
    const { webhooks } = createTestEngine(memoryStorage(), { events });
    const url = 'https://93.184.215.14/';
    const patterns = ['*', 'fraud.*', 'order.paid', 'webhook.test'];
    const { id } = await webhooks.create({ tenant: 'acme', url, events: patterns });
    const unknown = { field: 'events[1]', code: 'unknown_event', message: 'must be an event of the catalog' };
    for (const name of ['fraud.found', 'user.created', 'no.such']) {
      const refused = { code: 'validation_failed', errors: [unknown] };
      const given = { events: ['order.paid', name] };
      await expect(webhooks.create({ tenant: 'acme', url, ...given })).rejects.toMatchObject(refused);
      await expect(webhooks.update(id, given)).rejects.toMatchObject(refused);
      await expect(webhooks.create({ url, ...given })).resolves.toMatchObject(given);
      const test = webhooks.test(id, { event: name, payload: {} });
      await expect(test).rejects.toMatchObject({ errors: [{ field: 'event', code: 'unknown_event' }] });
    }
  });

  it.each(['', ' acme', 'x'.repeat(65), 7])('refuses a tenant of the wrong shape: %j', async (tenant) => {
    const { webhooks } = createTestEngine(memoryStorage());
    const created = webhooks.create({ tenant: tenant as string, url: 'https://93.184.215.14/' });
    await expect(created).rejects.toMatchObject({ code: 'validation_failed', errors: [{ field: 'tenant' }] });
  });

  it('may not lead to what the host opened for its own, at a change either', async () => {
    const { webhooks } = createTestEngine(memoryStorage());
    const refused = { code: 'url_not_public' };
    await webhooks.create({ url: 'http://127.0.0.1/' });
    await expect(webhooks.create({ tenant: 'acme', url: 'http://127.0.0.1/' })).rejects.toMatchObject(
      refused,
    );
    const { id } = await webhooks.create({ tenant: 'acme', url: 'https://93.184.215.14/' });
    await expect(webhooks.update(id, { url: 'http://127.0.0.1/' })).rejects.toMatchObject(refused);
  });

  it("is never sent to the host's network, whatever its row says", async () => {
    const recipient = await serveRecipient();
    const storage = memoryStorage();
    const { webhooks, ended } = createTestEngine(storage, { events });
    onTestFinished(() => webhooks.close());
    await webhooks.start();
    const { id } = await webhooks.create({ tenant: 'acme', url: 'https://93.184.215.14/' });
    const updatedAt = new Date().toISOString();
    await storage.changeWebhook(id, changing({ url: recipient.url, updatedAt }));
    await webhooks.dispatch('order.paid', {}, { tenant: 'acme' });
    expect(await ended(id)).toMatchObject({ status: 'failed', responseBody: '', statusCode: 0 });
    expect(recipient.received).toEqual([]);
  });

  it('reaches this machine where the host says so, which warns at the start', async () => {
    const recipient = await serveRecipient();
    const warnings: string[] = [];
    const ignored = () => {};
    const warn = (_: unknown, message: string) => void warnings.push(message);
    const { webhooks, ended } = createTestEngine(memoryStorage(), {
      events,
      egress: { dangerouslyAllowedTenantAddresses: ['127.0.0.1/32'] },
      logger: { debug: ignored, info: ignored, error: ignored, warn },
    });
    onTestFinished(() => webhooks.close());
    await webhooks.start();
    expect(warnings).toEqual([expect.stringMatching(/^egress\.dangerouslyAllowedTenantAddresses/)]);
    const { id } = await webhooks.create({ tenant: 'acme', url: recipient.url });
    await expect(webhooks.create({ url: recipient.url })).rejects.toMatchObject({ code: 'url_not_public' });
    await webhooks.dispatch('order.paid', {}, { tenant: 'acme' });
    expect(await ended(id)).toMatchObject({ status: 'success' });
  });

  it('is listed by its tenant', async () => {
    const { webhooks } = createTestEngine(memoryStorage());
    const host = await webhooks.create({ url: 'https://93.184.215.14/' });
    const acme = await webhooks.create({ tenant: 'acme', url: 'https://93.184.215.14/' });
    const ids = async (input?: ListWebhooksInput) =>
      (await webhooks.list(input)).webhooks.map(({ id }) => id);
    expect(await ids({ tenant: 'acme' })).toEqual([acme.id]);
    expect(await ids({ tenant: null })).toEqual([host.id]);
    expect(await ids()).toEqual([acme.id, host.id]);
  });

  it('is named in the answers of the admin API, where there is a tenant', async () => {
    const { webhooks } = createTestEngine(memoryStorage());
    await webhooks.create({ url: 'https://93.184.215.14/' });
    await webhooks.create({ tenant: 'acme', url: 'https://93.184.215.14/' });
    const authorize = () => ({ uid: 'ada', scopes: ['admin:webhooks'] });
    const api = createAdminApi(webhooks, { authorize });
    const answer = await api(new Request('https://app.example/api/admin/webhooks'));
    const { webhooks: all } = (await answer.json()) as { webhooks: object[] };
    const listed = all.map((one) => ('tenant' in one ? one.tenant : null));
    expect(listed).toEqual(['acme', null]);
  });
});

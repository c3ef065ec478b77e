import { beforeEach, describe, expect, it } from 'vitest';
import type { Administration } from '../../src/administration.ts';
import { defineEvents } from '../../src/events/catalog.ts';
import type { Webhooks } from '../../src/webhooks.ts';
import { useEngineHarness } from './engine-harness.ts';
import { ALL_STORAGES } from './storages.ts';

const URL_OK = 'https://93.184.215.14/';
const events = defineEvents({
  'order.paid': { label: 'Order paid', audience: 'tenant', example: { total: 1 } },
  'fraud.found': { label: 'Fraud found', example: {} },
});

/** A webhook and a delivery, by their ids. */
interface Ids {
  readonly id: number;
  readonly deliveryId: string;
}

/** What an operation came to, as its caller sees it. */
async function outcomeOf(operation: Promise<unknown>): Promise<unknown> {
  return operation.then(
    (value) => ({ value }),
    ({ code, message, errors }) => ({ code, message, errors }),
  );
}

const SINCE = '2026-01-01T00:00:00Z';

/** Every operation that takes an id, with that of another tenant or an unknown one. */
const OPERATIONS: Readonly<Record<string, (of: Administration, ids: Ids) => Promise<unknown>>> = {
  get: (of, { id }) => of.get(id),
  update: (of, { id }) => of.update(id, { description: 'x' }),
  'update of nothing': (of, { id }) => of.update(id, {}),
  'update with a precondition': (of, { id }) => of.update(id, {}, { expectedUpdatedAt: SINCE }),
  delete: (of, { id }) => of.delete(id),
  'delete with a precondition': (of, { id }) => of.delete(id, { expectedUpdatedAt: SINCE }),
  rotateSecret: (of, { id }) => of.rotateSecret(id),
  endPreviousSecret: (of, { id }) => of.endPreviousSecret(id),
  activity: (of, { id }) => of.activity(id, { from: SINCE, to: '2026-01-02T00:00:00Z' }),
  deliveries: (of, { id }) => of.deliveries(id),
  delivery: (of, ids) => of.delivery(ids.id, ids.deliveryId),
  redeliver: (of, ids) => of.redeliver(ids.id, ids.deliveryId),
  recover: (of, { id }) => of.recover({ webhookId: id, since: SINCE }),
  'recover as a dry run': (of, { id }) => of.recover({ webhookId: id, since: SINCE, dryRun: true }),
  test: (of, { id }) => of.test(id),
  explain: (of, { id }) => of.explain('order.paid', { webhookId: id }),
  changes: (of, { id }) => of.changes({ webhookIds: [id] }),
  'search for a delivery': (of, { deliveryId }) => of.searchDeliveries({ deliveryId }),
  'search in a webhook': (of, { id }) => of.searchDeliveries({ webhookId: id }),
  "a delivery of another's, by a webhook of its own": async (of, { deliveryId }) => {
    const [own] = (await of.list()).webhooks;
    return of.delivery(own?.id ?? 0, deliveryId);
  },
  "redelivery of another's, by a webhook of its own": async (of, { deliveryId }) => {
    const [own] = (await of.list()).webhooks;
    return of.redeliver(own?.id ?? 0, deliveryId);
  },
};

describe.each(ALL_STORAGES)('the administration of a tenant on $name', ({ open }) => {
  const harness = useEngineHarness(open);
  let webhooks: Webhooks;
  beforeEach(() => {
    webhooks = harness.engine({ events, maxTenantCallsPerMinute: 1_000 }).webhooks;
  });

  async function customer(tenant: string): Promise<Ids> {
    const { id } = await webhooks.forTenant(tenant).create({ url: `${URL_OK}${tenant}` });
    await webhooks.dispatch('order.paid', { secret: tenant }, { tenant });
    const [delivery] = (await webhooks.deliveries(id)).deliveries;
    return { id, deliveryId: delivery?.deliveryId ?? '' };
  }

  it('does not tell an id of another tenant from an unknown one', async () => {
    await customer('acme');
    const foreign = await customer('globex');
    const ofHost = await webhooks.create({ url: URL_OK });
    const before = JSON.stringify([await webhooks.get(foreign.id), await webhooks.get(ofHost.id)]);
    const acme = webhooks.forTenant('acme');
    const unknown = { id: 987_654, deliveryId: `${foreign.deliveryId.slice(0, -1)}g`.replace('g', '0') };
    for (const [name, operate] of Object.entries(OPERATIONS)) {
      const expected = await outcomeOf(operate(acme, { ...unknown, deliveryId: 'f'.repeat(32) }));
      expect(await outcomeOf(operate(acme, foreign)), name).toEqual(expected);
      expect(await outcomeOf(operate(acme, { ...foreign, id: ofHost.id })), name).toEqual(expected);
    }
    expect(JSON.stringify([await webhooks.get(foreign.id), await webhooks.get(ofHost.id)])).toBe(before);
  });

  it('sees its own alone in lists, counts, searches and versions', async () => {
    const own = await customer('acme');
    const acme = webhooks.forTenant('acme');
    const seen = async () =>
      JSON.stringify([
        await acme.list(),
        await acme.list({ search: 'globex' }),
        await acme.changes(),
        await acme.overview(),
        (await acme.activityOfAll()).activity,
        await acme.changes({ webhookIds: [own.id] }),
        await acme.searchDeliveries(),
        await acme.searchDeliveries({ event: 'order.paid', limit: 1 }),
        await acme.explain('order.paid'),
        await acme.explain('order.paid', { search: 'globex' }),
        await acme.describeEvent('order.paid'),
        await acme.get(own.id),
      ]);
    const before = await seen();
    const foreign = await customer('globex');
    await webhooks.create({ url: URL_OK });
    await webhooks.dispatch('order.paid', {}, { tenant: 'globex' });
    await webhooks.update(foreign.id, { isActive: false });
    await webhooks.delete(foreign.id);
    expect(await seen()).toBe(before);
    const { version } = await acme.changes();
    await webhooks.dispatch('order.paid', {}, { tenant: 'acme' });
    expect((await acme.changes()).version).not.toBe(version);
  });

  it('finds every delivery of its webhooks once, page by page', async () => {
    const acme = webhooks.forTenant('acme');
    for (const path of ['a', 'b', 'c']) await acme.create({ url: URL_OK + path });
    await customer('globex');
    for (let n = 0; n < 9; n += 1) await webhooks.dispatch('order.paid', { n }, { tenant: 'acme' });
    const found: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await acme.searchDeliveries({ limit: 4, event: 'order.paid', cursor });
      found.push(...page.deliveries.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual(found.toSorted((a, b) => b - a));
    expect(new Set(found).size).toBe(27);
    expect(found).toHaveLength(27);
  });

  it('keeps the bound of its webhooks, also of creations at once', async () => {
    const acme = webhooks.forTenant('acme');
    const created = Array.from({ length: 25 }, () => acme.create({ url: URL_OK }));
    const outcomes = await Promise.allSettled(created);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const refused = { code: 'too_many_webhooks', status: 422, message: expect.stringContaining('20') };
    await expect(acme.create({ url: URL_OK })).rejects.toMatchObject(refused);
    await expect(webhooks.create({ tenant: 'acme', url: URL_OK })).rejects.toMatchObject(refused);
    await expect(webhooks.forTenant('globex').create({ url: URL_OK })).resolves.toMatchObject({
      tenant: 'globex',
    });
  });

  it('knows the events for tenants alone, and judges URLs as those of tenants', async () => {
    const acme = webhooks.forTenant('acme');
    expect(acme.events.map(({ name }) => name)).toEqual(['order.paid', 'webhook.test']);
    expect(Object.keys(acme.eventSchemas())).toEqual(['order.paid', 'webhook.test']);
    await expect(acme.describeEvent('fraud.found')).rejects.toMatchObject({ code: 'event_not_found' });
    const explained = await acme.explain('fraud.found');
    expect({ ...explained, event: '' }).toEqual({ ...(await acme.explain('no.such')), event: '' });
    const { id } = await acme.create({ url: URL_OK });
    for (const event of ['fraud.found', 'no.such']) {
      const refused = { errors: [{ field: 'event', code: 'unknown_event' }] };
      await expect(acme.test(id, { event })).rejects.toMatchObject(refused);
      const named = acme.create({ url: URL_OK, events: [event] });
      await expect(named).rejects.toMatchObject({ errors: [{ field: 'events[0]', code: 'unknown_event' }] });
    }
    await expect(acme.create({ url: 'http://127.0.0.1/' })).rejects.toMatchObject({ code: 'url_not_public' });
  });

  it('has no field for another tenant, and no recovery of everything', async () => {
    const acme = webhooks.forTenant('acme');
    const refused = { errors: [{ field: 'tenant', code: 'unknown_field' }] };
    for (const tenant of ['globex', 'acme', null]) {
      await expect(acme.create({ url: URL_OK, tenant })).rejects.toMatchObject(refused);
      await expect(acme.list({ tenant })).rejects.toMatchObject(refused);
    }
    const all = acme.recover({ since: SINCE });
    await expect(all).rejects.toMatchObject({ errors: [{ field: 'webhookId', code: 'required' }] });
    expect(() => webhooks.forTenant('')).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });
});

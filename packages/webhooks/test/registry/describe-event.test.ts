import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useEngineHarness } from '../engine/engine-harness.ts';
import { STORAGES } from '../engine/storages.ts';

const EVENTS = {
  'order.created': { label: 'Order placed', payload: z.object({ id: z.int() }), example: { id: 42 } },
};

describe.each(STORAGES)('the description of an event on $name', ({ open }) => {
  const harness = useEngineHarness(open);
  const shop = () => harness.engine({ events: EVENTS }).webhooks;

  it('has its label, its schema, its example and a page of the webhooks that subscribe to it', async () => {
    const webhooks = shop();
    const url = 'http://127.0.0.1/';
    const all = await webhooks.create({ url });
    await webhooks.create({ url, events: ['user.*', 'orders.*'] });
    const off = await webhooks.create({
      url,
      name: 'Orders',
      events: ['user.*', 'order.*', 'order.created'],
      isActive: false,
    });
    const described = await webhooks.describeEvent('order.created', { limit: 1, offset: 1 });
    expect(described).toEqual({
      name: 'order.created',
      label: 'Order placed',
      schema: webhooks.eventSchemas()['order.created'],
      example: { id: 42 },
      subscribers: [
        {
          webhookId: off.id,
          url,
          name: 'Orders',
          isActive: false,
          matchedPatterns: ['order.*', 'order.created'],
        },
      ],
      total: 2,
      limit: 1,
      offset: 1,
    });
    expect((await webhooks.describeEvent('order.created')).subscribers[0]?.webhookId).toBe(all.id);
  });

  it('has no example where the catalog gives none', async () => {
    expect(await shop().describeEvent('user.created')).toMatchObject({ example: null, total: 0 });
  });

  it('is refused for an event that no catalog knows, and for a wrong page', async () => {
    const webhooks = shop();
    await expect(webhooks.describeEvent('order.gone')).rejects.toMatchObject({ code: 'event_not_found' });
    await expect(webhooks.describeEvent('order.created', { limit: 0 })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});

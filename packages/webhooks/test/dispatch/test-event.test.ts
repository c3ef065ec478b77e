import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { useEngineHarness } from '../engine/engine-harness.ts';
import { STORAGES } from '../engine/storages.ts';

const EVENTS = {
  'order.created': {
    label: 'Order placed',
    payload: z.object({ id: z.int(), currency: z.string().default('EUR') }),
    example: { id: 42 },
  },
  'order.paid': { label: 'Order paid' },
};

describe.each(STORAGES)('a test on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  async function start() {
    const recipient = await harness.recipient();
    const { webhooks, errors, ended } = harness.engine({ events: EVENTS });
    await webhooks.start();
    const { id } = await webhooks.create({ url: recipient.url, events: ['role.created'] });
    const received = async (count: number) => {
      await recipient.receivedCount(count);
      const { body, headers } = recipient.received[count - 1] ?? expect.fail();
      return { body: JSON.parse(body), event: headers['x-webhook-event'], mark: headers['x-webhook-test'] };
    };
    return { webhooks, errors, ended, id, received };
  }

  it('sends the example of its event, as its schema completes it, and bears the mark', async () => {
    const { webhooks, id, received } = await start();
    await webhooks.test(id, { event: 'order.created' });
    expect(await received(1)).toMatchObject({
      body: { type: 'order.created', data: { id: 42, currency: 'EUR' } },
      event: 'order.created',
      mark: '1',
    });
  });

  it('sends a chosen payload as it was at the call', async () => {
    const { webhooks, id, received } = await start();
    const payload = { id: 7, list: ['ü'] };
    const sent = webhooks.test(id, { event: 'order.paid', payload });
    payload.list.push('later');
    await sent;
    expect(await received(1)).toMatchObject({ body: { data: { id: 7, list: ['ü'] } }, mark: '1' });
  });

  inOneTest([
    ['a member that it does not know', { event: 'order.paid', payload: {}, evnt: 1 }, 'validation_failed'],
    ['null as its payload', { event: 'order.paid', payload: null }, 'invalid_payload'],
  ])('refuses %s', async (_, input, code) => {
    const { webhooks, id } = await start();
    await expect(webhooks.test(id, input as object)).rejects.toMatchObject({ code });
  });

  it('bears the mark when it is sent again; an event that happened bears none', async () => {
    const { webhooks, ended, id, received } = await start();
    const { deliveryId } = await webhooks.test(id);
    expect(await received(1)).toMatchObject({ event: 'webhook.test', mark: '1' });
    await ended(id, deliveryId);
    await webhooks.redeliver(id, deliveryId);
    expect(await received(2)).toMatchObject({ event: 'webhook.test', mark: '1' });
    await webhooks.dispatch('role.created', {});
    expect(await received(3)).toMatchObject({ event: 'role.created', mark: undefined });
  });

  it('is refused with its errors, which are no failure to report to the host', async () => {
    const { webhooks, errors, id } = await start();
    for (const [input, code, field] of [
      [{ event: 'order.created', payload: { id: 'x' } }, 'invalid_payload', 'id'],
      [{ event: 'order.gone', payload: {} }, 'validation_failed', 'event'],
      [{ event: 'order.paid' }, 'validation_failed', 'payload'],
    ] as const) {
      await expect(webhooks.test(id, input)).rejects.toMatchObject({ code, errors: [{ field }] });
    }
    await expect(webhooks.test(id + 1, { event: 'order.created' })).rejects.toMatchObject({
      code: 'webhook_not_found',
    });
    expect((await webhooks.deliveries(id)).deliveries).toEqual([]);
    expect(errors).toEqual([]);
  });
});
